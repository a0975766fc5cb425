//! What tests share.

pub(crate) mod eventually;
pub(crate) mod store;
