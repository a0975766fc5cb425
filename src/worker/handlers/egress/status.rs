//! What the status of an answer means for the job that asked.

use conveyor_model::time::Timestamp;
use reqwest::StatusCode;

use super::send::Answer;
use super::{retry_after, text};
use crate::worker::handlers::failure::{HandlerError, Then};

/// Bytes of the body that are looked at for the error's detail.
const DETAIL: usize = 1000;

impl Answer {
    /// Fails unless the status says success. Too busy (408, 429) and the server's own faults (5xx)
    /// may pass, after the time the target asks for; everything else is for good.
    pub fn check_status(&self, now: Timestamp) -> Result<(), HandlerError> {
        let status = self.status;
        if status.is_success() {
            return Ok(());
        }
        let class = format!("Status{}", status.as_u16());
        let host = self.url.host_str().unwrap_or("the target");
        let message = format!("{host} answered {status}");
        let may_pass = status.is_server_error()
            || matches!(
                status,
                StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS
            );
        let mut error = HandlerError::dead(class, message);
        if may_pass {
            error.then = retry_after::read(&self.headers, now).map_or(Then::Retry, Then::RetryIn);
        }
        Err(error.with_detail(&text(&self.body, DETAIL)))
    }
}
