//! All that a queue is told before it opens, whether by a program around it or by the configuration of
//! the server.

use conveyor_model::name::QueueName;
use conveyor_model::time::Span;

use crate::http::HttpConfig;
use crate::store::Retention;

/// What [`super::Conveyor::open`] is told.
pub(crate) struct Options {
    /// The database, as a URL.
    pub(crate) database: String,
    /// Queues whose jobs run here; empty means all.
    pub(crate) queues: Vec<QueueName>,
    /// Jobs that run at once; 0 runs none here.
    pub(crate) slots: usize,
    /// How long the leases of those jobs last.
    pub(crate) lease: Span,
    /// How long running jobs get to end when the queue stops.
    pub(crate) grace: Span,
    /// How long finished jobs are kept.
    pub(crate) retention: Retention,
    /// Tokens, names and limits; its limit on payloads holds for every way in.
    pub(crate) http: HttpConfig,
}
