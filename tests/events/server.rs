//! A server on a socket of its own, and changes for it to tell.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use conveyor::events::Changes;
use conveyor_model::event::{Event, JobChanged};
use conveyor_model::name::{JobId, Kind, QueueName};
use conveyor_model::state::State;
use serde_json::Value;
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;

use crate::support::app::TestApp;
use crate::support::wire::{self, Heard, Stream};

/// Small, so that a reader who does not read is noticed soon.
const SEND_BUFFER: u32 = 8 * 1024;

/// A server and where it listens.
pub(super) struct Served {
    pub(super) app: TestApp,
    pub(super) at: SocketAddr,
    pub(super) serving: JoinHandle<()>,
}

/// Starts one.
pub(super) async fn start() -> Served {
    serve(TestApp::new().await)
}

/// Puts a server on a socket.
pub(super) fn serve(app: TestApp) -> Served {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_send_buffer_size(SEND_BUFFER).unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let listener = socket.listen(64).unwrap();
    let at = listener.local_addr().unwrap();
    let serving = tokio::spawn(conveyor::http::serve(
        listener,
        app.router.clone(),
        app.shutdown.clone(),
        Duration::from_secs(5),
    ));
    Served { app, at, serving }
}

impl Served {
    /// A stream of these topics.
    pub(super) async fn hear(&self, topics: &str) -> Stream {
        Stream::open(self.at, &format!("?topics={topics}"), None).await
    }

    /// A stream that goes on after `last`.
    pub(super) async fn hear_after(&self, topics: &str, last: &str) -> Stream {
        Stream::open(self.at, &format!("?topics={topics}"), Some(last)).await
    }

    /// Enqueues a job; answers its id.
    pub(super) async fn enqueue(&self, job: &str) -> i64 {
        let stored = wire::call(self.at, "POST", "/jobs", job).await.ok();
        stored["id"].as_i64().unwrap()
    }

    /// Tells of a job with this id, as the store does after a commit.
    pub(super) fn publish(&self, id: i64) {
        let event = Event::Job(JobChanged {
            id: JobId::try_from(id).unwrap(),
            state: Some(State::Ready),
            queue: QueueName::new("q".repeat(128)).unwrap(),
            kind: Kind::new("k".repeat(128)).unwrap(),
            version: 1,
        });
        let changes = Changes::Each([Arc::new(event)].into());
        self.app.store.events.publish(changes);
    }

    /// Tells of these jobs and waits until `stream` has heard the last of them; answers all it heard.
    pub(super) async fn publish_all(
        &self,
        ids: std::ops::Range<i64>,
        stream: &mut Stream,
    ) -> Vec<Heard> {
        let mut heard = Vec::new();
        let ids: Vec<i64> = ids.collect();
        for some in ids.chunks(500) {
            for id in some {
                self.publish(*id);
            }
            let last = some.last().copied();
            loop {
                let event = stream.next().await.expect("the stream goes on");
                let id = id_of(&event);
                heard.push(event);
                if id == last {
                    break;
                }
            }
        }
        heard
    }

    /// How many streams are open.
    pub(super) async fn streams(&self) -> usize {
        let token = format!("Bearer {}", crate::support::app::TOKEN);
        let request = wire::request("GET", "/metrics", &[("Authorization", &token)], "");
        let metrics = wire::send(self.at, &request).await.unwrap().body;
        let line = metrics
            .lines()
            .find_map(|line| line.strip_prefix("conveyor_sse_clients "));
        line.unwrap().parse().unwrap()
    }
}

/// The job an event is about.
pub(super) fn id_of(event: &Heard) -> Option<i64> {
    let data: Value = serde_json::from_str(&event.data).ok()?;
    data["id"].as_i64()
}
