//! People at the dashboard: live streams that hear of every change, and somebody who turns pages.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use conveyor_model::stats::Counts;
use tokio::task::JoinSet;

use super::load::{self, Answer, Connection, TOKEN};
use super::number::float;
use crate::clock::{Clock as _, SystemClock};

/// Streams that are opened at once.
const AT_ONCE: usize = 100;
/// How long a person looks at a page.
const LOOK: Duration = Duration::from_millis(300);

/// The pages of a large queue that people open most.
pub(super) const PAGES: [&str; 8] = [
    "/",
    "/jobs",
    "/jobs?state=succeeded&queue=mail",
    "/jobs?state=dead&kind=invoice.issue",
    "/jobs?tag=vip",
    "/jobs/1000",
    "/queues",
    "/dead",
];

/// Live streams, until they are dropped.
pub(super) struct Watchers {
    _streams: JoinSet<anyhow::Result<()>>,
    /// Milliseconds from the reading of counts to their arrival, each time.
    heard: Arc<Mutex<Vec<f64>>>,
}

impl Watchers {
    /// Opens so many streams of these topics.
    pub(super) async fn open(
        server: SocketAddr,
        count: usize,
        topics: &'static str,
    ) -> anyhow::Result<Self> {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let mut streams = JoinSet::new();
        let mut opened = 0;
        while opened < count {
            let some = AT_ONCE.min(count - opened);
            let mut opening = JoinSet::new();
            for _ in 0..some {
                opening.spawn(open(server, topics));
            }
            while let Some(stream) = opening.join_next().await {
                let stream = stream?.context("a live stream was not opened")?;
                streams.spawn(hear(stream, Arc::clone(&heard)));
            }
            opened += some;
        }
        Ok(Watchers {
            _streams: streams,
            heard,
        })
    }

    /// What was heard since the last time.
    pub(super) fn heard(&self) -> Vec<f64> {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *heard)
    }
}

async fn open(server: SocketAddr, topics: &str) -> anyhow::Result<Connection> {
    let mut connection = Connection::open(server).await?;
    let path = format!("/api/v1/events?topics={topics}");
    let request = load::get(&path, &[("authorization", &load::bearer())]);
    let status = connection.listen(&request).await?;
    anyhow::ensure!(status == 200, "the live stream answered {status}");
    Ok(connection)
}

async fn hear(mut stream: Connection, heard: Arc<Mutex<Vec<f64>>>) -> anyhow::Result<()> {
    loop {
        let chunk = stream.chunk().await?;
        let now = SystemClock.now();
        let text = String::from_utf8_lossy(&chunk);
        let mut data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let read = |data| serde_json::from_str::<Counts>(data).ok();
        if let Some(counts) = data.find_map(read) {
            let late = now.since(counts.at).secs_f64() * 1000.0;
            heard
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(late);
        }
    }
}

/// Somebody who is logged in.
pub(super) struct Person {
    connection: Connection,
    cookie: String,
}

impl Person {
    /// Logs in by the form.
    pub(super) async fn enter(server: SocketAddr) -> anyhow::Result<Self> {
        let mut connection = Connection::open(server).await?;
        let form = format!("token={TOKEN}");
        let request = load::post("/login", "application/x-www-form-urlencoded", &form);
        let answer = connection.ask(&request).await?;
        let cookie = answer.cookie.context("the login gave no cookie")?;
        Ok(Person { connection, cookie })
    }

    /// Opens a page.
    pub(super) async fn open(&mut self, path: &str) -> anyhow::Result<Answer> {
        let headers = [
            ("cookie", self.cookie.as_str()),
            ("accept-encoding", "br, gzip"),
            ("accept", "text/html"),
        ];
        let answer = self.connection.ask(&load::get(path, &headers)).await?;
        anyhow::ensure!(answer.status == 200, "{path} answered {}", answer.status);
        Ok(answer)
    }

    /// Turns pages until dropped.
    pub(super) async fn browse(mut self) -> anyhow::Result<()> {
        for path in PAGES.iter().cycle() {
            self.open(path).await?;
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }
}

/// The size of an answer in kB.
pub(super) fn kilobytes(answer: &Answer) -> f64 {
    float(answer.body.len()) / 1000.0
}
