//! The headers of Standard Webhooks, by which a receiver knows who called and tells repeats apart.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use conveyor_model::time::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use sha2::Sha256;

/// The secrets that sign webhooks: the current one, and while it is changed also the one before.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Vec<Vec<u8>>);

/// Why a text is no secret; never shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a webhook secret is whsec_ followed by base64 of 24 to 64 bytes, such as whsec_ and the output \
     of `openssl rand -base64 32`; several are separated by blanks"
)]
pub struct SecretError;

impl FromStr for WebhookSecret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let secrets = text
            .split_whitespace()
            .map(|secret| {
                let bytes = STANDARD.decode(secret.strip_prefix("whsec_")?).ok()?;
                (24..=64).contains(&bytes.len()).then_some(bytes)
            })
            .collect::<Option<Vec<_>>>()
            .filter(|secrets| !secrets.is_empty());
        secrets.map(WebhookSecret).ok_or(SecretError)
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(hidden)")
    }
}

/// `webhook-id`, `webhook-timestamp` and, with a secret, `webhook-signature` for a message. The id is
/// the same at each attempt, the time is not.
pub(super) fn headers(
    id: &str,
    now: Timestamp,
    body: &[u8],
    secret: Option<&WebhookSecret>,
) -> HeaderMap {
    let time = now.secs().to_string();
    let mut named = vec![
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", time.clone()),
    ];
    if let Some(WebhookSecret(keys)) = secret {
        let signatures: Vec<String> = keys
            .iter()
            .filter_map(|key| signature(key, id, &time, body))
            .collect();
        named.push(("webhook-signature", signatures.join(" ")));
    }
    named
        .into_iter()
        .filter_map(|(name, value)| {
            let value = HeaderValue::try_from(value).ok()?;
            Some((HeaderName::from_static(name), value))
        })
        .collect()
}

/// HMAC takes a key of any length, so there always is a signature.
fn signature(key: &[u8], id: &str, time: &str, body: &[u8]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for part in [id.as_bytes(), b".", time.as_bytes(), b".", body] {
        mac.update(part);
    }
    Some(format!(
        "v1,{}",
        STANDARD.encode(mac.finalize().into_bytes())
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the Standard Webhooks specification.
    #[test]
    fn the_published_example_is_signed_alike() {
        let secret: WebhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        let headers = headers(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Timestamp::from_secs(1_614_265_330),
            br#"{"test": 2432232314}"#,
            Some(&secret),
        );
        assert_eq!(
            headers["webhook-signature"],
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
        assert_eq!(headers["webhook-timestamp"], "1614265330");
    }

    #[test]
    fn two_secrets_make_two_signatures() {
        let one = format!("whsec_{}", STANDARD.encode([1; 24]));
        let two = format!("whsec_{}", STANDARD.encode([2; 64]));
        let both: WebhookSecret = format!("{one} {two}").parse().unwrap();
        let headers = headers("a", Timestamp::MIN, b"", Some(&both));
        let value = headers["webhook-signature"].to_str().unwrap();
        assert_eq!(value.split(' ').count(), 2);
        assert!(value.split(' ').all(|part| part.starts_with("v1,")));
    }

    #[test]
    fn a_bad_secret_is_refused_and_none_is_shown() {
        let short = format!("whsec_{}", STANDARD.encode([1; 23]));
        for text in ["", "abc", "whsec_", "whsec_%%%", &short] {
            assert_eq!(text.parse::<WebhookSecret>(), Err(SecretError), "{text}");
        }
        let secret: WebhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        assert!(!format!("{secret:?}").contains("Mf"));
    }
}
