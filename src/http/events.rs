//! The live stream (`GET /api/v1/events`), as server-sent events.
//!
//! [`feed`] numbers the changes and keeps the latest of them; [`topics`] says who hears which. A stream
//! here is one reader of the feed: it starts with what the reader missed, ends when the server stops,
//! and is cut off when its reader falls too far behind.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;
use conveyor_model::event::Topic;
use futures_util::stream;
use prometheus::IntGauge;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::Server;
use super::gate::BySession;
use super::problem::{Code, Problem};
use feed::{Frame, Reader};

pub(crate) use feed::Feed;

mod feed;
mod topics;

/// How often a stream says that it lives.
const PING: Duration = Duration::from_secs(15);

const RETRY: &[u8] = b"retry: 3000\n\n";
const PING_TEXT: &[u8] = b"event: ping\ndata: {}\n\n";
const BYE_TEXT: &[u8] = b"event: bye\ndata: {}\n\n";

/// Changes as they happen
///
/// Server-sent events: `counts, job, queue, schedule, worker, operation, resync, ping, bye`. They say
/// that something changed, never what a payload holds. After `resync` read again what you show.
#[utoipa::path(get, path = "/events", tag = "Live events", security(("token" = []), ("session" = [])),
    params(
        ("topics" = Option<String>, Query, description = "Comma-separated: `counts, jobs, queue:NAME, job:ID, queues, schedules, workers, operations`; all but single jobs and queues when left out."),
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event heard; what came since is sent again."),
    ),
    responses(
        (status = 200, description = "The stream.", body = String, content_type = "text/event-stream"),
        super::openapi::CrossSite,
        super::openapi::TooManyStreams,
    ))]
pub(crate) async fn watch(
    State(server): State<Server>,
    session: Option<Extension<BySession>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let topics = topics::read(query.as_deref().unwrap_or(""))?;
    let slot = Arc::clone(&server.streams).try_acquire_owned();
    let slot = slot.map_err(|_| {
        Problem::new(
            Code::TooManyStreams,
            format!("{} live streams are open", server.config.max_streams),
        )
        .header(header::RETRY_AFTER, HeaderValue::from_static("10"))
    })?;
    let last = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok());
    let reader = server.feed.join(&server, last, &topics);
    let watcher = Watcher {
        topics,
        session: session.map(|Extension(session)| session),
        queue: VecDeque::from([Bytes::from_static(RETRY)]),
        reader,
        ping: pings(),
        ended: false,
        _open: Open::count(&server.metrics.streams, slot),
        server,
    };
    let body = stream::unfold(watcher, |mut watcher| async move {
        let piece = watcher.next().await?;
        Some((Ok::<_, Infallible>(piece), watcher))
    });
    let mut response = Response::new(Body::from_stream(body));
    for (name, value) in [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

fn pings() -> Interval {
    let mut pings = interval(PING);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The first tick is at once, when there is nothing to say yet.
    pings.reset();
    pings
}

/// Counts a stream while it is open.
struct Open {
    gauge: IntGauge,
    _slot: tokio::sync::OwnedSemaphorePermit,
}

impl Open {
    fn count(gauge: &IntGauge, slot: tokio::sync::OwnedSemaphorePermit) -> Self {
        gauge.inc();
        Open {
            gauge: gauge.clone(),
            _slot: slot,
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.gauge.dec();
    }
}

/// One reader of the feed.
struct Watcher {
    server: Server,
    topics: Vec<Topic>,
    session: Option<BySession>,
    /// What is to be sent before anything new.
    queue: VecDeque<Bytes>,
    reader: Reader,
    ping: Interval,
    ended: bool,
    _open: Open,
}

impl Watcher {
    /// The next piece of the stream; none at its end.
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(piece) = self.queue.pop_front() {
            return Some(piece);
        }
        if self.ended {
            return None;
        }
        let missed = std::mem::take(&mut self.reader.missed);
        if let Some(piece) = self.piece(missed.iter()) {
            return Some(piece);
        }
        let stop = self.server.shutdown.clone();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => {
                    self.ended = true;
                    return Some(Bytes::from_static(BYE_TEXT));
                }
                frames = self.reader.frames.recv() => match frames {
                    Ok(frames) => {
                        if let Some(piece) = self.piece(frames.iter()) {
                            return Some(piece);
                        }
                    }
                    // It does not read what it is sent: cut it off; when it comes back, it is told
                    // what it missed.
                    Err(RecvError::Lagged(_) | RecvError::Closed) => return None,
                },
                _ = self.ping.tick() => {
                    if !self.may_go_on().await {
                        return None;
                    }
                    return Some(Bytes::from_static(PING_TEXT));
                }
            }
        }
    }

    /// What its reader hears of some changes, as one piece.
    fn piece<'a>(&self, frames: impl Iterator<Item = &'a Arc<Frame>>) -> Option<Bytes> {
        let heard = frames.filter(|frame| frame.is_heard_by(&self.topics));
        let mut texts = heard.map(|frame| frame.text(self.server.feed.epoch()));
        let first = texts.next()?;
        let Some(second) = texts.next() else {
            return Some(first);
        };
        let mut piece = [first, second].concat();
        texts.for_each(|text| piece.extend_from_slice(&text));
        Some(piece.into())
    }

    /// Whether the session that opened the stream still lives. A database that is away ends nothing.
    async fn may_go_on(&self) -> bool {
        match self.session {
            None => true,
            Some(BySession(id)) => !matches!(self.server.living_session(id).await, Ok(None)),
        }
    }
}
