//! The kinds of job that come with the server, each against real files and real sockets.

mod email;
mod guard;
mod hostile;
mod image;
mod pool;
mod support;
mod webhook;
