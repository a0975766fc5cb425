//! The kinds of job that come with the server.

pub mod egress;
pub mod failure;
pub mod run;
pub mod webhook;
