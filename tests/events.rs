//! The live stream, heard over a socket as a browser hears it.

mod ends;
mod missed;
mod server;
mod slow;
mod topics;
