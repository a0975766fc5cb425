//! Every error that leaves over HTTP, in one shape: `application/problem+json` (RFC 9457).
//!
//! A [`Problem`] rides in the extensions of its response until the outermost layer, which knows the
//! request's id, writes the body ([`crate::http::trace`]).

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use conveyor_model::error::{FieldError, Invalid, OperatorError};
use conveyor_model::fields::NotFields;
use serde::Serialize;

pub(crate) use code::Code;

mod code;

/// The media type of an error.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// Why a request was not answered as asked.
#[derive(Clone, Debug)]
pub(crate) struct Problem(Box<Told>);

#[derive(Clone, Debug)]
struct Told {
    code: Code,
    detail: String,
    errors: Vec<FieldError>,
    headers: HeaderMap,
}

/// The body of a [`Problem`].
#[derive(Debug, Serialize)]
struct Body<'a> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'a str,
    code: &'static str,
    #[serde(skip_serializing_if = "<[FieldError]>::is_empty")]
    errors: &'a [FieldError],
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
}

impl Problem {
    /// A problem of a kind with what is particular about it.
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Problem(Box::new(Told {
            code,
            detail: detail.into(),
            errors: Vec::new(),
            headers: HeaderMap::new(),
        }))
    }

    /// The same with a header in its answer.
    #[must_use]
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.append(name, value);
        self
    }

    /// Its status.
    pub(crate) fn status(&self) -> StatusCode {
        self.0.code.status()
    }

    /// Its stable word.
    #[cfg(test)]
    pub(crate) fn code(&self) -> Code {
        self.0.code
    }

    /// What is particular about it.
    pub(crate) fn detail(&self) -> &str {
        &self.0.detail
    }

    /// The fields it names.
    pub(crate) fn errors(&self) -> &[FieldError] {
        &self.0.errors
    }

    /// The JSON of it; `request_id` is left out where there is none, as within a list.
    pub(crate) fn json(&self, request_id: Option<&str>) -> String {
        let body = Body {
            r#type: format!("/problems/{}", self.0.code.as_str()),
            title: self.0.code.title(),
            status: self.status().as_u16(),
            detail: &self.0.detail,
            code: self.0.code.as_str(),
            errors: &self.0.errors,
            request_id,
        };
        // Only strings and numbers are in it, which JSON can always hold.
        serde_json::to_string(&body).unwrap_or_default()
    }
}

impl From<OperatorError> for Problem {
    fn from(error: OperatorError) -> Self {
        let code = Code::of(&error);
        let detail = error.to_string();
        let errors = match error {
            OperatorError::Invalid(invalid) => invalid.errors,
            OperatorError::TooLarge { what, .. } => {
                Invalid::one(format!("/{what}"), detail.clone()).errors
            }
            OperatorError::KeyReused { ref differs, .. } => differs
                .iter()
                .map(|field| FieldError {
                    pointer: format!("/{field}"),
                    detail: "differs from the request the key was first used with".to_owned(),
                    position: None,
                    hint: None,
                })
                .collect(),
            OperatorError::NotFound { .. }
            | OperatorError::Conflict { .. }
            | OperatorError::VersionChanged { .. }
            | OperatorError::DiskFull
            | OperatorError::Unavailable(_)
            | OperatorError::Internal => Vec::new(),
        };
        let mut problem = Problem::new(code, detail);
        problem.0.errors = errors;
        if code == Code::Unavailable {
            return problem.header(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        problem
    }
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Self {
        OperatorError::Invalid(invalid).into()
    }
}

impl From<NotFields> for Problem {
    fn from(fault: NotFields) -> Self {
        match fault {
            NotFields::Malformed(_) => Problem::new(Code::Malformed, fault.to_string()),
            NotFields::NotAnObject => Invalid::one("", fault.to_string()).into(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status(), self.json(None)).into_response();
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        for (name, value) in &self.0.headers {
            response.headers_mut().append(name.clone(), value.clone());
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
