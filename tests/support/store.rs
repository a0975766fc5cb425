//! Stores for tests, and short ways to say what they are given and asked.

use std::path::PathBuf;
use std::sync::Arc;

use conveyor::events::{Changes, Events};
use conveyor::store::sqlite::{self, Hooks};
use conveyor::store::{Claim, Insert, Store, StoreOptions};
use conveyor_model::event::Event;
use conveyor_model::job::{Claimed, Failure, Job};
use conveyor_model::json::JsonText;
use conveyor_model::name::{IdempotencyKey, JobId, Kind, QueueName, WorkerName};
use conveyor_model::new_job::{Due, NewJob};
use conveyor_model::operator::Enqueued;
use conveyor_model::state::State;
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Finish, FinishStatus, Lease};

/// When tests begin.
pub(crate) fn start() -> Timestamp {
    Timestamp::from_secs(1_790_000_000)
}

/// `secs` after tests begin.
pub(crate) fn at(secs: i64) -> Timestamp {
    start().plus(Span::from_secs(secs))
}

/// A store on a file of its own, which goes with it.
pub(crate) struct TestStore {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) events: Events,
    pub(crate) path: PathBuf,
    // Last, so that the folder goes after the store.
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for TestStore {
    type Target = dyn Store;

    fn deref(&self) -> &Self::Target {
        &*self.store
    }
}

/// Opens the file at `path`.
pub(crate) async fn open_at(
    path: &std::path::Path,
    events: Events,
    hooks: Hooks,
) -> Arc<dyn Store> {
    let options = StoreOptions {
        url: format!("sqlite:{}", path.display()),
        readers: 4,
    };
    sqlite::open(&options, events, hooks)
        .await
        .expect("the store opens")
}

/// A new, empty store.
pub(crate) async fn open() -> TestStore {
    open_with(Hooks::default()).await
}

/// A new, empty store with places to reach in.
pub(crate) async fn open_with(hooks: Hooks) -> TestStore {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("data").join("conveyor.db");
    let events = Events::default();
    let store = open_at(&path, events.clone(), hooks).await;
    TestStore {
        store,
        events,
        path,
        _folder: folder,
    }
}

impl TestStore {
    /// A second store on the same file, as another process would open it.
    pub(crate) async fn another(&self) -> Arc<dyn Store> {
        open_at(&self.path, Events::default(), Hooks::default()).await
    }

    /// A connection that can do what no store does: look at rows, and damage them.
    pub(crate) async fn raw(&self) -> sqlx::SqliteConnection {
        use sqlx::ConnectOptions;
        sqlx::sqlite::SqliteConnectOptions::new()
            .filename(&self.path)
            .foreign_keys(false)
            .connect()
            .await
            .expect("the file opens")
    }
}

/// What is done to any store, in few words.
pub(crate) trait StoreExt {
    /// Stores one job at the beginning; answers its id.
    async fn given(&self, job: NewJob) -> JobId;
    /// Stores one job.
    async fn enqueue(&self, job: NewJob, now: Timestamp) -> Enqueued;
    /// Claims up to `max` jobs of any sort.
    async fn take(&self, max: usize, now: Timestamp) -> Vec<Claimed>;
    /// Claims the one job that is ready.
    async fn take_one(&self, now: Timestamp) -> Claimed;
    /// Ends one attempt.
    async fn end(&self, report: Finish, now: Timestamp) -> FinishStatus;
    /// The job, which is there.
    async fn show(&self, id: JobId) -> Job;
    /// The job's state.
    async fn state(&self, id: JobId) -> State;
}

impl<S: Store + ?Sized> StoreExt for S {
    async fn given(&self, job: NewJob) -> JobId {
        self.enqueue(job, start()).await.id
    }

    async fn enqueue(&self, job: NewJob, now: Timestamp) -> Enqueued {
        let insert = Insert {
            jobs: vec![job],
            atomic: false,
        };
        let mut answers = self.insert(insert, now).await.expect("the jobs are stored");
        answers.remove(0).expect("the job is stored")
    }

