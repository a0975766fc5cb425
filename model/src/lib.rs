//! The vocabulary of Conveyor: what the server, the dashboard and the REST interface mean by their
//! words. Pure data and rules; nothing here waits, reads a clock or touches a disk, so that it also
//! compiles for the browser.

pub mod lang;
pub mod time;
