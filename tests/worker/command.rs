//! Jobs run by a command.

use conveyor::worker::Registry;
use conveyor::worker::command::Command;
use conveyor_model::job::Job;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::{Action, State};
use conveyor_model::time::Span;
use futures_util::future::join_all;

use super::rig::{Rig, of, slots};
use crate::support::eventually::eventually;
use crate::support::store::{StoreExt, json, start};

/// Runs one job by a line of shell until it is in `state`.
async fn run(line: &str, job: NewJob, state: State) -> (Rig, Job) {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry.any(Command::shell(line));
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(job).await;
    let job = rig.reaches(id, state).await;
    pool.stop(Span::ZERO).await;
    (rig, job)
}

#[tokio::test]
async fn the_payload_goes_in_and_the_last_line_comes_out() {
    let job = NewJob {
        payload: json(r#"{"n":9007199254740993}"#),
        ..of("any.kind")
    };
    let (_, job) = run("echo working; cat", job, State::Succeeded).await;
    assert_eq!(job.result, Some(json(r#"{"n":9007199254740993}"#)));
}

#[tokio::test]
async fn the_command_finds_its_job_in_the_environment() {
    let line = r#"echo "[$CONVEYOR_JOB_ID, $CONVEYOR_ATTEMPT, \"$CONVEYOR_KIND\"]""#;
    let (_, job) = run(line, of("mail:v2"), State::Succeeded).await;
    let expected = format!("[{}, 1, \"mail:v2\"]", job.row.id);
    assert_eq!(job.result, Some(json(&expected)));
}

#[tokio::test]
async fn another_exit_code_is_a_failure_with_its_last_words() {
    let (rig, job) = run(
        "echo one >&2; echo two >&2; exit 3",
        of("a"),
        State::Retrying,
    )
    .await;
    let error = job.last_error.unwrap();
    assert_eq!(
        (error.class.as_str(), error.message.as_str()),
        ("Exit3", "exit code 3: two")
    );
    let logs = rig.store.logs(job.row.id).await.unwrap();
    let lines: Vec<_> = logs.iter().map(|line| line.message.as_str()).collect();
    assert_eq!(lines, ["one", "two"]);
}

#[tokio::test]
async fn exit_code_65_is_a_dead_end() {
    let (_, job) = run("exit 65", of("a"), State::Dead).await;
    assert_eq!(job.last_error.unwrap().class, "Exit65");
}

#[tokio::test]
async fn a_command_that_cannot_be_started_is_a_failure() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry.any(Command::new("/no/such/program", ["x"]));
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(of("a")).await;
    let job = rig.reaches(id, State::Retrying).await;
    assert_eq!(job.last_error.unwrap().class, "CannotStart");
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_command_that_does_not_read_its_input_is_not_held_up_by_it() {
    let job = NewJob {
        payload: json(&format!("\"{}\"", "x".repeat(500_000))),
        ..of("a")
    };
    let (_, job) = run("echo 1", job, State::Succeeded).await;
    assert_eq!(job.result, Some(json("1")));
}

/// Whether the process still runs; one that has ended but was not waited for does not.
fn is_alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// The id of the grandchild, which the command logs.
async fn grandchild(rig: &Rig, job: &Job) -> String {
    rig.store.logs(job.row.id).await.unwrap()[0].message.clone()
}

const FAMILY: &str = "sleep 1000 & echo $! >&2; wait";

#[tokio::test]
async fn a_timeout_kills_the_command_and_its_children() {
    let job = NewJob {
        timeout: Span::from_millis(400),
        ..of("a")
    };
    let (rig, job) = run(FAMILY, job, State::Retrying).await;
    assert_eq!(job.last_error.as_ref().unwrap().class, "Timeout");
    let pid = grandchild(&rig, &job).await;
    eventually("the grandchild is gone", async || {
        (!is_alive(&pid)).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_job_ends_its_command() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry.any(Command::shell(FAMILY));
    let options = conveyor::worker::PoolOptions {
        cancel_grace: Span::from_secs(10),
        ..slots(1)
    };
    let pool = rig.pool(registry, options);
    let id = rig.store.given(of("a")).await;
    let line = eventually("it has logged", async || {
        rig.store.logs(id).await.unwrap().into_iter().next()
    })
    .await;
    rig.store
        .act(vec![id], Action::Cancel, start())
        .await
        .unwrap();
    rig.store.events.cancel_asked();
    rig.reaches(id, State::Cancelled).await;
    let pid = line.message;
    eventually("the grandchild is gone", async || {
        (!is_alive(&pid)).then_some(())
    })
    .await;
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn what_a_command_said_counts_though_a_child_of_it_keeps_its_output_open() {
    let said = [
        (r#"sleep 300 & echo hello; echo '{"n":1}'"#, r#"{"n":1}"#),
        (r#"sleep 300 & echo hello; printf '{"n":2}'"#, r#"{"n":2}"#),
        // It has left the group, so that it is not killed with it.
        ("setsid sleep 20 & echo hello; echo 3", "3"),
        // It speaks when the command has ended.
        (
            "(while kill -0 $$; do sleep 0.02; done 2>/dev/null; echo 4) & echo hello",
            "4",
        ),
    ];
    join_all(said.map(async |(line, result)| {
        let (rig, job) = run(line, of("a"), State::Succeeded).await;
        assert_eq!(job.result, Some(json(result)), "{line}");
        let logs = rig.store.logs(job.row.id).await.unwrap();
        assert_eq!(logs[0].message, "hello", "{line}");
    }))
    .await;
}

#[tokio::test]
async fn a_failure_stays_one_though_a_child_of_the_command_keeps_its_output_open() {
    let (last_words, too_long) = (
        "sleep 300 & echo why >&2; exit 3",
        "sleep 300 & head -c 1048577 /dev/zero | tr '\\0' 1",
    );
    let ((_, failed), (_, long)) = tokio::join!(
        run(last_words, of("a"), State::Retrying),
        run(too_long, of("a"), State::Retrying),
    );
    assert_eq!(failed.last_error.unwrap().message, "exit code 3: why");
    assert_eq!(long.last_error.unwrap().class, "ResultTooLarge");
}

#[tokio::test]
async fn nobody_reads_on_when_the_attempt_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("unheard");
    // It has left the group; it goes on until what it says reaches nobody.
    let line = format!(
        "setsid sh -c 'trap \"\" PIPE; while echo x >&2; do sleep 0.1; done; : > {}' & echo 1",
        mark.display()
    );
    let (_, job) = run(&line, of("a"), State::Succeeded).await;
    assert_eq!(job.result, Some(json("1")));
    eventually("its output is closed", async || mark.exists().then_some(())).await;
}
