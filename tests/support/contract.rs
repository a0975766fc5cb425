//! Every error that a test meets is one that the OpenAPI document promises for its operation.

use std::sync::LazyLock;

use axum::http::{HeaderMap, Method, header};
use serde_json::Value;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(&conveyor::http::openapi()).expect("the document is JSON")
});

/// Fails when the document does not name this error under this status. What is no error, and what no
/// operation has answered, is left alone.
pub(crate) fn check(method: &Method, path: &str, headers: &HeaderMap, text: &str) {
    let kind = headers.get(header::CONTENT_TYPE);
    if kind.is_none_or(|kind| kind != "application/problem+json") {
        return;
    }
    let problem: Value = serde_json::from_str(text).expect("a problem is JSON");
    let paths = DOCUMENT["paths"].as_object().expect("paths");
    let Some((address, item)) = paths.iter().find(|(address, _)| names(address, path)) else {
        return;
    };
    let operation = &item[method.as_str().to_lowercase()];
    if operation.is_null() {
        return;
    }
    let (status, code) = (
        problem["status"].to_string(),
        problem["code"].as_str().unwrap(),
    );
    let told = operation["responses"][&status]["description"].as_str();
    assert!(
        told.is_some_and(|told| told.contains(&format!("`{code}`"))),
        "{method} {address} answers {status} {code}, which is not documented: {told:?}"
    );
}

/// Whether an address of the document stands for a path.
fn names(address: &str, path: &str) -> bool {
    let (mut asked, mut parts) = (path.split('/'), address.split('/'));
    loop {
        match (parts.next(), asked.next()) {
            (None, None) => return true,
            (Some(part), Some(is)) if part == is || part.starts_with('{') => {}
            _ => return false,
        }
    }
}
