//! The form behind the switches of the frame.

use std::str::FromStr;

use axum::Form;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use conveyor_app::context::{Theme, Zone};
use conveyor_app::paths;
use conveyor_model::lang::Lang;

use super::cookies;

/// Keeps what was chosen and leads back. A value that does not exist changes nothing.
pub(super) async fn change(Form(fields): Form<Vec<(String, String)>>) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    let mut back = paths::OVERVIEW;
    for (name, value) in &fields {
        let exists = match name.as_str() {
            "return_to" => {
                back = paths::own(value);
                false
            }
            "lang" => Lang::from_str(value).is_ok(),
            "theme" => Theme::from_str(value).is_ok(),
            "zone" => Zone::from_str(value).is_ok(),
            _ => false,
        };
        if exists && let Some(cookie) = cookies::keep(name, value) {
            headers.append(header::SET_COOKIE, cookie);
        }
    }
    let back = HeaderValue::from_str(back);
    headers.insert(
        header::LOCATION,
        back.unwrap_or(HeaderValue::from_static(paths::OVERVIEW)),
    );
    response
}
