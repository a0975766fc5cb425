//! The server's half of the server functions: who asks, whom they ask, and how an answer leaves.

pub(crate) mod drafts;
mod job_form;
pub(crate) mod list;
pub(crate) mod pause;
mod schedule_form;
mod typed;
pub(crate) mod words;

use std::sync::Arc;

use conveyor_model::error::{Invalid, OperatorError, Thing};
use conveyor_model::filter::percent_encode;
use conveyor_model::name::JobId;
use conveyor_model::operator::{Actor, Answer, Operator};
use http::header::{ACCEPT, HeaderMap, HeaderValue, LOCATION, SET_COOKIE};
use http::request::Parts;
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;

use super::{Flash, Outcome, RpcError};

/// The cookie that carries a [`Flash`] to the next page.
pub const FLASH_COOKIE: &str = "conveyor_flash";

/// A cookie longer than this is dropped by browsers, so its text is left out.
const LONGEST_COOKIE: usize = 3500;

/// The queue, for whoever is signed in.
fn operator() -> Result<Arc<dyn Operator>, RpcError> {
    use_context::<Arc<dyn Operator>>().ok_or(RpcError::SignedOut)
}

/// Who asks.
pub(crate) fn actor() -> Actor {
    use_context::<Actor>().unwrap_or_else(|| Actor("dashboard".to_owned()))
}

/// Ends a read: a refusal becomes the status of the answer, or of the page that is being drawn.
fn answer<T>(answer: Result<T, RpcError>) -> Result<T, RpcError> {
    if let Err(error) = &answer {
        set_status(error.status());
    }
    answer
}

/// Asks the queue, and no more.
pub(crate) async fn ask<T, F>(question: impl FnOnce(Arc<dyn Operator>) -> F) -> Result<T, RpcError>
where
    F: Future<Output = Answer<T>>,
{
    Ok(question(operator()?).await?)
}

/// Reads from the queue.
pub(crate) async fn read<T, F>(question: impl FnOnce(Arc<dyn Operator>) -> F) -> Result<T, RpcError>
where
    F: Future<Output = Answer<T>>,
{
    answer(ask(question).await)
}

/// Changes something and ends the action as the caller needs it: typed for a script, as a flash and
/// a redirect to `return_to` for a plain form.
pub(crate) async fn change<F>(
    return_to: &str,
    question: impl FnOnce(Arc<dyn Operator>) -> F,
) -> Result<Outcome, RpcError>
where
    F: Future<Output = Answer<Outcome>>,
{
    settle(return_to, ask(question).await)
}

/// Where to go after something was removed: `return_to`, or `list` if that is the page of what is gone.
pub(crate) fn away_from<'a>(gone: &str, return_to: &'a str, list: &'a str) -> &'a str {
    let page = return_to.split(['?', '#']).next().unwrap_or_default();
    if page == gone { list } else { return_to }
}

/// The end of [`change`], for actions that choose where to go by what came out.
pub(crate) fn settle(
    return_to: &str,
    outcome: Result<Outcome, RpcError>,
) -> Result<Outcome, RpcError> {
    if posted_by_form() {
        put_flash(&Flash(outcome.clone()));
        see_other(return_to);
        return outcome;
    }
    answer(outcome)
}

/// Whether a browser without scripts sent the request, which then wants a page for an answer.
pub(crate) fn posted_by_form() -> bool {
    use_context::<Parts>().is_some_and(|parts| wants_page(&parts.headers))
}

fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

/// Sends a browser without scripts to a page of this site.
pub(crate) fn see_other(path: &str) {
    let path = own_path(path);
    if let (Some(response), Ok(path)) = (
        use_context::<ResponseOptions>(),
        HeaderValue::from_str(&path),
    ) {
        response.insert_header(LOCATION, path);
        response.set_status(http::StatusCode::SEE_OTHER);
    }
}

