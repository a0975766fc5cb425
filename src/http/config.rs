//! What the HTTP side is told at the start: tokens, names it answers to, limits.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::Url;

use super::host::Hosts;
use super::login::Codes;

/// Settings of the HTTP side.
#[derive(Debug)]
pub struct HttpConfig {
    /// Opens everything.
    pub token: TokenHash,
    /// Opens `/metrics` only.
    pub metrics_token: Option<TokenHash>,
    /// Whether `/metrics` is open to everybody.
    pub metrics_public: bool,
    /// Host names the server answers to.
    pub hosts: Hosts,
    /// The address people use, where a proxy stands between; decides `Secure` cookies and HSTS.
    pub public_url: Option<Url>,
    /// A name that tells this server from others, shown on the page.
    pub instance: String,
    /// The longest payload and result, in bytes.
    pub max_payload: usize,
    /// How many live streams may be open at once.
    pub max_streams: usize,
    /// One-time login codes.
    pub codes: Codes,
}

impl HttpConfig {
    /// Settings for `token` with everything else at its default, on loopback names only.
    pub fn new(token: &str) -> Self {
        HttpConfig {
            token: TokenHash::of(token),
            metrics_token: None,
            metrics_public: false,
            hosts: Hosts::local(),
            public_url: None,
            instance: "conveyor".to_owned(),
            max_payload: conveyor_model::json::MAX_BYTES,
            max_streams: 1000,
            codes: Codes::default(),
        }
    }

    /// Whether browsers reach the server over TLS.
    pub fn is_https(&self) -> bool {
        self.public_url
            .as_ref()
            .is_some_and(|url| url.scheme() == "https")
    }
}

/// The SHA-256 of a secret; the secret itself is not kept. Compared in constant time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of a secret.
    pub fn of(secret: &str) -> Self {
        TokenHash(Sha256::digest(secret.as_bytes()).into())
    }

    /// The hash of a secret that means something only together with this one.
    #[must_use]
    pub fn with(self, secret: &str) -> Self {
        let both = Sha256::new().chain_update(self.0).chain_update(secret);
        TokenHash(both.finalize().into())
    }

    /// Whether `secret` is the one this is the hash of.
    pub fn matches(&self, secret: &str) -> bool {
        self.0.ct_eq(&TokenHash::of(secret).0).into()
    }

    /// A hash that was kept.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        TokenHash(bytes)
    }

    /// The 32 bytes.
    pub const fn bytes(self) -> [u8; 32] {
        self.0
    }
}

impl std::fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenHash(…)")
    }
}
