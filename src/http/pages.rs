//! The dashboard's pages.

use axum::Router;

use super::HttpState;

/// The pages and their server functions.
pub fn router(_: &HttpState) -> Router {
    Router::new().fallback(super::no_such_route)
}
