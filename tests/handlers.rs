//! The kinds of job that come with the server, each against real files and real sockets.

#![allow(
    clippy::unwrap_used,
    reason = "what does not work fails the test, in helpers too"
)]

mod email;
mod guard;
mod hostile;
mod image;
mod pool;
mod support;
mod webhook;
