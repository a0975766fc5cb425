//! Sessions of logged-in browsers: a random id in a cookie, its hash and its times in the database.
//! The hash is taken with that of the token, so that a new token ends every session of the old one.

use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use conveyor_model::time::Span;

use super::Server;
use super::config::TokenHash;
use super::problem::Problem;
use crate::store::{Session, StoreError};

/// How long a session lasts, used or not.
const LIFE: Span = Span::from_secs(12 * 3600);
/// How long it lasts without being used.
const IDLE: Span = Span::from_secs(3600);
/// How exactly its last use is kept.
const TOUCH: Span = Span::from_secs(60);

/// Who a session acts as.
pub(crate) const ACTOR: &str = "admin";

impl Server {
    /// The name of the cookie. The prefix makes browsers insist on TLS and on no other host.
    fn cookie_name(&self) -> &'static str {
        if self.config.is_https() {
            "__Host-conveyor"
        } else {
            "conveyor"
        }
    }

    /// The hash of the session id that a request carries. Of two cookies of the name neither is taken.
    pub(crate) fn session_id(&self, headers: &HeaderMap) -> Option<TokenHash> {
        let mut ids = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(|(name, _)| *name == self.cookie_name())
            .map(|(_, id)| self.config.token.with(id));
        let id = ids.next()?;
        ids.next().is_none().then_some(id)
    }

    /// The living session of a request, its use noted.
    pub(crate) async fn session(&self, headers: &HeaderMap) -> Result<Option<Session>, Problem> {
        let Some(id) = self.session_id(headers) else {
            return Ok(None);
        };
        let Some(session) = self.living_session(id).await? else {
            return Ok(None);
        };
        let now = self.clock.now();
        if now.since(session.seen_at) >= TOUCH {
            let used = Session {
                seen_at: now,
                ..session.clone()
            };
            // A full disk must not lock people out of reading.
            if let Err(error) = self.store.put_session(used).await {
                tracing::warn!(%error, "the use of a session is not noted");
            }
        }
        Ok(Some(session))
    }

    /// The session with that hash, unless it has ended.
    pub(crate) async fn living_session(&self, id: TokenHash) -> Result<Option<Session>, Problem> {
        let found = self.store.session(id.bytes()).await.map_err(as_problem)?;
        let now = self.clock.now();
        Ok(found.filter(|session| now < session.expires_at && now.since(session.seen_at) < IDLE))
    }

    /// Makes a session and answers the `Set-Cookie` that gives it to the browser.
    pub(crate) async fn begin_session(&self) -> Result<HeaderValue, Problem> {
        let id = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        let now = self.clock.now();
        let session = Session {
            id_hash: self.config.token.with(&id).bytes(),
            actor: ACTOR.to_owned(),
            created_at: now,
            seen_at: now,
            expires_at: now.plus(LIFE),
        };
        self.store.put_session(session).await.map_err(as_problem)?;
        Ok(self.cookie(&id, LIFE))
    }

    /// Ends the session of a request and answers the `Set-Cookie` that takes it away.
    pub(crate) async fn end_session(&self, headers: &HeaderMap) -> Result<HeaderValue, Problem> {
        if let Some(id) = self.session_id(headers) {
            self.store
                .end_session(id.bytes())
                .await
                .map_err(as_problem)?;
        }
        Ok(self.cookie("", Span::ZERO))
    }

    fn cookie(&self, id: &str, life: Span) -> HeaderValue {
        let secure = if self.config.is_https() {
            "; Secure"
        } else {
            ""
        };
        let text = format!(
            "{}={id}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{secure}",
            self.cookie_name(),
            life.millis() / 1000
        );
        // Nothing but base64 and ASCII words is in it.
        HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
    }
}

fn as_problem(error: StoreError) -> Problem {
    conveyor_model::error::OperatorError::from(error).into()
}
