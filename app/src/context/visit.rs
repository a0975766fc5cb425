//! One visit to one page.

use conveyor_model::stats::Counts;
use conveyor_model::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::Prefs;
use crate::rpc::Flash;

/// What the server knows when it draws a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// The reader's choices.
    pub prefs: Prefs,
    /// The server and what it runs on.
    pub about: About,
    /// Whether somebody is signed in.
    pub signed_in: bool,
    /// What the frame counts; none when nobody is signed in or the database is away.
    pub counts: Option<Counts>,
    /// The server's time when the page was drawn.
    pub now: Timestamp,
    /// Where the reader reaches the server, such as `http://localhost:8085`.
    pub origin: String,
    /// Seconds after which a page without scripts loads itself again, if the address asks for it.
    pub refresh: Option<u32>,
    /// What the last plain form did; told once.
    pub flash: Option<Flash>,
}

/// The server and what it runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// What this installation is called, such as `production · eu-1`; empty when it has no name.
    pub instance: String,
    /// The version of the server.
    pub version: String,
    /// The database, such as `SQLite`.
    pub database: String,
}
