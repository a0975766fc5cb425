//! The OpenAPI 3.1 document, made from the handlers themselves. [`schema`] describes the bodies whose
//! types read and write themselves by hand.

use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::problem::{Code, PROBLEM_JSON};

pub(crate) use problems::{
    CrossSite, KeyReused, NoSuchJob, NotInState, StaleLease, TooManyStreams,
};
pub(crate) use schema::*;

mod problems;
mod schema;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Conveyor",
        description = "A background job queue. Times are RFC 3339 in UTC with as many decimals as they need (none, three or six), durations are numbers of seconds with the suffix `_s`. \
            A field or query parameter that is not known is refused by its name (422). An `ETag` is `\"<version>-<hash>\"`: \
            `If-None-Match` compares all of it, `If-Match` the version only, and takes one tag. \
            Send the token as `Authorization: Bearer <token>`. Every error is `application/problem+json` with a stable `code`."
    ),
    components(schemas(Problem, conveyor_model::error::FieldError)),
    modifiers(&Extras),
    security(("token" = [])),
)]
struct Document;

/// What the macro cannot say.
struct Extras;

impl Modify for Extras {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        components.add_security_scheme(
            "token",
            SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
        );
        components.add_security_scheme(
            "session",
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("conveyor"))),
        );
        let codes = Code::ALL.map(|code| {
            let (status, word) = (code.status().as_u16(), code.as_str());
            format!("- `{word}` ({status}): {}", code.meaning())
        });
        let description = document.info.description.get_or_insert_default();
        description.push_str("\n\nThe codes:\n\n");
        description.push_str(&codes.join("\n"));
    }
}

/// The document before any route is in it.
pub(crate) fn document() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// The document of all routes, with the errors that each may answer.
pub(crate) fn complete(mut document: utoipa::openapi::OpenApi) -> utoipa::openapi::OpenApi {
    let addresses = document.paths.paths.iter_mut();
    for (_, item) in addresses.filter(|(address, _)| *address != "/livez") {
        problems::complete(item);
    }
    document
}

/// The document as JSON, with every route.
pub(crate) fn json() -> String {
    let (_, document) = super::routes().split_for_parts();
    complete(document).to_pretty_json().unwrap_or_default()
}

/// The name of the media type of errors, for the document.
const fn problem_json() -> &'static str {
    PROBLEM_JSON
}
