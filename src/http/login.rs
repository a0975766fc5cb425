//! The way in for people: the token or a one-time code becomes a session.
//!
//! `POST /login` takes the form of the login page; `GET /login?code=…` is the link that a start on a
//! terminal prints. Both end in a redirect, so that reloading sends nothing twice, and a wrong try goes
//! back to the login page with `?refused=wrong` or `busy`.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use conveyor_model::filter::percent_encode;
use tokio::time::Instant;

use super::config::TokenHash;
use super::listen::Peer;
use super::problem::Problem;
use super::request::{Params, read_text};
use super::{Server, answer};

/// How long a one-time code is good for.
const CODE_LIFE: Duration = Duration::from_mins(15);
/// The longest form that is read.
const MAX_FORM: usize = 8 * 1024;

/// Codes that were handed out and not used.
#[derive(Debug, Default)]
pub struct Codes(Mutex<Vec<(TokenHash, Instant)>>);

impl Codes {
    /// Makes a code that opens one session within the next quarter of an hour.
    pub fn issue(&self) -> String {
        let code = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 24]>());
        let entry = (TokenHash::of(&code), Instant::now() + CODE_LIFE);
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(entry);
        code
    }

    /// Uses a code up; false when it is not known, used or too old.
    fn redeem(&self, code: &str) -> bool {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        codes.retain(|(_, until)| *until > now);
        let place = codes.iter().position(|(hash, _)| hash.matches(code));
        place.map(|place| codes.swap_remove(place)).is_some()
    }
}

/// What a visitor shows to be let in.
enum Proof {
    Token(String),
    Code(String),
}

/// `POST /login`.
pub(crate) async fn submit(
    State(server): State<Server>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let peer = Peer::of(&parts.extensions);
    let mut form = Params::parse(&read_text(body, &parts.headers, MAX_FORM).await?);
    let return_to = form.text("return_to");
    let proof = match (form.text("code"), form.text("token")) {
        (Some(code), _) => Proof::Code(code),
        (None, token) => Proof::Token(token.unwrap_or_default()),
    };
    enter(&server, peer, &proof, return_to.as_deref()).await
}

/// `GET /login?code=…`; none when the link holds no code, and the login page answers.
pub(crate) async fn by_link(
    server: &Server,
    query: &str,
    peer: Option<IpAddr>,
) -> Result<Option<Response>, Problem> {
    let mut params = Params::parse(query);
    let Some(code) = params.text("code") else {
        return Ok(None);
    };
    let return_to = params.text("return_to");
    enter(server, peer, &Proof::Code(code), return_to.as_deref())
        .await
        .map(Some)
}

/// `POST /logout`.
pub(crate) async fn leave(
    State(server): State<Server>,
    request: Request,
) -> Result<Response, Problem> {
    let gone = server.end_session(request.headers()).await?;
    Ok(redirect("/login", Some(gone)))
}

async fn enter(
    server: &Server,
    peer: Option<IpAddr>,
    proof: &Proof,
    return_to: Option<&str>,
) -> Result<Response, Problem> {
    let return_to = return_to.filter(|path| is_own_path(path)).unwrap_or("/");
    let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let now = Instant::now();
    if server.throttle.wait(peer, now).is_some() {
        return Ok(back(return_to, "busy"));
    }
    let right = match proof {
        Proof::Token(token) => server.config.token.matches(token.trim()),
        Proof::Code(code) => server.config.codes.redeem(code),
    };
    if !right {
        server.throttle.wrong(peer, now);
        tracing::warn!(%peer, "a login was refused");
        return Ok(back(return_to, "wrong"));
    }
    server.throttle.right(peer);
    let cookie = server.begin_session().await?;
    Ok(redirect(return_to, Some(cookie)))
}

/// Back to the login page with the reason.
fn back(return_to: &str, refused: &str) -> Response {
    redirect(&login_path(return_to, Some(refused)), None)
}

/// The login page, which leads on to `return_to`.
pub(crate) fn login_path(return_to: &str, refused: Option<&str>) -> String {
    let mut path = "/login".to_owned();
    let mut mark = '?';
    if let Some(refused) = refused {
        path.push_str("?refused=");
        path.push_str(refused);
        mark = '&';
    }
    if return_to != "/" {
        path.push(mark);
        path.push_str("return_to=");
        percent_encode(return_to, &mut path);
    }
    path
}

/// A redirect (303) with a cookie.
pub(crate) fn redirect(to: &str, cookie: Option<HeaderValue>) -> Response {
    let response = StatusCode::SEE_OTHER.into_response();
    let mut response = answer::with_header(response, header::LOCATION, to);
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Whether a text is a path on this server: what a browser could take for another host, or a header
/// for its end, is not.
pub(crate) fn is_own_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && path.len() <= 2048
        && !path.contains('\\')
        && path.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_opens_one_door_once() {
        let codes = Codes::default();
        let (first, second) = (codes.issue(), codes.issue());
        assert!(!codes.redeem("") && !codes.redeem("guess"));
        assert!(codes.redeem(&first) && !codes.redeem(&first));
        assert!(codes.redeem(&second));
    }

    #[tokio::test(start_paused = true)]
    async fn a_code_is_good_for_a_short_time() {
        let codes = Codes::default();
        let code = codes.issue();
        tokio::time::advance(CODE_LIFE).await;
        assert!(!codes.redeem(&code));
    }

    #[test]
    fn only_a_path_of_this_server_is_returned_to() {
        for good in ["/", "/jobs?state=dead&q=a%20b", "/jobs/1#log"] {
            assert!(is_own_path(good), "{good}");
        }
        for bad in [
            "",
            "jobs",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a\r\nb",
            "/a b",
            "/é",
        ] {
            assert!(!is_own_path(bad), "{bad}");
        }
        assert_eq!(
            login_path("/jobs?a=b", Some("wrong")),
            "/login?refused=wrong&return_to=%2Fjobs%3Fa%3Db"
        );
        assert_eq!(login_path("/", None), "/login");
    }
}