    async fn take(&self, max: usize, now: Timestamp) -> Vec<Claimed> {
        self.claim(claim(max), now).await.expect("jobs are claimed")
    }

    async fn take_one(&self, now: Timestamp) -> Claimed {
        let mut jobs = self.take(1, now).await;
        jobs.pop().expect("a job is ready")
    }

    async fn end(&self, report: Finish, now: Timestamp) -> FinishStatus {
        self.finish(vec![report], now)
            .await
            .expect("the attempt ends")[0]
    }

    async fn show(&self, id: JobId) -> Job {
        self.job(id)
            .await
            .expect("the job can be read")
            .expect("the job is there")
    }

    async fn state(&self, id: JobId) -> State {
        self.show(id).await.row.state
    }
}

/// A job of the kind `test`.
pub(crate) fn job() -> NewJob {
    NewJob::new(kind("test"), json("{}"))
}

/// A job that is due later.
pub(crate) fn job_at(due: Timestamp) -> NewJob {
    NewJob {
        due: Due::At(due),
        ..job()
    }
}

/// A job under an idempotency key.
pub(crate) fn keyed(key: &str) -> NewJob {
    NewJob {
        idempotency_key: Some(IdempotencyKey::new(key).expect("a key")),
        ..job()
    }
}

/// A kind.
pub(crate) fn kind(name: &str) -> Kind {
    Kind::new(name).expect("a kind")
}

/// A queue.
pub(crate) fn queue(name: &str) -> QueueName {
    QueueName::new(name).expect("a queue name")
}

/// A worker.
pub(crate) fn worker(name: &str) -> WorkerName {
    WorkerName::new(name).expect("a worker name")
}

/// A payload.
pub(crate) fn json(text: &str) -> JsonText {
    JsonText::parse(text).expect("JSON")
}

/// A claim of up to `max` jobs of any sort, for 30 s.
pub(crate) fn claim(max: usize) -> Claim {
    Claim {
        worker: worker("worker-1"),
        queues: Vec::new(),
        kinds: None,
        max,
        lease: Span::from_secs(30),
    }
}

/// The lease of a claimed job.
pub(crate) fn lease(job: &Claimed) -> Lease {
    Lease::of(job)
}

/// A failure of the class `Broken`.
pub(crate) fn broken() -> Failure {
    Failure::new("Broken", "it broke")
}

/// The only change of a commit.
pub(crate) fn only(changes: Changes) -> Event {
    match changes {
        Changes::Each(events) if events.len() == 1 => Event::clone(&events[0]),
        other => panic!("not one change: {other:?}"),
    }
}

/// Fails the test when a sum that is kept differs from what it sums up.
pub(crate) async fn check_sums(store: &TestStore) {
    let mut conn = store.raw().await;
    let wrong: Vec<(String, String, i64, i64)> = sqlx::query_as(
        "WITH counted AS (SELECT lane, state, count(*) AS n FROM job GROUP BY lane, state),
              kept AS (SELECT lane, state, n FROM job_count WHERE n <> 0)
         SELECT 'lane ' || coalesce(c.lane, k.lane), coalesce(c.state, k.state), coalesce(c.n, 0), coalesce(k.n, 0)
         FROM counted c FULL JOIN kept k ON k.lane = c.lane AND k.state = c.state
         WHERE coalesce(c.n, 0) <> coalesce(k.n, 0)
         UNION ALL
         SELECT 'group', coalesce(d.fingerprint, j.dead_group), coalesce(j.n, 0), coalesce(d.n, 0)
         FROM dead_group d FULL JOIN
              (SELECT dead_group, count(*) AS n FROM job WHERE dead_group IS NOT NULL GROUP BY 1) j
              ON j.dead_group = d.fingerprint
         WHERE coalesce(j.n, 0) <> coalesce(d.n, 0)",
    )
    .fetch_all(&mut conn)
    .await
    .expect("the sums can be read");
    assert!(
        wrong.is_empty(),
        "sums that differ (what, which, counted, kept): {wrong:?}"
    );
}
