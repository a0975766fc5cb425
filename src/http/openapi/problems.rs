//! The errors each operation may answer, by status. Most of them follow from what the operation is: what
//! names a thing may not find it, what takes a body may find it too large. Only the conflicts are its own
//! to name.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::{Content, Ref, RefOr, Response, ResponseBuilder, Schema};

use super::problem_json;
use crate::http::problem::Code;

/// What any operation may answer.
const ANY: &[Code] = &[
    Code::Malformed,
    Code::Unauthorized,
    Code::UriTooLong,
    Code::UnknownHost,
    Code::Invalid,
    Code::Internal,
    Code::Unavailable,
];

/// What an operation may answer that changes something; each takes a body, if only an empty one.
const WRITE: &[Code] = &[
    Code::TooSlow,
    Code::TooLarge,
    Code::UnsupportedMediaType,
    Code::DiskFull,
];

/// The job's state does not allow it.
pub(crate) struct NotInState;

/// The lease is not the job's newest.
pub(crate) struct StaleLease;

/// The idempotency key belongs to another request.
pub(crate) struct KeyReused;

/// There is no job of the id in the body.
pub(crate) struct NoSuchJob;

/// A session counts only for this site's own pages.
pub(crate) struct CrossSite;

/// No more streams may be opened.
pub(crate) struct TooManyStreams;

macro_rules! answers {
    ($($own:ident = $code:ident),*) => {$(
        impl IntoResponses for $own {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                let (status, text) = (Code::$code.status(), told(Code::$code));
                BTreeMap::from([(status.as_str().to_owned(), problem(text).into())])
            }
        }
    )*};
}

answers!(
    NotInState = NotAllowedInState,
    StaleLease = StaleLease,
    KeyReused = IdempotencyKeyReused,
    NoSuchJob = NotFound,
    CrossSite = CrossSite,
    TooManyStreams = TooManyStreams
);

/// Adds to every operation of an address what it may answer besides what it names itself.
pub(super) fn complete(item: &mut PathItem) {
    let PathItem {
        get,
        put,
        post,
        patch,
        delete,
        ..
    } = item;
    for operation in get.iter_mut() {
        add(operation, ANY);
    }
    for operation in [put, post, patch, delete].into_iter().flatten() {
        add(operation, ANY);
        add(operation, WRITE);
    }
}

fn add(operation: &mut Operation, codes: &[Code]) {
    for code in codes {
        answer(operation, *code);
    }
    let parameters = operation.parameters.as_deref().unwrap_or_default();
    let inputs = parameters.iter().filter_map(|parameter| match parameter {
        RefOr::T(parameter) => Some((parameter.name.as_str(), &parameter.parameter_in)),
        RefOr::Ref(_) => None,
    });
    let (mut named, mut conditional) = (false, false);
    for (name, place) in inputs {
        named |= *place == ParameterIn::Path;
        conditional |= name == "If-Match";
    }
    if named {
        answer(operation, Code::NotFound);
    }
    if conditional {
        answer(operation, Code::VersionChanged);
    }
}

/// Adds one code to the answer of its status, unless that is no problem document or says it already.
fn answer(operation: &mut Operation, code: Code) {
    let (status, text) = (code.status(), told(code));
    let answers = &mut operation.responses.responses;
    match answers.get_mut(status.as_str()) {
        None => {
            answers.insert(status.as_str().to_owned(), problem(text).into());
        }
        Some(RefOr::T(known)) if known.content.contains_key(problem_json()) => {
            if !known.description.contains(&text) {
                known.description.push('\n');
                known.description.push_str(&text);
            }
        }
        Some(_) => {}
    }
}

/// A code and what it means, as one line.
fn told(code: Code) -> String {
    format!("`{}`: {}", code.as_str(), code.meaning())
}

fn problem(text: String) -> Response {
    let schema = RefOr::<Schema>::Ref(Ref::from_schema_name("Problem"));
    ResponseBuilder::new()
        .description(text)
        .content(problem_json(), Content::new(Some(schema)))
        .build()
}
