//! The kinds of job that come with the server.

pub mod egress;
pub mod email;
pub mod failure;
pub mod files;
pub mod image;
pub mod run;
pub mod webhook;
