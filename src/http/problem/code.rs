//! The stable words of errors, each with its status and its meaning: one table for the answers, for
//! `/problems/{code}` and for the OpenAPI document.

use axum::http::StatusCode;
use conveyor_model::error::{ConflictCode, OperatorError};

/// The word a program reads to tell one error from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// 400.
    Malformed,
    /// 401.
    Unauthorized,
    /// 403.
    CrossSite,
    /// 404, a thing.
    NotFound,
    /// 404, an address.
    NoSuchRoute,
    /// 405.
    MethodNotAllowed,
    /// 408.
    TooSlow,
    /// 409, an action in a state.
    NotAllowedInState,
    /// 409, a lease.
    StaleLease,
    /// 409, a name.
    Exists,
    /// 409, a queue.
    NotEmpty,
    /// 409, a key.
    IdempotencyKeyReused,
    /// 412.
    VersionChanged,
    /// 413.
    TooLarge,
    /// 414.
    UriTooLong,
    /// 415.
    UnsupportedMediaType,
    /// 421.
    UnknownHost,
    /// 422.
    Invalid,
    /// 429.
    TooManyRequests,
    /// 500.
    Internal,
    /// 503, the server.
    Unavailable,
    /// 503, streams.
    TooManyStreams,
    /// 507.
    DiskFull,
}

impl Code {
    /// Every code, by status.
    pub(crate) const ALL: [Code; 23] = [
        Code::Malformed,
        Code::Unauthorized,
        Code::CrossSite,
        Code::NotFound,
        Code::NoSuchRoute,
        Code::MethodNotAllowed,
        Code::TooSlow,
        Code::NotAllowedInState,
        Code::StaleLease,
        Code::Exists,
        Code::NotEmpty,
        Code::IdempotencyKeyReused,
        Code::VersionChanged,
        Code::TooLarge,
        Code::UriTooLong,
        Code::UnsupportedMediaType,
        Code::UnknownHost,
        Code::Invalid,
        Code::TooManyRequests,
        Code::Internal,
        Code::Unavailable,
        Code::TooManyStreams,
        Code::DiskFull,
    ];

    /// Status, word, title and meaning.
    #[expect(clippy::too_many_lines, reason = "a table, one row a code")]
    const fn row(self) -> (StatusCode, &'static str, &'static str, &'static str) {
        use StatusCode as S;
        match self {
            Code::Malformed => (
                S::BAD_REQUEST,
                "malformed",
                "Malformed request",
                "The request cannot be read at all: broken JSON, a broken header or a broken address.",
            ),
            Code::Unauthorized => (
                S::UNAUTHORIZED,
                "unauthorized",
                "Token missing or wrong",
                "Send the token as `Authorization: Bearer <token>`. A dashboard session counts only for pages and the live stream.",
            ),
            Code::CrossSite => (
                S::FORBIDDEN,
                "cross_site",
                "Request from another site",
                "A browser sent this for another site, or did not say for which. Scripts use a token instead of a session.",
            ),
            Code::NotFound => (
                S::NOT_FOUND,
                "not_found",
                "Not found",
                "There is no thing of that id or name; it may have been deleted or pruned.",
            ),
            Code::NoSuchRoute => (
                S::NOT_FOUND,
                "no_such_route",
                "No such address",
                "Nothing is served there. The addresses are in /openapi.json.",
            ),
            Code::MethodNotAllowed => (
                S::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "Method not allowed",
                "The address exists, but not with this method. `Allow` names those it has.",
            ),
            Code::TooSlow => (
                S::REQUEST_TIMEOUT,
                "too_slow",
                "Request too slow",
                "The body did not arrive in time.",
            ),
            Code::NotAllowedInState => (
                S::CONFLICT,
                "not_allowed_in_state",
                "Not allowed in this state",
                "The job's state does not allow the action. Read the job again and decide anew.",
            ),
            Code::StaleLease => (
                S::CONFLICT,
                "stale_lease",
                "Stale lease",
                "The lease token is not the job's newest, or its attempt has ended. Nothing changed; stop working on it.",
            ),
            Code::Exists => (
                S::CONFLICT,
                "exists",
                "Exists already",
                "A thing of that name exists already.",
            ),
            Code::NotEmpty => (
                S::CONFLICT,
                "not_empty",
                "Not empty",
                "The queue still has jobs.",
            ),
            Code::IdempotencyKeyReused => (
                S::CONFLICT,
                "idempotency_key_reused",
                "Idempotency key reused",
                "The key belongs to a job whose request was different. `errors` names the fields that differ.",
            ),
            Code::VersionChanged => (
                S::PRECONDITION_FAILED,
                "version_changed",
                "Changed meanwhile",
                "The thing is no longer at the version that `If-Match` or `If-None-Match` names.",
            ),
            Code::TooLarge => (
                S::PAYLOAD_TOO_LARGE,
                "too_large",
                "Too large",
                "The body, or a field in it, is larger than the limit that the detail names.",
            ),
            Code::UriTooLong => (
                S::URI_TOO_LONG,
                "uri_too_long",
                "Address too long",
                "The address has more than 8192 bytes.",
            ),
            Code::UnsupportedMediaType => (
                S::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                "Unsupported media type",
                "Send `Content-Type: application/json`; bulk also takes `application/x-ndjson`.",
            ),
            Code::UnknownHost => (
                S::MISDIRECTED_REQUEST,
                "unknown_host",
                "Unknown host name",
                "The server does not answer to the name in `Host`. Add it to ALLOWED_HOSTS.",
            ),
            Code::Invalid => (
                S::UNPROCESSABLE_ENTITY,
                "invalid",
                "Invalid values",
                "The request is well formed but holds values that cannot be taken. `errors` names each field.",
            ),
            Code::TooManyRequests => (
                S::TOO_MANY_REQUESTS,
                "too_many_requests",
                "Too many requests",
                "Wait as long as `Retry-After` says.",
            ),
            Code::Internal => (
                S::INTERNAL_SERVER_ERROR,
                "internal",
                "Fault of the server",
                "The server met a fault of its own; its log says more under the request id.",
            ),
            Code::Unavailable => (
                S::SERVICE_UNAVAILABLE,
                "unavailable",
                "Not available now",
                "The server is stopping, or its database is away. Try again; with an idempotency key that is harmless.",
            ),
            Code::TooManyStreams => (
                S::SERVICE_UNAVAILABLE,
                "too_many_streams",
                "Too many live streams",
                "As many live streams are open as this server allows.",
            ),
            Code::DiskFull => (
                S::INSUFFICIENT_STORAGE,
                "disk_full",
                "Disk full",
                "Reads work, writes do not, until there is space again.",
            ),
        }
    }

