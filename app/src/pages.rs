//! The pages, one file each.

pub(crate) mod dead;
pub(crate) mod enqueue;
pub(crate) mod help;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod login;
pub(crate) mod missing;
pub(crate) mod overview;
pub(crate) mod queues;
pub(crate) mod schedule;
pub(crate) mod schedule_form;
pub(crate) mod schedules;
pub(crate) mod workers;
