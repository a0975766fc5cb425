//! The dashboard's pages and server functions: what they are told of the request, and how their
//! answers leave.
//!
//! A page is drawn whole before the first byte is sent, so that its status is right and a reader
//! without scripts misses nothing. The gate in front has decided who may come this far: it puts the
//! [`Actor`] into the request's extensions, and without one a page gets no [`Operator`].

mod cookies;
mod preferences;
mod visit;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use conveyor_app::context::{About, Visit};
use conveyor_app::{App, shell};
use conveyor_model::operator::{Actor, Operator};
use leptos::nonce::Nonce;
use leptos::prelude::provide_context;

use crate::clock::Clock;

/// The addresses of the pages. The app is drawn once to learn them, however many servers a process runs.
static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
    leptos_axum::generate_route_list(App)
        .iter()
        .map(|route| route.path().to_owned())
        .filter(|path| !path.contains('*'))
        .collect()
});

/// What pages are drawn from.
#[derive(Clone)]
pub(super) struct Pages {
    /// The queue.
    pub operator: Arc<dyn Operator>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// What the frame says of the server.
    pub about: About,
    /// The address people use, where it is not the one they ask for; without a slash at the end.
    pub public_url: Option<String>,
}

/// The addresses of the pages, their server functions and the form of the reader's choices. What
/// none of them answers is for [`page`], which draws the page that says so.
pub(super) fn router(pages: Pages) -> Router {
    let mut router = Router::new()
        .route("/rpc/{*function}", post(call))
        .route("/preferences", post(preferences::change));
    for path in PATHS.iter() {
        router = router.route(path, get(page));
    }
    router.fallback(page).with_state(pages)
}

/// Draws the page of an address.
pub(super) async fn page(State(pages): State<Pages>, request: Request) -> Response {
    let asked = visit::Asked::of(&request);
    let visit = pages.visit(&asked).await;
    let told = pages.told(&request, visit);
    let draw = leptos_axum::render_app_async_with_context(told, shell);
    let mut response = draw(request).await;
    for cookie in asked.cookies() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Runs a server function.
async fn call(State(pages): State<Pages>, request: Request) -> Response {
    let asked = visit::Asked::of(&request);
    let visit = Visit {
        prefs: asked.prefs,
        now: pages.clock.now(),
        ..Visit::default()
    };
    let told = pages.told(&request, visit);
    leptos_axum::handle_server_fns_with_context(told, request)
        .await
        .into_response()
}

impl Pages {
    /// What the app finds in its context.
    fn told(&self, request: &Request, visit: Visit) -> impl Fn() + Clone + Send + Sync + 'static {
        let extensions = request.extensions();
        let actor = extensions.get::<Actor>().cloned();
        let nonce = extensions.get::<Nonce>().cloned();
        let operator = actor.is_some().then(|| Arc::clone(&self.operator));
        move || {
            provide_context(visit.clone());
            if let (Some(actor), Some(operator)) = (&actor, &operator) {
                provide_context(actor.clone());
                provide_context(Arc::clone(operator));
            }
            // The same one that stands in the security policy of the answer.
            if let Some(nonce) = &nonce {
                provide_context(nonce.clone());
            }
        }
    }
}
