//! Who may pass: the one place that tells open addresses from closed ones.
//!
//! An address that is not named here needs a session, so that nothing is open by oversight. REST takes
//! the token only, which no browser sends by itself; pages and their server functions take a session
//! only, and everything that a session may do by an unsafe method must come from this server's own
//! pages.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use conveyor_model::operator::Actor;

use super::config::TokenHash;
use super::listen::Peer;
use super::login::{self, login_path};
use super::origin::{self, Proof};
use super::problem::{Code, Problem};
use super::{Server, assets};

/// Who acts by the token.
const TOKEN_ACTOR: &str = "api";

/// What an address asks of its visitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Nothing.
    Open,
    /// Nothing yet: the login form.
    Login,
    /// Nothing but to come from a page of this site: a visitor chooses a language too.
    Preferences,
    /// The token.
    Token,
    /// The token or the metrics token, unless it is open.
    Metrics,
    /// The token or a session.
    Stream,
    /// A session; without one 401.
    Call,
    /// A session; without one the login page.
    Page,
}

fn way(method: &Method, path: &str) -> Way {
    match path {
        "/livez" | "/readyz" | "/openapi.json" => Way::Open,
        "/preferences" => Way::Preferences,
        "/login" => Way::Login,
        "/metrics" => Way::Metrics,
        "/api/v1/events" => Way::Stream,
        _ if path.starts_with("/api/") => Way::Token,
        _ if path.starts_with("/problems/") => Way::Open,
        _ if path.starts_with("/rpc/") => Way::Call,
        _ if origin::is_safe(method) && assets::is_asset(path) => Way::Open,
        _ => Way::Page,
    }
}

/// The session a request came in by, where it did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BySession(pub TokenHash);

/// Who acts in this request.
#[derive(Clone, Debug)]
pub(crate) struct By(pub Actor);

impl<S: Sync> FromRequestParts<S> for By {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let actor = parts.extensions.get::<Actor>().cloned();
        Ok(By(actor.unwrap_or_else(|| Actor("nobody".to_owned()))))
    }
}

/// Lets a request pass, or answers why not.
pub(crate) async fn check(
    State(server): State<Server>,
    mut request: Request,
    next: Next,
) -> Response {
    match admit(&server, &mut request).await {
        Ok(None) => next.run(request).await,
        Ok(Some(answer)) => answer,
        Err(problem) => problem.into_response(),
    }
}

async fn admit(server: &Server, request: &mut Request) -> Result<Option<Response>, Problem> {
    let way = way(request.method(), request.uri().path());
    let headers = request.headers();
    match way {
        Way::Open => Ok(None),
        Way::Login => {
            if !origin::is_safe(request.method()) {
                return from_own_page(server, request, Proof::Welcome).map(|()| None);
            }
            let query = request.uri().query().unwrap_or("").to_owned();
            let peer = Peer::of(request.extensions());
            login::by_link(server, &query, peer).await
        }
        Way::Preferences => from_own_page(server, request, Proof::Welcome).map(|()| None),
        Way::Metrics => {
            let open = server.config.metrics_public
                || bearer(headers).is_some_and(|token| {
                    server.config.token.matches(token)
                        || server
                            .config
                            .metrics_token
                            .is_some_and(|own| own.matches(token))
                });
            if open { Ok(None) } else { Err(unauthorized()) }
        }
        Way::Token => by_token(server, request).map(|()| None),
        Way::Stream => {
            if headers.contains_key(header::AUTHORIZATION) {
                return by_token(server, request).map(|()| None);
            }
            from_own_page(server, request, Proof::Welcome)?;
            if by_session(server, request).await? {
                return Ok(None);
            }
            Err(unauthorized())
        }
        Way::Call | Way::Page => {
            if !origin::is_safe(request.method()) {
                // Without a session there is nothing to misuse, and 401 says more than 403.
                let acts = server.session_id(headers).is_some();
                let proof = if acts {
                    Proof::Required
                } else {
                    Proof::Welcome
                };
                from_own_page(server, request, proof)?;
            }
            if by_session(server, request).await? {
                Ok(None)
            } else if way == Way::Call {
                Err(unauthorized())
            } else {
                Ok(Some(to_login(request)))
            }
        }
    }
}

/// Checks the token of a request.
fn by_token(server: &Server, request: &mut Request) -> Result<(), Problem> {
    let right = bearer(request.headers()).is_some_and(|token| server.config.token.matches(token));
    if !right {
        return Err(unauthorized());
    }
    request
        .extensions_mut()
        .insert(Actor(TOKEN_ACTOR.to_owned()));
    Ok(())
}

fn from_own_page(server: &Server, request: &Request, proof: Proof) -> Result<(), Problem> {
    origin::check(request.headers(), server.config.public_url.as_ref(), proof)
}

/// Whether the request comes in a living session, which is then noted.
async fn by_session(server: &Server, request: &mut Request) -> Result<bool, Problem> {
    let Some(session) = server.session(request.headers()).await? else {
        return Ok(false);
    };
    let extensions = request.extensions_mut();
    extensions.insert(BySession(TokenHash::from_bytes(session.id_hash)));
    extensions.insert(Actor(session.actor));
    Ok(true)
}

/// Whether a request has the token; for details that only its holder sees.
pub(crate) fn has_token(server: &Server, headers: &HeaderMap) -> bool {
    bearer(headers).is_some_and(|token| server.config.token.matches(token))
}

/// The token of an `Authorization` header.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// No token or session, or a wrong one.
pub(crate) fn unauthorized() -> Problem {
    let detail = "send the token as Authorization: Bearer <token>";
    Problem::new(Code::Unauthorized, detail)
        .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}

/// The login page, which leads back to where the visitor wanted to go.
fn to_login(request: &Request) -> Response {
    let wanted = request
        .uri()
        .path_and_query()
        .map(PathAndQuery::as_str)
        .filter(|path| origin::is_safe(request.method()) && login::is_own_path(path))
        .unwrap_or("/");
    login::redirect(&login_path(wanted, None), None)
}
