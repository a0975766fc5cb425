//! Runs jobs by a command: the payload on its standard input, the last line of its standard output
//! as the result if that is JSON, everything else it says as the job's log, its exit code as the
//! outcome.
//!
//! | exit code | outcome |
//! |---|---|
//! | 0 | succeeded |
//! | 65 | dead: the input is wrong, no further attempt makes sense |
//! | any other, or a signal | failed, another attempt follows if one is left |
//!
//! The command runs in a process group of its own, which is killed whole when the attempt is over.
//! It finds the job in `CONVEYOR_JOB_ID`, `CONVEYOR_ATTEMPT` and `CONVEYOR_KIND`.

mod group;
mod output;

use std::ffi::OsString;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use conveyor_model::job::{Failure, MAX_LOG_LINE};
use conveyor_model::json::{JsonText, MAX_BYTES};
use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin};
use tokio::time::timeout;

use super::JobContext;
use super::handler::{Handler, Outcome};
use group::Group;
use output::{Complaints, LastLine, Lines, Log, Output};

pub use group::kill_all;

/// The exit code of a command whose input is wrong (`EX_DATAERR`).
const EXIT_DEAD: i32 = 65;
/// How long a cancelled command has to end after SIGTERM.
const TERM_GRACE: Duration = Duration::from_secs(5);
/// How long output is read after the command has ended: a child of it may hold the pipe open, and may
/// still have something to say.
const DRAIN: Duration = Duration::from_secs(2);
/// How long output is read after that child was killed: one that has left the group lives on.
const LAST_OUTPUT: Duration = Duration::from_millis(200);

/// A command that runs jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: OsString,
    args: Vec<OsString>,
}

impl Command {
    /// A program with its arguments; no shell is asked.
    pub fn new(
        program: impl Into<OsString>,
        args: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        Command {
            program: program.into(),
            args: args.into_iter().map(Into::into).collect(),
        }
    }

    /// A line for the shell (`sh -c`).
    pub fn shell(line: impl Into<OsString>) -> Self {
        Command::new("sh", [OsString::from("-c"), line.into()])
    }

    fn spawn(&self, job: &JobContext) -> std::io::Result<Child> {
        tokio::process::Command::new(&self.program)
            .args(&self.args)
            .env("CONVEYOR_JOB_ID", job.id().to_string())
            .env("CONVEYOR_ATTEMPT", job.attempt().to_string())
            .env("CONVEYOR_KIND", job.kind().as_str())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
    }
}

#[async_trait]
impl Handler for Command {
    async fn run(&self, job: JobContext) -> Outcome {
        let mut child = match self.spawn(&job) {
            Ok(child) => child,
            Err(error) => {
                let program = self.program.to_string_lossy();
                return Outcome::retry("CannotStart", format_args!("{program}: {error}"));
            }
        };
        let group = Group::of(&child);
        let input = child.stdin.take();
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let mut log = Log::new(job.clone());
        let mut output = Lines::new(MAX_BYTES, Output::new(|line: &[u8]| log.line(line)));
        let mut complaints = Lines::new(MAX_LOG_LINE, Complaints::new(Log::new(job.clone())));
        let (status, cancelled) = {
            let listen = async { tokio::join!(output.read(out), complaints.read(err)) };
            let feed = feed(input, job.payload());
            listen_and_wait(listen, wait(&mut child, &group, &job, feed), &group).await
        };
        drop(group);
        let (output, complaints) = (output.heard(), complaints.heard());
        match status {
            Ok(status) => outcome(status, cancelled, output.last(), &complaints.last),
            Err(error) => Outcome::retry("CannotWait", error),
        }
    }
}

/// Waits for the command while its output is read, and then for the rest of the output, as long as that
/// may take.
async fn listen_and_wait<T>(
    listen: impl Future,
    wait: impl Future<Output = T>,
    group: &Group,
) -> T {
    let (mut listen, mut wait) = (std::pin::pin!(listen), std::pin::pin!(wait));
    let ended = tokio::select! {
        ended = &mut wait => ended,
        _ = &mut listen => return wait.await,
    };
    if timeout(DRAIN, &mut listen).await.is_err() {
        group.signal(Signal::KILL);
        if timeout(LAST_OUTPUT, listen).await.is_err() {
            tracing::debug!("the output of a command that has ended stays open");
        }
    }
    ended
}

/// Writes the payload and closes the pipe. A command that does not read it is free not to.
async fn feed(input: Option<ChildStdin>, payload: &JsonText) {
    if let Some(mut input) = input
        && let Err(error) = input.write_all(payload.as_str().as_bytes()).await
    {
        tracing::trace!(%error, "the command did not read all of its input");
    }
}

/// Waits for the command while it is fed. On cancel it is asked to end, then killed; the answer says
/// whether that happened.
async fn wait(
    child: &mut Child,
    group: &Group,
    job: &JobContext,
    feed: impl Future<Output = ()>,
) -> (std::io::Result<ExitStatus>, bool) {
    let cancelled = job.cancelled();
    let feed_and_wait = async {
        // Input may be stuck for ever in a command that has ended or does not read.
        let mut feed = std::pin::pin!(feed);
        tokio::select! {
            status = child.wait() => return status,
            () = &mut feed => {}
        }
        child.wait().await
    };
    tokio::select! {
        status = feed_and_wait => return (status, false),
        () = cancelled.cancelled() => {}
    }
    group.signal(Signal::TERM);
    if let Ok(status) = timeout(TERM_GRACE, child.wait()).await {
        return (status, true);
    }
    group.signal(Signal::KILL);
    (child.wait().await, true)
}

fn outcome(status: ExitStatus, cancelled: bool, output: LastLine, last_words: &str) -> Outcome {
    use std::os::unix::process::ExitStatusExt;
    if status.success() {
        return match output {
            LastLine::Json(result) => Outcome::Done(Some(result)),
            LastLine::Other => Outcome::Done(None),
            LastLine::TooLong => Outcome::retry(
                "ResultTooLarge",
                "the last line of the output is longer than 1048576 bytes",
            ),
        };
    }
    if cancelled {
        return Outcome::Cancel;
    }
    let (class, how) = match (status.code(), status.signal()) {
        (Some(code), _) => (format!("Exit{code}"), format!("exit code {code}")),
        (None, Some(signal)) => (
            format!("Signal{signal}"),
            format!("ended by signal {signal}"),
        ),
        (None, None) => ("Exit".to_owned(), "ended without a code".to_owned()),
    };
    let message = if last_words.is_empty() {
        how
    } else {
        format!("{how}: {last_words}")
    };
    let failure = Failure::new(class, message);
    if status.code() == Some(EXIT_DEAD) {
        Outcome::Dead(failure)
    } else {
        Outcome::Retry {
            error: failure,
            after: None,
        }
    }
}
