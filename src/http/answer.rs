//! Writing answers: JSON bodies, the version of a thing as its `ETag`, pages of a list, and the
//! conditions of a request on that version.

use std::fmt::Write as _;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use conveyor_model::filter::{Page, TOTAL_CAP};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::problem::{Code, Problem};
use super::request::Params;

/// A JSON answer.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Result<Response, Problem> {
    Ok(json_answer(status, text_of(value)?))
}

fn text_of(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(value).map_err(|error| {
        tracing::error!(%error, "an answer cannot be written as JSON");
        Problem::new(Code::Internal, "the answer cannot be written as JSON")
    })
}

fn json_answer(status: StatusCode, body: Vec<u8>) -> Response {
    let kind = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, kind)], body).into_response()
}

/// A JSON answer with status 200.
pub(crate) fn ok(value: &impl Serialize) -> Result<Response, Problem> {
    json(StatusCode::OK, value)
}

/// A thing with its `ETag`, or 304 when the request has this very answer already.
pub(crate) fn versioned(
    headers: &HeaderMap,
    version: i64,
    value: &impl Serialize,
) -> Result<Response, Problem> {
    let (tag, answer) = tagged_with(StatusCode::OK, version, value)?;
    if none_match(headers, &tag) {
        let same = StatusCode::NOT_MODIFIED.into_response();
        return Ok(with_header(same, header::ETAG, &tag));
    }
    Ok(answer)
}

/// A thing with its `ETag`.
pub(crate) fn tagged(
    status: StatusCode,
    version: i64,
    value: &impl Serialize,
) -> Result<Response, Problem> {
    tagged_with(status, version, value).map(|(_, answer)| answer)
}

/// The tag is the version, which guards a change, and a hash of the body, since much of what is shown
/// changes without a change of the version: progress, leases, counts, why a job waits.
fn tagged_with(
    status: StatusCode,
    version: i64,
    value: &impl Serialize,
) -> Result<(String, Response), Problem> {
    let body = text_of(value)?;
    let mut tag = format!("\"{version}-");
    for byte in &Sha256::digest(&body)[..8] {
        // Writing to a String does not fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    let answer = with_header(json_answer(status, body), header::ETAG, &tag);
    Ok((tag, answer))
}

/// The answer with one header more; a value that no header can hold is left out.
pub(crate) fn with_header(mut response: Response, name: HeaderName, value: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// The entity tags of a header, as they are written.
fn tags(headers: &HeaderMap, name: HeaderName) -> Vec<&str> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
        .collect()
}

/// Whether `If-None-Match` names this tag: the weak comparison of RFC 9110.
fn none_match(headers: &HeaderMap, own: &str) -> bool {
    tags(headers, header::IF_NONE_MATCH)
        .iter()
        .any(|tag| *tag == "*" || tag.trim_start_matches("W/") == own)
}

/// Whether the request is only for a thing that exists, whatever its version.
pub(crate) fn needs_one(headers: &HeaderMap) -> bool {
    headers.contains_key(header::IF_MATCH)
}

/// The version a change is for: `If-Match: "17-3f5c…"` as the `ETag` was, or `"17"`, or
/// `If-None-Match: *` for "only if there is none yet" (0). `If-Match: *` and no condition at all are none.
pub(crate) fn wanted_version(headers: &HeaderMap) -> Result<Option<i64>, Problem> {
    if tags(headers, header::IF_NONE_MATCH).contains(&"*") {
        return Ok(Some(0));
    }
    let wanted = tags(headers, header::IF_MATCH);
    match wanted.as_slice() {
        [] | ["*"] => Ok(None),
        [tag] => {
            let version = tag
                .strip_prefix('"')
                .and_then(|tag| tag.strip_suffix('"'))
                .map(|tag| tag.split_once('-').map_or(tag, |(version, _)| version))
                .and_then(|version| version.parse().ok())
                .filter(|version| *version > 0);
            let unknown = || Problem::new(Code::VersionChanged, "If-Match names no version of it");
            version.map(Some).ok_or_else(unknown)
        }
        _ => Err(Problem::new(
            Code::Malformed,
            "If-Match must name one version",
        )),
    }
}

/// A total as REST tells it, and whether there are or may be more: exact up to [`TOTAL_CAP`], where it
/// stays, whatever is known beyond.
pub(crate) fn capped(total: u64, may_be_more: bool) -> (u64, bool) {
    (total.min(TOTAL_CAP), may_be_more || total > TOTAL_CAP)
}

/// One page of a list that is held whole, in the order of its keys.
#[derive(Debug, Serialize)]
pub(crate) struct Listing<T> {
    /// The items.
    pub(crate) items: Vec<T>,
    /// The cursor of the next page; none on the last.
    pub(crate) next: Option<String>,
    /// How many there are in all.
    pub(crate) total: u64,
    /// Whether there are more than `total`.
    pub(crate) total_capped: bool,
}

impl<T> Listing<T> {
    /// The page of `all` that `?limit=` and `?after=` ask for; `key` names an item.
    pub(crate) fn page(all: Vec<T>, params: &mut Params, key: impl Fn(&T) -> &str) -> Self {
        let after = params.text("after");
        let limit = match Page::read(params.text("limit").as_deref(), None) {
            Ok(page) => page.limit,
            Err(invalid) => {
                params.faults(invalid);
                1
            }
        };
        let total = u64::try_from(all.len()).unwrap_or(u64::MAX);
        let mut items = all;
        items.sort_by(|a, b| key(a).cmp(key(b)));
        if let Some(after) = after {
            items.retain(|item| key(item) > after.as_str());
        }
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = items.len() > limit;
        items.truncate(limit);
        let next = items
            .last()
            .filter(|_| more)
            .map(|item| key(item).to_owned());
        let (total, total_capped) = capped(total, false);
        Listing {
            items,
            next,
            total,
            total_capped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn only_a_strong_tag_of_one_version_is_a_condition() {
        let wanted = |value| wanted_version(&headers(header::IF_MATCH, value));
        assert_eq!(wanted("\"17\"").unwrap(), Some(17));
        assert_eq!(wanted("\"17-00ff\"").unwrap(), Some(17));
        assert_eq!(wanted("*").unwrap(), None);
        for bad in ["W/\"17\"", "17", "\"x\"", "\"0\"", "\"-1\""] {
            assert_eq!(
                wanted(bad).unwrap_err().code(),
                Code::VersionChanged,
                "{bad}"
            );
        }
        assert_eq!(wanted("\"1\", \"2\"").unwrap_err().code(), Code::Malformed);
        let none = headers(header::IF_NONE_MATCH, "*");
        assert_eq!(wanted_version(&none).unwrap(), Some(0));
    }

    #[test]
    fn a_known_answer_is_not_sent_again() {
        let known = headers(header::IF_NONE_MATCH, "W/\"3-a\", \"4-b\"");
        let has = |tag| none_match(&known, tag);
        assert!(has("\"3-a\"") && has("\"4-b\"") && !has("\"4-a\"") && !has("\"4\""));
    }

    #[test]
    fn pages_of_a_list_join_without_gap_or_repeat() {
        let all: Vec<String> = ["c", "a", "e", "b", "d"].map(str::to_owned).into();
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let query = format!("limit=2&after={}", after.clone().unwrap_or_default());
            let page = Listing::page(all.clone(), &mut Params::parse(&query), |name| name);
            assert_eq!((page.total, page.total_capped), (5, false));
            seen.extend(page.items);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen, ["a", "b", "c", "d", "e"]);
    }
}