/// `path` if it is one of this site, else the overview; bytes that no header holds are encoded.
fn own_path(path: &str) -> String {
    let outside = !path.starts_with('/') || path.starts_with("//") || path.contains('\\');
    if outside || path.contains(char::is_control) {
        return "/".to_owned();
    }
    let mut own = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_ascii_graphic() {
            own.push(c);
        } else {
            percent_encode(c.encode_utf8(&mut [0; 4]), &mut own);
        }
    }
    own
}

fn set_status(status: u16) {
    if let (Some(response), Ok(status)) = (
        use_context::<ResponseOptions>(),
        http::StatusCode::from_u16(status),
    ) {
        response.set_status(status);
    }
}

fn put_flash(flash: &Flash) {
    let mut cookie = format!("{FLASH_COOKIE}=");
    percent_encode(&flash_text(flash), &mut cookie);
    cookie.push_str("; Path=/; Max-Age=60; HttpOnly; SameSite=Strict");
    if let (Some(response), Ok(cookie)) = (
        use_context::<ResponseOptions>(),
        HeaderValue::from_str(&cookie),
    ) {
        response.append_header(SET_COOKIE, cookie);
    }
}

/// The flash as JSON that fits a cookie: of a refusal too long for it only the sort is kept.
fn flash_text(flash: &Flash) -> String {
    let text = serde_json::to_string(flash).unwrap_or_default();
    let mut encoded = String::new();
    percent_encode(&text, &mut encoded);
    if encoded.len() <= LONGEST_COOKIE {
        return text;
    }
    let short = RpcError::Transport("the request was refused; its fields say why".to_owned());
    serde_json::to_string(&Flash(Err(short))).unwrap_or_default()
}

/// The job of an id as it stands in a URL; what is no id names no job.
pub(crate) fn job_id(text: &str) -> Answer<JobId> {
    text.parse()
        .map_err(|_| OperatorError::not_found(Thing::Job, text))
}

/// A name as it came in, or the fault of the field it came in.
pub(crate) fn name<T>(field: &str, text: &str) -> Answer<T>
where
    T: std::str::FromStr,
    T::Err: ToString,
{
    text.parse()
        .map_err(|fault: T::Err| Invalid::one(format!("/{field}"), fault.to_string()).into())
}

#[cfg(test)]
mod tests {
    use conveyor_model::name::JobId;

    use super::*;

    #[test]
    fn a_redirect_never_leaves_the_site() {
        for bad in [
            "",
            "jobs",
            "//evil.example",
            "https://evil.example",
            "/\\evil.example",
            "/a\r\nSet-Cookie: x",
        ] {
            assert_eq!(own_path(bad), "/", "{bad:?}");
        }
        assert_eq!(
            own_path("/jobs?queue=a%2Fb&q=д"),
            "/jobs?queue=a%2Fb&q=%D0%B4"
        );
    }

    #[test]
    fn nobody_is_led_to_what_is_gone() {
        let lead = |to| away_from("/jobs/7", to, "/jobs");
        assert_eq!(lead("/jobs/7?edit=1"), "/jobs");
        assert_eq!(lead("/jobs/7"), "/jobs");
        assert_eq!(lead("/jobs/70"), "/jobs/70");
        assert_eq!(lead("/dead"), "/dead");
    }

    #[test]
    fn a_long_refusal_still_fits_a_cookie() {
        let long = Flash(Err(RpcError::Transport("ж".repeat(4000))));
        assert!(flash_text(&long).len() < 200);
        let id = JobId::try_from(7).unwrap();
        let short = Flash(Ok(Outcome::Edited { id }));
        assert_eq!(
            serde_json::from_str::<Flash>(&flash_text(&short)).unwrap(),
            short
        );
    }

    #[test]
    fn what_is_no_id_names_no_job() {
        assert_eq!(job_id("x").unwrap_err().status(), 404);
        assert_eq!(job_id("7").unwrap().get(), 7);
    }
}
