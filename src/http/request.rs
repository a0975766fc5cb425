//! Reading requests: bodies within their limit, ids and names from the path, query parameters. Every
//! fault becomes a [`Problem`]; none of axum's own rejections reaches a client.

use std::error::Error;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use conveyor_model::error::{Invalid, OperatorError, Thing};
use conveyor_model::fields::Fields;
use conveyor_model::name::JobId;

use super::problem::{Code, Problem};
use super::{Server, deadline};

pub(crate) use params::Params;

mod params;

/// What a body may have besides its payload.
const BESIDES_PAYLOAD: usize = 64 * 1024;

/// A JSON object as the body, and no query parameter. An empty body is an empty object.
#[derive(Debug)]
pub(crate) struct JsonObject(pub Fields);

/// No query parameter: on a route that takes none, one would be lost without a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoParams;

/// Nothing but the address: no query parameter, and no body but an empty object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bare;

impl FromRequest<Server> for JsonObject {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &Server) -> Result<Self, Problem> {
        let limit = state.config.max_payload.saturating_add(BESIDES_PAYLOAD);
        JsonObject::within(limit, request, state).await
    }
}

impl JsonObject {
    /// Reads a body of at most `limit` bytes.
    pub(crate) async fn within(
        limit: usize,
        request: Request,
        state: &Server,
    ) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        NoParams::from_request_parts(&mut parts, state).await?;
        let text = read_text(body, &parts.headers, limit).await?;
        if text.trim().is_empty() {
            return Ok(JsonObject(Fields::parse("{}")?));
        }
        require_json(&parts.headers)?;
        Ok(JsonObject(Fields::parse(&text)?))
    }
}

impl<S: Sync> FromRequestParts<S> for NoParams {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = Params::from_request_parts(parts, state).await?;
        params.finish(&[]).map(|()| NoParams)
    }
}

impl FromRequest<Server> for Bare {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &Server) -> Result<Self, Problem> {
        let JsonObject(fields) = JsonObject::from_request(request, state).await?;
        Ok(fields.finish(&[], || Some(Bare))?)
    }
}

/// Refuses a body that does not say it is JSON.
pub(crate) fn require_json(headers: &HeaderMap) -> Result<(), Problem> {
    let kind = media_type(headers);
    if kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json")) {
        return Ok(());
    }
    let detail = match kind.as_str() {
        "" => "the body has no Content-Type; send application/json".to_owned(),
        kind => format!("the body is {kind}; send application/json"),
    };
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

/// Refuses a body that is compressed, or says so.
fn require_plain(headers: &HeaderMap) -> Result<(), Problem> {
    let Some(coding) = headers.get(header::CONTENT_ENCODING) else {
        return Ok(());
    };
    if coding.as_bytes().eq_ignore_ascii_case(b"identity") {
        return Ok(());
    }
    let coding = String::from_utf8_lossy(coding.as_bytes()).into_owned();
    let detail = format!("the body has Content-Encoding {coding}; send it as it is");
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

/// The media type of the body in small letters, without parameters; empty when there is none.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .map(|kind| kind.trim().to_ascii_lowercase())
        .unwrap_or_default()
}

/// Reads a body of at most `limit` bytes as UTF-8.
pub(crate) async fn read_text(
    body: Body,
    headers: &HeaderMap,
    limit: usize,
) -> Result<String, Problem> {
    require_plain(headers)?;
    let bytes = read(body, headers, limit).await?;
    String::from_utf8(bytes.into())
        .map_err(|_| Problem::new(Code::Malformed, "the body is not UTF-8"))
}

async fn read(body: Body, headers: &HeaderMap, limit: usize) -> Result<Bytes, Problem> {
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<u64>().ok());
    if announced.is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > limit)) {
        return Err(too_large(limit));
    }
    axum::body::to_bytes(body, limit)
        .await
        .map_err(|error| unreadable(&error, limit))
}

/// Why a body could not be read to its end.
fn unreadable(error: &(dyn Error + 'static), limit: usize) -> Problem {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return too_large(limit);
        }
        if error.is::<deadline::TooSlow>() {
            return Problem::new(Code::TooSlow, error.to_string());
        }
        cause = error.source();
    }
    Problem::new(Code::Malformed, "the body ended before it was complete")
}

/// A body beyond its limit.
pub(crate) fn too_large(limit: usize) -> Problem {
    Problem::new(
        Code::TooLarge,
        format!("the body has more than {limit} bytes, which is the limit here"),
    )
}

/// The job that the path names. What cannot be an id names no job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Id(pub JobId);

impl FromRequestParts<Server> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &Server) -> Result<Self, Problem> {
        let text = path_parameter(parts, state).await?;
        text.parse()
            .map(Id)
            .map_err(|_| OperatorError::not_found(Thing::Job, text).into())
    }
}

/// The name that the path holds, before anything is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Name(String);

impl FromRequestParts<Server> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &Server) -> Result<Self, Problem> {
        path_parameter(parts, state).await.map(Name)
    }
}

impl Name {
    /// The text as it was given.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of a thing that exists: what cannot be a name names nothing (404).
    pub(crate) fn of<T: std::str::FromStr>(&self, what: Thing) -> Result<T, Problem> {
        self.0
            .parse()
            .map_err(|_| OperatorError::not_found(what, &self.0).into())
    }

    /// The name of a thing to be made: what cannot be a name is told why (422).
    pub(crate) fn new_name<T: std::str::FromStr>(&self) -> Result<T, Problem>
    where
        T::Err: std::fmt::Display,
    {
        self.0
            .parse()
            .map_err(|fault: T::Err| Invalid::one("/name", fault.to_string()).into())
    }
}

async fn path_parameter(parts: &mut Parts, state: &Server) -> Result<String, Problem> {
    let malformed = |_| Problem::new(Code::Malformed, "the address is not valid UTF-8");
    let parameters = RawPathParams::from_request_parts(parts, state)
        .await
        .map_err(malformed)?;
    let text = parameters.iter().next().map(|(_, value)| value.to_owned());
    text.ok_or_else(|| Problem::new(Code::Internal, "the route has no parameter"))
}
