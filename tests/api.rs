//! REST from outside: each route's success and each failure that its page names.

mod bulk;
mod common_rules;
mod jobs;
mod openapi;
mod operating;
mod queues;
mod schedules;
mod strict;
mod workers;
