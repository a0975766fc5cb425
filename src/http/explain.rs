//! `/problems/{code}`: what an error means, for people who follow its `type`.

use axum::response::{IntoResponse, Response};

use super::problem::{Code, Problem};
use super::request::Name;

/// The meaning of a code as plain text.
pub(crate) async fn problem(name: Name) -> Result<Response, Problem> {
    let mut codes = Code::ALL.into_iter();
    let code = codes.find(|code| code.as_str() == name.as_str());
    let code = code.ok_or_else(no_such_route)?;
    let status = code.status().as_u16();
    let text = format!(
        "{status} {} — {}\n\n{}\n",
        code.as_str(),
        code.title(),
        code.meaning()
    );
    Ok(text.into_response())
}

/// An address where nothing is served.
pub(crate) fn no_such_route() -> Problem {
    Problem::new(
        Code::NoSuchRoute,
        "nothing is served here; /openapi.json names every address",
    )
}
