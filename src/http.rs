//! The server's face: REST, workers in any language, the live stream, probes, metrics and the
//! dashboard, as one [`router`].
//!
//! A request passes, from the outside in: `trace` (its id, its log line, its metrics, the body of an
//! error), `headers` (what every answer carries), `host` (is it for us?), `gate` (who is it?),
//! `deadline` (is its body in time?), and then its handler. The gate knows which addresses are open;
//! every other one is closed, so that a new route is closed unless it is opened on purpose.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, Method, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use conveyor_app::context::About;
use conveyor_model::operator::{Operator, WorkerProtocol};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::clock::Clock;
use crate::events::Events;
use crate::metrics::Metrics;
use crate::store::Store;
use crate::upkeep::Readiness;
use problem::{Code, Problem};

pub(crate) use assets::brotli_sizes;
pub use config::{HttpConfig, TokenHash};
pub use host::Hosts;
pub use listen::serve;

mod answer;
mod assets;
mod compress;
mod config;
mod cron;
mod deadline;
mod events;
mod explain;
mod gate;
mod headers;
mod health;
mod host;
mod jobs;
mod kinds;
mod listen;
mod login;
mod metrics;
mod openapi;
mod origin;
mod pages;
mod problem;
mod queues;
mod request;
mod schedules;
mod session;
mod stats;
mod throttle;
mod trace;
mod workers;

/// What the handlers share. Cheap to clone.
#[derive(Clone)]
pub struct HttpState {
    /// What people and programs may ask of the queue.
    pub operator: Arc<dyn Operator>,
    /// What workers may ask of it.
    pub workers: Arc<dyn WorkerProtocol>,
    /// The database: sessions, totals, health.
    pub store: Arc<dyn Store>,
    /// Where changes are heard of.
    pub events: Events,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Whether the server is ready for traffic.
    pub readiness: Arc<Readiness>,
    /// Ends streams and long polls when the server stops.
    pub shutdown: CancellationToken,
    /// Limits, names and tokens.
    pub config: Arc<HttpConfig>,
    /// What this process counts.
    pub metrics: Arc<Metrics>,
}

/// The state with what only this module needs.
#[derive(Clone)]
struct Server(Arc<Inner>);

struct Inner {
    state: HttpState,
    feed: Arc<events::Feed>,
    streams: Arc<Semaphore>,
    throttle: throttle::Throttle,
}

impl std::ops::Deref for Server {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl std::ops::Deref for Inner {
    type Target = HttpState;

    fn deref(&self) -> &HttpState {
        &self.state
    }
}

/// Everything that is served.
pub fn router(state: HttpState) -> Router {
    assemble(state, routes())
}

/// The same with a route that shows what a request costs without the queue: for the benchmark.
pub(crate) fn router_with_null(state: HttpState) -> Router {
    assemble(
        state,
        routes().route("/api/v1/bench/null", post(jobs::null::answer)),
    )
}

fn assemble(state: HttpState, routes: OpenApiRouter<Server>) -> Router {
    let pages = pages::router(pages::Pages {
        operator: Arc::clone(&state.operator),
        clock: Arc::clone(&state.clock),
        about: About {
            instance: state.config.instance.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            database: "SQLite".to_owned(),
        },
        public_url: state
            .config
            .public_url
            .as_ref()
            .map(|url| url.as_str().trim_end_matches('/').to_owned()),
    });
    // A page's form may hold a payload, each of whose bytes takes three when it is escaped.
    let form_limit = state.config.max_payload.saturating_mul(3) + 64 * 1024;
    let server = Server(Arc::new(Inner {
        feed: Arc::default(),
        streams: Arc::new(Semaphore::new(state.config.max_streams)),
        throttle: throttle::Throttle::default(),
        state,
    }));
    let (documented, document) = routes.split_for_parts();
    let document: Bytes = openapi::complete(document)
        .to_json()
        .unwrap_or_default()
        .into();
    documented
        .route("/openapi.json", get(|| async { openapi_json(document) }))
        .route("/problems/{code}", get(explain::problem))
        .route("/login", post(login::submit))
        .route("/logout", post(login::leave))
        .route("/api/{*rest}", any(no_such_route))
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(server.clone())
        .merge(pages.layer(DefaultBodyLimit::max(form_limit)))
        .route_layer(middleware::from_fn(trace::remember_route))
        // From the inside out.
        .layer(middleware::from_fn(deadline::limit))
        .layer(middleware::from_fn(assets::serve))
        .layer(middleware::from_fn_with_state(server.clone(), gate::check))
        .layer(middleware::from_fn_with_state(server.clone(), host::check))
        .layer(compress::layer())
        .layer(middleware::from_fn_with_state(server.clone(), headers::add))
        .layer(CatchPanicLayer::custom(trace::panicked))
        .layer(middleware::from_fn_with_state(server, trace::run))
}

/// Every documented route: REST under `/api/v1`, and what operating the server takes.
fn routes() -> OpenApiRouter<Server> {
    let api = OpenApiRouter::new()
        .routes(routes!(jobs::list::jobs, jobs::enqueue))
        .routes(routes!(jobs::bulk::enqueue))
        .routes(routes!(jobs::show, jobs::edit, jobs::delete))
        .routes(routes!(jobs::attempts))
        .routes(routes!(jobs::logs))
        .routes(routes!(jobs::retry))
        .routes(routes!(jobs::run))
        .routes(routes!(jobs::cancel))
        .routes(routes!(jobs::discard))
        .routes(routes!(jobs::duplicate))
        .routes(routes!(workers::finish_one))
        .routes(routes!(queues::list))
        .routes(routes!(queues::show))
        .routes(routes!(queues::pause))
        .routes(routes!(queues::resume))
        .routes(routes!(queues::purge))
        .routes(routes!(schedules::list))
        .routes(routes!(
            schedules::show,
            schedules::put,
            schedules::edit,
            schedules::delete
        ))
        .routes(routes!(schedules::run))
        .routes(routes!(schedules::pause))
        .routes(routes!(schedules::resume))
        .routes(routes!(schedules::slots))
        .routes(routes!(cron::preview))
        .routes(routes!(workers::claim))
        .routes(routes!(workers::heartbeat))
        .routes(routes!(workers::finish))
        .routes(routes!(workers::log))
        .routes(routes!(workers::progress))
        .routes(routes!(workers::leave))
        .routes(routes!(workers::list))
        .routes(routes!(kinds::list))
        .routes(routes!(kinds::show))
        .routes(routes!(stats::overview))
        .routes(routes!(stats::series))
        .routes(routes!(events::watch));
    OpenApiRouter::with_openapi(openapi::document())
        .nest("/api/v1", api)
        .routes(routes!(health::live))
        .routes(routes!(health::ready))
        .routes(routes!(metrics::scrape))
}

/// The OpenAPI document as text.
pub fn openapi() -> String {
    openapi::json()
}

fn openapi_json(document: Bytes) -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, kind)], document).into_response()
}

async fn no_such_route() -> Problem {
    explain::no_such_route()
}

/// `Allow` is put on this answer by the router.
async fn method_not_allowed(method: Method) -> Problem {
    let detail = format!("{method} is not allowed here; Allow names the methods that are");
    Problem::new(Code::MethodNotAllowed, detail)
}
