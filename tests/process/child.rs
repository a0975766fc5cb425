//! A server in a process of its own, and commands beside it. Whatever a test does, no process outlives
//! it.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::app::TOKEN;
use crate::support::eventually::within;
use crate::support::wire::{self, Wire};

/// How long a process may take for one thing, on a machine that is busy with other tests.
pub(super) const PATIENCE: Duration = Duration::from_mins(2);

/// A data directory for one queue, which goes after the processes that use it.
pub(super) struct Home(tempfile::TempDir);

/// What a command said.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

impl Home {
    pub(super) fn new() -> Self {
        Home(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The program with the settings of this queue and nothing else of the environment.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conveyor"));
        command.env_clear();
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.env("DATA_DIR", self.path().join("data"));
        command.env("API_TOKEN", TOKEN);
        command.env("PORT", "0");
        command.current_dir(self.path());
        command.stdin(Stdio::null());
        command
    }

    /// Runs one command to its end.
    pub(super) fn run(&self, arguments: &[&str]) -> Said {
        said(self.command().args(arguments))
    }

    /// Starts a process that goes on until it is told to stop.
    pub(super) fn start(&self, arguments: &[&str], settings: &[(&str, &str)]) -> Process {
        let mut command = self.command();
        command.env("LOG_FORMAT", "json");
        command.envs(settings.iter().copied()).args(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stderr = child.stderr.take().expect("its messages");
        let lines = Arc::<Mutex<Vec<String>>>::default();
        let kept = Arc::clone(&lines);
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                kept.lock().unwrap().push(line);
            }
        });
        Process { child, lines }
    }

    /// Starts a server; waits until it is ready.
    pub(super) async fn serve(&self, settings: &[(&str, &str)]) -> Server {
        let mut process = self.start(&["serve"], settings);
        let serving = process.tells("serving").await;
        let address = serving["address"].as_str().expect("an address");
        let port: u16 = address.rsplit(':').next().unwrap().parse().unwrap();
        let server = Server {
            process,
            at: SocketAddr::from(([127, 0, 0, 1], port)),
        };
        within(PATIENCE, "the server is ready", async || {
            let ready = wire::request("GET", "/readyz", &[], "");
            let answer = wire::send(server.at, &ready).await.ok()?;
            (answer.status == 200).then_some(())
        })
        .await;
        server
    }
}

/// Runs a command to its end.
pub(super) fn said(command: &mut Command) -> Said {
    let output = command.output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Said {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// A process; it is killed and reaped when this is dropped.
pub(super) struct Process {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

/// A process that serves.
pub(super) struct Server {
    process: Process,
    pub(super) at: SocketAddr,
}

impl Deref for Server {
    type Target = Process;

    fn deref(&self) -> &Process {
        &self.process
    }
}

impl DerefMut for Server {
    fn deref_mut(&mut self) -> &mut Process {
        &mut self.process
    }
}

impl Process {
    /// The first log line with this message, once it is there.
    pub(super) async fn tells(&mut self, message: &str) -> Value {
        within(PATIENCE, message, async || {
            let found = self
                .log()
                .into_iter()
                .find(|line| line["message"] == message);
            assert!(
                found.is_some() || self.is_running(),
                "it ended: {:?}",
                self.lines.lock().unwrap()
            );
            found
        })
        .await
    }

    /// What it has logged.
    pub(super) fn log(&self) -> Vec<Value> {
        let lines = self.lines.lock().unwrap();
        lines
            .iter()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// Whether the process still runs.
    pub(super) fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("its status").is_none()
    }

    /// Sends a signal.
    pub(super) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Waits for its end.
    pub(super) async fn ended(&mut self) -> ExitStatus {
        within(PATIENCE, "the process ends", async || {
            self.child.try_wait().expect("its status")
        })
        .await
    }
}

impl Server {
    /// A REST call.
    pub(super) async fn call(&self, method: &str, path: &str, body: &str) -> Wire {
        wire::call(self.at, method, path, body).await
    }

    /// Enqueues a job; answers its id.
    pub(super) async fn enqueue(&self, job: &Value) -> i64 {
        let stored = self.call("POST", "/jobs", &job.to_string()).await.ok();
        stored["id"].as_i64().expect("an id")
    }

    /// The job, once it is in this state.
    pub(super) async fn reaches(&self, id: i64, state: &str) -> Value {
        within(PATIENCE, &format!("job {id} is {state}"), async || {
            let job = self.call("GET", &format!("/jobs/{id}"), "").await.ok();
            (job["state"] == state).then_some(job)
        })
        .await
    }

    /// Waits until a worker waits for jobs at the server.
    pub(super) async fn seen_waiting(&self) {
        within(PATIENCE, "a worker waits", async || {
            let workers = self.call("GET", "/workers", "").await.ok();
            workers.to_string().contains("\"w\"").then_some(())
        })
        .await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that it has ended, and then it is reaped all the same.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A job of `command.run` whose first attempt goes on for minutes, while each later one ends at once.
/// What it started is ended when this is dropped, even if its server was killed before.
pub(super) struct Stubborn(PathBuf);

impl Stubborn {
    /// Keeps its marks below `home`.
    pub(super) fn new(home: &Home, name: &str) -> Self {
        Stubborn(home.path().join(name))
    }

    /// The job.
    pub(super) fn job(&self) -> Value {
        let script = "mkdir \"$0\" || exit 0; echo $$ > \"$0/pid\"; exec sleep 300";
        let args = json!(["-c", script, self.0.to_str().unwrap()]);
        json!({"kind": "command.run", "payload": {"program": "sh", "args": args}})
    }

    fn pid(&self) -> Option<Pid> {
        let text = std::fs::read_to_string(self.0.join("pid")).ok()?;
        Pid::from_raw(text.trim().parse().ok()?)
    }

    /// Waits until the first attempt is at it.
    pub(super) async fn begins(&self) -> Pid {
        within(PATIENCE, "the command runs", async || self.pid()).await
    }
}

impl Drop for Stubborn {
    fn drop(&mut self) {
        if let Some(pid) = self.pid() {
            // An error means that it has ended.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
