//! The errors every operation may answer, said once.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{Content, Ref, RefOr, Response, ResponseBuilder};

use super::problem_json;

/// Adds the errors to an operation's answers.
pub(crate) struct Problems;

impl IntoResponses for Problems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let problem = |text: &str| {
            let schema = Ref::from_schema_name("Problem");
            let content = Content::new(Some(RefOr::<utoipa::openapi::Schema>::Ref(schema)));
            let response = ResponseBuilder::new()
                .description(text)
                .content(problem_json(), content)
                .build();
            RefOr::T(response)
        };
        BTreeMap::from([
            ("401".to_owned(), problem("The token is missing or wrong.")),
            (
                "4XX".to_owned(),
                problem("The request cannot be done; `code` says why."),
            ),
            (
                "5XX".to_owned(),
                problem("The server cannot do it now; `code` says why."),
            ),
        ])
    }
}
