//! Queues.

use serde::Serialize;
use utoipa::ToSchema;

/// How to pause a queue.
#[derive(Serialize, ToSchema)]
pub(crate) struct PauseRequest {
    /// Why; at most 500 bytes.
    note: Option<String>,
    /// When it resumes by itself.
    #[schema(format = DateTime)]
    until: Option<String>,
}
