//! The queue as a library, and the example that shows it.

use std::process::Command;
use std::sync::Arc;

use conveyor::model::state::State;
use conveyor::model::time::Span;
use conveyor::{Conveyor, JobContext, job};

async fn double(_: JobContext, n: i64) -> Result<i64, String> {
    n.checked_mul(2).ok_or_else(|| "too large".to_owned())
}

#[tokio::test]
async fn a_program_runs_its_own_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Conveyor::builder()
        .data_dir(folder.path())
        .slots(2)
        .handle("double", double)
        .shutdown_grace(Span::ZERO)
        .build()
        .await
        .unwrap();
    queue.start().unwrap();
    let one = queue.enqueue("double", &21).await.unwrap();
    let done = queue.finished(one.id).await.unwrap();
    assert_eq!(done.result.unwrap().as_str(), "42");
    let jobs = vec![job("double", &1).unwrap(), job("double", &2).unwrap()];
    for stored in queue.enqueue_many(jobs).await.unwrap() {
        let done = queue.finished(stored.unwrap().id).await.unwrap();
        assert_eq!(done.row.state, State::Succeeded);
    }
    queue.stop().await;
    assert!(queue.enqueue("double", &1).await.is_err());
}

#[tokio::test]
async fn faults_of_the_settings_are_told_when_it_is_built() {
    let twice = Conveyor::builder()
        .handle("double", double)
        .handle("double", double);
    let error = twice.build().await.err().unwrap();
    assert_eq!(error.to_string(), "the kind double has a handler already");
    let queue = Conveyor::builder().queues(["good", " bad"]);
    assert!(queue.build().await.is_err());
    assert_eq!(job("no kind", &1).unwrap_err().errors[0].pointer, "/kind");
}

#[tokio::test]
async fn the_mounted_routes_are_closed_without_a_token() {
    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use tower::ServiceExt;
    let folder = tempfile::tempdir().unwrap();
    let queue = Conveyor::builder()
        .data_dir(folder.path())
        .api_token("a-long-enough-token")
        .build()
        .await
        .map(Arc::new)
        .unwrap();
    let status = async |token: Option<&str>| {
        let mut request = Request::get("/api/v1/jobs").header("host", "localhost");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Body::empty()).unwrap();
        queue.router().oneshot(request).await.unwrap().status()
    };
    assert_eq!(status(None).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(Some("a-long-enough-token")).await, StatusCode::OK);
    queue.stop().await;
}

#[test]
fn the_example_runs() {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_conveyor"));
    let example = binary.parent().unwrap().join("examples").join("embedded");
    let ran = Command::new(example)
        .output()
        .expect("the example was built");
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    assert_eq!(said.trim(), "job 1 succeeded: \"order 7: 19.99 EUR\"");
}
