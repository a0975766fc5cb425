//! The dashboard's files: style, scripts, icons. A release has them inside; a debug build reads them
//! when they are asked for.
//!
//! Names do not change with content, so a browser has to ask each time; the `ETag` makes the answer to
//! that short. Files compressed beforehand lie beside the plain ones as `.br` and `.gz`. The
//! WebAssembly of a release is there in these forms only: whoever takes neither gets it unpacked.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Read as _;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::{explain, origin};

#[derive(RustEmbed)]
#[folder = "$DASHBOARD_SITE"]
struct Site;

/// Whether a path names a file of the dashboard, or could only name one.
pub(crate) fn is_asset(path: &str) -> bool {
    path.starts_with("/pkg/") || find(path).is_some()
}

/// Answers requests for files; everything else goes on.
pub(crate) async fn serve(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if !origin::is_safe(request.method()) {
        return next.run(request).await;
    }
    let asked = find(path).and_then(|name| {
        let (encoding, form) = choose(name, request.headers())?;
        Some(answer(
            name,
            encoding,
            form,
            request.method(),
            request.headers(),
        ))
    });
    match asked {
        Some(response) => response,
        None if path.starts_with("/pkg/") => explain::no_such_route().into_response(),
        None => next.run(request).await,
    }
}

/// A file as it is sent.
struct Form {
    data: Cow<'static, [u8]>,
    /// Names the content; each encoding of a file has its own.
    tag: String,
}

/// The name of the file at a path, if there is one.
fn find(path: &str) -> Option<&str> {
    let name = path.strip_prefix('/')?;
    let plain = |part: &str| !part.is_empty() && !part.starts_with('.');
    if content_type(name).is_none() || !name.split('/').all(plain) {
        return None;
    }
    let is_there = |name: &str| Site::get(name).is_some();
    (is_there(name) || is_there(&format!("{name}.gz"))).then_some(name)
}

/// The bytes that a browser loads of the dashboard's style and scripts, compressed by brotli, by the
/// name of each file; none in a build without them.
pub(crate) fn brotli_sizes() -> Vec<(String, usize)> {
    let wanted = |name: &str| {
        [".css", ".js", ".wasm"]
            .iter()
            .any(|ending| name.ends_with(ending))
    };
    Site::iter()
        .filter_map(|file| {
            let name = file.strip_suffix(".br").filter(|name| wanted(name))?;
            Some((name.to_owned(), Site::get(&file)?.data.len()))
        })
        .collect()
}

/// The type of a file by its ending; files of other endings are not served.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "js" => "text/javascript; charset=utf-8",
        "jpg" | "jpeg" => "image/jpeg",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        _ => return None,
    })
}

/// The smallest form of a file that the client takes, and its encoding.
fn choose(name: &str, headers: &HeaderMap) -> Option<(Option<&'static str>, Form)> {
    let packed = [("br", ".br"), ("gzip", ".gz")]
        .into_iter()
        .filter(|(encoding, _)| accepts(headers, encoding))
        .find_map(|(encoding, ending)| Some((encoding, Site::get(&format!("{name}{ending}"))?)));
    if let Some((encoding, file)) = packed {
        return Some((Some(encoding), form(file)));
    }
    let plain = Site::get(name).map(form);
    Some((None, plain.or_else(|| unpacked(name))?))
}

fn form(file: EmbeddedFile) -> Form {
    Form {
        tag: format!("\"{}\"", digest(&file)),
        data: file.data,
    }
}

/// The plain form of a file that is only there compressed.
fn unpacked(name: &str) -> Option<Form> {
    let file = Site::get(&format!("{name}.gz"))?;
    let mut plain = Vec::new();
    GzDecoder::new(&*file.data).read_to_end(&mut plain).ok()?;
    Some(Form {
        tag: format!("\"{}-plain\"", digest(&file)),
        data: plain.into(),
    })
}

fn answer(
    name: &str,
    encoding: Option<&'static str>,
    form: Form,
    method: &Method,
    headers: &HeaderMap,
) -> Response {
    let Form { data, tag } = form;
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|known| {
            known
                .split(',')
                .any(|known| known.trim().trim_start_matches("W/") == tag)
        });
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let length = data.len();
        let body = if *method == Method::HEAD {
            Body::empty()
        } else {
            // Borrowed from the binary in a release: nothing is copied then.
            match data {
                Cow::Borrowed(data) => Body::from(Bytes::from_static(data)),
                Cow::Owned(data) => Body::from(data),
            }
        };
        let mut response = Response::new(body);
        let out = response.headers_mut();
        out.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        if let Some(kind) = content_type(name) {
            out.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        }
        if let Some(encoding) = encoding {
            out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    };
    let out = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        out.insert(header::ETAG, tag);
    }
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    out.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    response
}

fn digest(file: &EmbeddedFile) -> String {
    let mut digest = String::new();
    for byte in &file.metadata.sha256_hash()[..16] {
        // Writing to a String does not fail.
        let _ = write!(digest, "{byte:02x}");
    }
    digest
}

/// Whether `Accept-Encoding` names the encoding and does not refuse it.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("")
        .split(',')
        .map(|part| part.split_once(';').unwrap_or((part, "")))
        .any(|(name, weight)| {
            name.trim().eq_ignore_ascii_case(encoding)
                && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_inside_the_folder_are_looked_up() {
        for path in [
            "/",
            "/../Cargo.toml",
            "/pkg/../../x.css",
            "//etc/a.txt",
            "/.env.txt",
            "/x",
            "/a.rs",
            "/pkg/a.css.br",
        ] {
            assert!(find(path).is_none(), "{path}");
        }
    }

    #[test]
    fn an_encoding_can_be_refused() {
        let headers = |value| {
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))])
        };
        assert!(accepts(&headers("gzip, deflate, br"), "br"));
        assert!(accepts(&headers("br;q=0.5"), "br"));
        assert!(!accepts(&headers("gzip, br;q=0"), "br"));
        assert!(!accepts(&headers("brotli"), "br"));
        assert!(!accepts(&HeaderMap::new(), "br"));
    }
}
