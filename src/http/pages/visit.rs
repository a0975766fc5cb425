//! What a request says of its reader: choices, languages, and what the last action left behind.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use conveyor_app::context::{Prefs, Visit};
use conveyor_app::rpc::{FLASH_COOKIE, Flash};
use conveyor_model::lang::Lang;
use conveyor_model::operator::Actor;

use super::{Pages, cookies};

/// How often a page may ask to be loaded again, in seconds.
const REFRESH: std::ops::RangeInclusive<u32> = 5..=3600;

/// What a page needs to know of the request for it.
pub(super) struct Asked {
    /// The reader's choices.
    pub(super) prefs: Prefs,
    /// The language named in the address, which is kept.
    new_lang: Option<Lang>,
    /// What the last action did.
    flash: Option<Flash>,
    has_flash_cookie: bool,
    refresh: Option<u32>,
    signed_in: bool,
    /// The name and port the reader used.
    host: String,
}

impl Asked {
    /// Reads the request. A language in the address goes before the cookie, the cookie before what
    /// the browser asks for; what cannot be read counts as not said.
    pub(super) fn of(request: &Request) -> Self {
        let headers = request.headers();
        let query = request.uri().query().unwrap_or_default();
        let new_lang = value_in(query, "lang");
        let flash_text = cookies::find(headers, FLASH_COOKIE);
        let prefs = Prefs {
            lang: new_lang
                .or_else(|| chosen(headers, "lang"))
                .unwrap_or_else(|| accepted(headers)),
            theme: chosen(headers, "theme").unwrap_or_default(),
            zone: chosen(headers, "zone").unwrap_or_default(),
        };
        Asked {
            prefs,
            new_lang,
            has_flash_cookie: flash_text.is_some(),
            flash: flash_text.and_then(|text| serde_json::from_str(&text).ok()),
            refresh: value_in(query, "refresh").filter(|seconds| REFRESH.contains(seconds)),
            signed_in: request.extensions().get::<Actor>().is_some(),
            host: headers
                .get(header::HOST)
                .and_then(|value| value.to_str().ok())
                .unwrap_or("localhost")
                .to_owned(),
        }
    }

    /// Keeps the language, and forgets what the page has told.
    pub(super) fn cookies(&self) -> Vec<HeaderValue> {
        let lang = self
            .new_lang
            .and_then(|lang| cookies::keep("lang", lang.tag()));
        let flash = self
            .has_flash_cookie
            .then(|| cookies::forget(FLASH_COOKIE))
            .flatten();
        lang.into_iter().chain(flash).collect()
    }
}

impl Pages {
    /// What the frame shows. Without a database it shows no counts; the page itself says why.
    pub(super) async fn visit(&self, asked: &Asked) -> Visit {
        let counts = if asked.signed_in {
            self.operator.counts().await.ok()
        } else {
            None
        };
        Visit {
            prefs: asked.prefs,
            about: self.about.clone(),
            signed_in: asked.signed_in,
            counts,
            now: self.clock.now(),
            origin: self
                .public_url
                .clone()
                .unwrap_or_else(|| format!("http://{}", asked.host)),
            refresh: asked.refresh,
            flash: asked.flash.clone(),
        }
    }
}

fn chosen<T: std::str::FromStr>(headers: &HeaderMap, name: &str) -> Option<T> {
    cookies::find(headers, name)?.parse().ok()
}

fn accepted(headers: &HeaderMap) -> Lang {
    let accept = headers.get(header::ACCEPT_LANGUAGE);
    Lang::negotiate(accept.and_then(|value| value.to_str().ok()).unwrap_or(""))
}

/// The first value of a parameter that can be read.
fn value_in<T: std::str::FromStr>(query: &str, name: &str) -> Option<T> {
    query.split('&').find_map(|pair| {
        let value = pair.strip_prefix(name)?.strip_prefix('=')?;
        value.parse().ok()
    })
}