    /// Its status.
    pub(crate) const fn status(self) -> StatusCode {
        self.row().0
    }

    /// The word itself.
    pub(crate) const fn as_str(self) -> &'static str {
        self.row().1
    }

    /// A short title, the same for every problem of this code.
    pub(crate) const fn title(self) -> &'static str {
        self.row().2
    }

    /// What it means and what to do.
    pub(crate) const fn meaning(self) -> &'static str {
        self.row().3
    }

    /// The code of what the queue answered.
    pub(crate) const fn of(error: &OperatorError) -> Self {
        match error {
            OperatorError::NotFound { .. } => Code::NotFound,
            OperatorError::Invalid(_) => Code::Invalid,
            OperatorError::Conflict { code, .. } => match code {
                ConflictCode::NotAllowedInState => Code::NotAllowedInState,
                ConflictCode::StaleLease => Code::StaleLease,
                ConflictCode::Exists => Code::Exists,
                ConflictCode::NotEmpty => Code::NotEmpty,
                ConflictCode::KeyReused => Code::IdempotencyKeyReused,
            },
            OperatorError::KeyReused { .. } => Code::IdempotencyKeyReused,
            OperatorError::VersionChanged { .. } => Code::VersionChanged,
            OperatorError::TooLarge { .. } => Code::TooLarge,
            OperatorError::DiskFull => Code::DiskFull,
            OperatorError::Unavailable(_) => Code::Unavailable,
            OperatorError::Internal => Code::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_and_word_agree_with_the_vocabulary() {
        let errors = [
            OperatorError::DiskFull,
            OperatorError::Internal,
            OperatorError::Unavailable(String::new()),
            OperatorError::VersionChanged { current: 1 },
            OperatorError::conflict(ConflictCode::StaleLease, ""),
            OperatorError::conflict(ConflictCode::KeyReused, ""),
            OperatorError::conflict(ConflictCode::Exists, ""),
            OperatorError::conflict(ConflictCode::NotEmpty, ""),
            OperatorError::conflict(ConflictCode::NotAllowedInState, ""),
        ];
        for error in errors {
            let code = Code::of(&error);
            assert_eq!(code.status().as_u16(), error.status(), "{error:?}");
            assert_eq!(code.as_str(), error.code(), "{error:?}");
        }
    }

    #[test]
    fn no_two_codes_share_a_word() {
        for (n, code) in Code::ALL.into_iter().enumerate() {
            assert!(
                Code::ALL[..n]
                    .iter()
                    .all(|other| other.as_str() != code.as_str())
            );
        }
    }
}
