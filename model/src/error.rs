//! What can be wrong with a request, in a form that every face can show.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::name::JobId;

/// One field that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldError {
    /// JSON Pointer (RFC 6901) into the request, such as `/backoff/factor`.
    pub pointer: String,
    /// The fault and what is allowed.
    pub detail: String,
    /// Where in a text the fault is, as a character from 1; only for cron expressions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// What to write instead, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Every field of a request that cannot be taken; never empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invalid {
    /// The fields, in the order they were checked.
    pub errors: Vec<FieldError>,
}

/// The sort of thing a request asked for and did not find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thing {
    /// A job.
    Job,
    /// A queue.
    Queue,
    /// A schedule.
    Schedule,
    /// A worker.
    Worker,
    /// A group of dead jobs.
    DeadGroup,
    /// A kind of job.
    Kind,
}

/// Why the queue did not do what it was asked. It crosses to the browser as itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum OperatorError {
    /// There is no such thing (404).
    #[error("no {what} {name}")]
    NotFound {
        /// What was asked for.
        what: Thing,
        /// Its id or name as it was given.
        name: String,
    },
    /// The request is well formed but holds values that cannot be taken (422).
    #[error("{0}")]
    Invalid(Invalid),
    /// The state of things does not allow it (409).
    #[error("{detail}")]
    Conflict {
        /// A stable word for programs, such as `not_allowed_in_state`.
        code: ConflictCode,
        /// The reason, for people.
        detail: String,
    },
    /// The idempotency key belongs to a different request (409).
    #[error("this idempotency key belongs to job {job}, whose request differs in {}", differs.join(", "))]
    KeyReused {
        /// The job stored under the key.
        job: JobId,
        /// The fields in which the two requests differ.
        differs: Vec<String>,
    },
    /// The thing was changed since the version the request names (412).
    #[error("it was changed meanwhile: the version is {current} now")]
    VersionChanged {
        /// The version it has now.
        current: i64,
    },
    /// The request is larger than allowed (413).
    #[error("{what} has {bytes} bytes, at most {most} are allowed")]
    TooLarge {
        /// The field.
        what: String,
        /// Its size.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// The disk is full: reads work, writes do not (507).
    #[error("the disk is full; nothing was stored")]
    DiskFull,
    /// The database is away or the server is stopping; try again later (503).
    #[error("{0}")]
    Unavailable(String),
    /// A fault of the server itself (500); the details are in its log.
    #[error("the server met a fault of its own; its log says more")]
    Internal,
}

/// The kinds of conflict, as programs read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictCode {
    /// The job's state does not allow the action.
    NotAllowedInState,
    /// The lease token is not the newest: another attempt holds the job, or none does.
    StaleLease,
    /// A thing of that name exists already.
    Exists,
    /// The queue still has jobs.
    NotEmpty,
    /// The key belongs to a different request.
    KeyReused,
}

impl ConflictCode {
    /// The stable word.
    pub const fn as_str(self) -> &'static str {
        match self {
            ConflictCode::NotAllowedInState => "not_allowed_in_state",
            ConflictCode::StaleLease => "stale_lease",
            ConflictCode::Exists => "exists",
            ConflictCode::NotEmpty => "not_empty",
            ConflictCode::KeyReused => "idempotency_key_reused",
        }
    }
}

impl Invalid {
    /// No fault so far.
    pub fn none() -> Self {
        Invalid::default()
    }

    /// One fault.
    pub fn one(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let mut invalid = Invalid::none();
        invalid.add(pointer, detail);
        invalid
    }

    /// Adds a fault.
    pub fn add(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.errors.push(FieldError {
            pointer: pointer.into(),
            detail: detail.into(),
            position: None,
            hint: None,
        });
    }

    /// `value` if there is no fault, else the faults.
    pub fn or<T>(self, value: impl FnOnce() -> T) -> Result<T, Invalid> {
        if self.errors.is_empty() {
            Ok(value())
        } else {
            Err(self)
        }
    }

    /// The same faults one level deeper, under `prefix`.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        for error in &mut self.errors {
            error.pointer.insert_str(0, prefix);
        }
        self
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, error) in self.errors.iter().enumerate() {
            let gap = if n == 0 { "" } else { "; " };
            let field = error.pointer.trim_start_matches('/');
            if field.is_empty() {
                write!(f, "{gap}{}", error.detail)?;
            } else {
                write!(f, "{gap}{field}: {}", error.detail)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}

impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Thing::Job => "job",
            Thing::Queue => "queue",
            Thing::Schedule => "schedule",
            Thing::Worker => "worker",
            Thing::DeadGroup => "group of dead jobs",
            Thing::Kind => "kind",
        })
    }
}

impl From<Invalid> for OperatorError {
    fn from(invalid: Invalid) -> Self {
        OperatorError::Invalid(invalid)
    }
}

impl OperatorError {
    /// A conflict with its reason.
    pub fn conflict(code: ConflictCode, detail: impl Into<String>) -> Self {
        OperatorError::Conflict {
            code,
            detail: detail.into(),
        }
    }

    /// Nothing of that id or name exists.
    pub fn not_found(what: Thing, name: impl fmt::Display) -> Self {
        OperatorError::NotFound {
            what,
            name: name.to_string(),
        }
    }

    /// The HTTP status that says the same.
    pub const fn status(&self) -> u16 {
        match self {
            OperatorError::NotFound { .. } => 404,
            OperatorError::Invalid(_) => 422,
            OperatorError::Conflict { .. } | OperatorError::KeyReused { .. } => 409,
            OperatorError::VersionChanged { .. } => 412,
            OperatorError::TooLarge { .. } => 413,
            OperatorError::DiskFull => 507,
            OperatorError::Unavailable(_) => 503,
            OperatorError::Internal => 500,
        }
    }

    /// The stable word for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            OperatorError::NotFound { .. } => "not_found",
            OperatorError::Invalid(_) => "invalid",
            OperatorError::Conflict { code, .. } => code.as_str(),
            OperatorError::KeyReused { .. } => "idempotency_key_reused",
            OperatorError::VersionChanged { .. } => "version_changed",
            OperatorError::TooLarge { .. } => "too_large",
            OperatorError::DiskFull => "disk_full",
            OperatorError::Unavailable(_) => "unavailable",
            OperatorError::Internal => "internal",
        }
    }
}
