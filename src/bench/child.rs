//! Servers that are measured from outside: this same program in a process of its own, on a free port
//! of the loopback address, ended by its handle.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStderr, ChildStdin, Command};

use super::load::{self, Connection, TOKEN};
use crate::config;

/// How long a server may take to start, and to end.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server.
pub(super) struct Server {
    child: Child,
    /// The benchmark's own server ends when this is closed, so none is left when we die.
    input: Option<ChildStdin>,
    pub(super) address: SocketAddr,
    /// From its start to its first good answer of `/readyz`.
    pub(super) ready: Duration,
}

impl Server {
    /// The benchmark's server over a database: with handlers that do nothing in so many slots, and
    /// with the route that answers without the queue.
    pub(super) async fn bench(database: &str, slots: usize) -> anyhow::Result<Server> {
        let mut command = Command::new(config::own_program()?);
        command
            .args(["bench", "serve", "--slots", &slots.to_string()])
            .args(["--database-url", database]);
        Server::start(command).await
    }

    /// The server as people run it, over what is in a folder.
    pub(super) async fn plain(folder: &Path) -> anyhow::Result<Server> {
        let mut command = Command::new(config::own_program()?);
        command
            .args(["serve", "--port", "0", "--api-token", TOKEN, "--data-dir"])
            .arg(folder);
        Server::start(command).await
    }

    async fn start(mut command: Command) -> anyhow::Result<Server> {
        let began = Instant::now();
        let mut child = command
            .env("LOG_FORMAT", "json")
            .env("RUST_LOG", "info")
            .env_remove("PUBLIC_URL")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start a server")?;
        let stderr = child.stderr.take().context("a server has no stderr")?;
        let mut lines = BufReader::new(stderr).lines();
        let address = tokio::time::timeout(PATIENCE, told_address(&mut lines)).await??;
        // A server that nobody reads would stand still one day.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        loop {
            let asked = async {
                let mut connection = Connection::open(address).await?;
                connection.expect(&load::get("/readyz", &[])).await
            };
            if asked.await.is_ok() {
                break;
            }
            anyhow::ensure!(began.elapsed() < PATIENCE, "a server does not become ready");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let ready = began.elapsed();
        Ok(Server {
            input: child.stdin.take(),
            child,
            address,
            ready,
        })
    }

    /// Its process.
    pub(super) fn id(&self) -> anyhow::Result<u32> {
        self.child.id().context("a server has ended by itself")
    }

    /// Asks it to end, and waits for that.
    pub(super) async fn stop(mut self) -> anyhow::Result<()> {
        drop(self.input.take());
        let id = i32::try_from(self.id()?)?;
        let process = rustix::process::Pid::from_raw(id).context("a server has no id")?;
        rustix::process::kill_process(process, rustix::process::Signal::TERM)?;
        tokio::time::timeout(PATIENCE, self.child.wait())
            .await
            .context("a server does not end")??;
        Ok(())
    }
}

/// Reads the log up to where the server tells its address.
async fn told_address(lines: &mut Lines<BufReader<ChildStderr>>) -> anyhow::Result<SocketAddr> {
    let mut said = Vec::new();
    while let Some(line) = lines.next_line().await? {
        let fields: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
        let address = fields["address"].as_str();
        if let Some((_, port)) = address.and_then(|address| address.rsplit_once(':')) {
            let port: u16 = port.parse().with_context(|| format!("{port} is no port"))?;
            return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
        }
        said.push(line);
    }
    anyhow::bail!("a server ended at its start: {}", said.join("\n"))
}
