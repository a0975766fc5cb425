//! One visit to one page.

use conveyor_model::stats::Counts;
use conveyor_model::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::Prefs;

/// What the server knows when it draws a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// The reader's choices.
    pub prefs: Prefs,
    /// The server and what it runs on.
    pub about: About,
    /// What the frame counts; none when nobody is signed in or the database is away.
    pub counts: Option<Counts>,
    /// The server's time when the page was drawn.
    pub now: Timestamp,
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
