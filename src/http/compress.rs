//! Which answers are compressed on the way: text that is whole, never a live stream.

use axum::http::header;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

/// Text below this many bytes is sent as it is.
const WORTH_IT: u64 = 512;

/// Compresses HTML, JSON, CSS and plain text.
pub(crate) fn layer() -> CompressionLayer<And<SizeAbove, Text>> {
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(WORTH_IT).and(Text))
}

/// Whether an answer is text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text;

impl Predicate for Text {
    fn should_compress<B: axum::body::HttpBody>(&self, response: &axum::http::Response<B>) -> bool {
        let kind = response
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .and_then(|kind| kind.split(';').next())
            .unwrap_or("");
        matches!(
            kind.trim(),
            "text/html"
                | "text/css"
                | "text/plain"
                | "application/json"
                | "application/problem+json"
        )
    }
}
