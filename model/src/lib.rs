//! The vocabulary of Conveyor: what the server, the dashboard and the REST interface mean by their
//! words. Pure data and rules; nothing here waits, reads a clock or touches a disk, so that it also
//! compiles for the browser.
//!
//! In reading order: [`time`], [`name`] and [`json`] are the small values; [`state`] and [`retry`]
//! are the rules of a job's life; [`fields`] and [`read`] take requests apart; [`new_job`] and [`job`] are what goes in and what is kept;
//! [`waiting`] says why a job is not running; [`filter`] picks jobs; [`dead`] groups the dead ones;
//! [`queue`], [`schedule`] (with [`cron`]) and [`worker`] are the things around jobs; [`stats`] and
//! [`event`] tell what goes on; [`operator`] is everything that may be asked, [`error`] what may be
//! wrong with it.

pub mod cron;
pub mod dead;
pub mod error;
pub mod event;
pub mod fields;
pub mod filter;
pub mod job;
pub mod json;
pub mod lang;
pub mod name;
pub mod new_job;
pub mod operator;
pub mod queue;
pub mod read;
pub mod retry;
pub mod schedule;
pub mod state;
pub mod stats;
pub mod time;
pub mod waiting;
pub mod worker;
