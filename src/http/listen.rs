//! Accepting connections. The loop is our own because each connection needs limits that no layer can
//! set: how long its head may take, how much of it is read, how long a reader may stall, and how many
//! connections there may be.

use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Extensions, HeaderName, HeaderValue, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use stall::Stall;

mod stall;

/// How long the head of a request may take, from the opening of the connection or the end of the
/// request before it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Tells clients to open a new connection before this one ends by [`HEAD_TIMEOUT`], so that no request
/// is on its way when it does. Those that reuse connections and know the header heed it.
const KEEP_ALIVE: HeaderValue = HeaderValue::from_static("timeout=9");
/// How long a client may take nothing of an answer.
const STALL_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest head, and the most that is held for a slow reader.
const MAX_BUFFER: usize = 16 * 1024;
/// The most header lines.
const MAX_HEADERS: usize = 64;
/// The most connections, if there are descriptors for them.
const MAX_CONNECTIONS: usize = 8192;
/// Descriptors that connections leave for the database and for outgoing requests.
const RESERVED_DESCRIPTORS: u64 = 96;
/// The pause after the system refused a connection.
const BACK_OFF: Duration = Duration::from_secs(1);

/// The address a request came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Peer {
    /// The address, where the request came over a connection.
    pub(crate) fn of(extensions: &Extensions) -> Option<IpAddr> {
        extensions.get::<Peer>().map(|peer| peer.0)
    }
}

/// Serves `router` until `closing`; then takes no more connections, lets requests at hand finish for
/// at most `grace`, and returns.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    closing: CancellationToken,
    grace: Duration,
) {
    let slots = Arc::new(Semaphore::new(most_connections()));
    let connections = TaskTracker::new();
    let cut = CancellationToken::new();
    while let Some(stream) = accept(&listener, &slots, &closing).await {
        let (stream, peer, slot) = stream;
        let (router, closing, cut) = (router.clone(), closing.clone(), cut.clone());
        connections.spawn(async move {
            let connection = converse(stream, peer, router, closing);
            tokio::select! {
                () = connection => {}
                () = cut.cancelled() => {}
            }
            drop(slot);
        });
    }
    drop(listener);
    connections.close();
    if tokio::time::timeout(grace, connections.wait())
        .await
        .is_err()
    {
        tracing::warn!(open = connections.len(), "connections are cut off");
        cut.cancel();
        connections.wait().await;
    }
}

type Accepted = (TcpStream, IpAddr, tokio::sync::OwnedSemaphorePermit);

/// The next connection, with its slot; none at the end.
async fn accept(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
    closing: &CancellationToken,
) -> Option<Accepted> {
    let mut told = false;
    loop {
        let next = async {
            let slot = Arc::clone(slots).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            next = next => next,
            () = closing.cancelled() => return None,
        };
        match accepted {
            Ok((stream, peer)) => return Some((stream, peer.ip(), slot.ok()?)),
            // The client was gone before it was accepted.
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                if !told {
                    tracing::error!(%error, "no connection can be accepted; trying on");
                    told = true;
                }
                tokio::select! {
                    () = tokio::time::sleep(BACK_OFF) => {}
                    () = closing.cancelled() => return None,
                }
            }
        }
    }
}

fn is_the_clients(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

/// Answers the requests of one connection.
async fn converse(stream: TcpStream, peer: IpAddr, router: Router, closing: CancellationToken) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection stays slow");
    }
    let service = hyper::service::service_fn(move |request| answer(router.clone(), peer, request));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_BUFFER)
        .max_headers(MAX_HEADERS);
    let io = TokioIo::new(Stall::new(stream, STALL_TIMEOUT));
    let mut connection = std::pin::pin!(builder.serve_connection(io, service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, %peer, "a connection ended early");
    }
}

async fn answer(
    router: Router,
    peer: IpAddr,
    request: Request<Incoming>,
) -> Result<Response, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(Peer(peer));
    let mut answer = router.oneshot(request).await?;
    answer
        .headers_mut()
        .insert(HeaderName::from_static("keep-alive"), KEEP_ALIVE);
    Ok(answer)
}

/// As many connections as there are descriptors for, up to [`MAX_CONNECTIONS`]. The limit of the
/// process is raised as far as the system lets it.
fn most_connections() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let before = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: before.maximum,
        maximum: before.maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::debug!(%error, "the limit of open files stays as it is");
    }
    let files = getrlimit(Resource::Nofile).current;
    let left = files.map_or(u64::MAX, |files| files.saturating_sub(RESERVED_DESCRIPTORS));
    usize::try_from(left)
        .unwrap_or(usize::MAX)
        .clamp(16, MAX_CONNECTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_told_a_shorter_time_than_they_have() {
        let told = format!("timeout={}", HEAD_TIMEOUT.as_secs() - 1);
        assert_eq!(KEEP_ALIVE, told.as_str());
    }
}
