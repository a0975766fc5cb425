//! The pages, one file each.

pub(crate) mod help;
pub(crate) mod login;
pub(crate) mod missing;
pub(crate) mod overview;
