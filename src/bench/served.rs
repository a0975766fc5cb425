//! The figures that are taken of a server in a process of its own.

use super::child::Server;
use super::disk::{self, Folder};
use super::number::{Bounds, float};
use super::queue::SLOTS;
use super::rest::{BULK_SENDERS, PATIENCE, SENDERS};
use super::{Bench, Scale, Told, outside, rest};
use crate::{config, http};

/// How long a server has to settle before it is left alone.
const SETTLE: std::time::Duration = std::time::Duration::from_secs(3);

impl Bench<'_> {
    /// A server that is asked over HTTP, and one that is left alone.
    pub(super) async fn served(&mut self) -> anyhow::Result<()> {
        self.rest().await?;
        self.memory().await?;
        self.idle().await?;
        self.sizes()
    }

    async fn rest(&mut self) -> anyhow::Result<()> {
        let dir = self.plan.dir.clone();
        let Scale { backlog, time, .. } = self.scale;
        let bounds = Bounds::time(time);
        // What the two are compared by is measured in turn, in one server.
        let names = ["rest.null_64", "rest.enqueue_64"];
        if self.wants(&names) {
            let told = Told::begin("rest.null_64 and rest.enqueue_64");
            let (mut null, mut enqueue) = (Vec::new(), Vec::new());
            while told.goes_on(null.len(), &self.scale) {
                let folder = Folder::new(&dir)?;
                let server = Server::bench(&folder.database(), 0).await?;
                null.push(rest::one_by_one(server.address, rest::NULL, SENDERS, bounds).await?);
                enqueue
                    .push(rest::one_by_one(server.address, rest::ENQUEUE, SENDERS, bounds).await?);
                server.stop().await?;
            }
            self.add(names[0], null);
            self.add(names[1], enqueue);
        }
        let bulk = async || {
            let folder = Folder::new(&dir)?;
            let server = Server::bench(&folder.database(), 0).await?;
            let stored = rest::bulk(server.address, BULK_SENDERS, bounds).await?;
            server.stop().await?;
            Ok(stored)
        };
        self.repeat("rest.bulk", bulk).await?;
        let drain = async || {
            let folder = Folder::new(&dir)?;
            let server = Server::bench(&folder.database(), 0).await?;
            rest::fill(server.address, backlog).await?;
            let ended = rest::drain(server.address, backlog, PATIENCE).await?;
            server.stop().await?;
            Ok(ended)
        };
        self.repeat("worker_http.drain", drain).await
    }

    /// The most memory that a server takes while its pool drains a large backlog.
    async fn memory(&mut self) -> anyhow::Result<()> {
        if !self.wants(&["rss_mb.drain"]) {
            return Ok(());
        }
        let _told = Told::begin("rss_mb.drain");
        let folder = Folder::new(&self.plan.dir)?;
        let server = Server::bench(&folder.database(), SLOTS).await?;
        rest::drain_inside(server.address, self.scale.mass).await?;
        if let Some((_, most)) = outside::memory_mb(server.id()?) {
            self.add("rss_mb.drain", vec![most]);
        }
        server.stop().await
    }

    /// What a server takes that nobody asks for anything.
    async fn idle(&mut self) -> anyhow::Result<()> {
        let names = ["rss_mb.idle", "idle_cpu_percent", "idle_write_kb"];
        if !self.wants(&names) {
            return Ok(());
        }
        let _told = Told::begin("an idle server");
        let folder = Folder::new(&self.plan.dir)?;
        let server = Server::plain(folder.path()).await?;
        tokio::time::sleep(SETTLE).await;
        let id = server.id()?;
        let before = (outside::cpu_seconds(id), outside::written_kb(id));
        tokio::time::sleep(self.scale.idle).await;
        let after = (outside::cpu_seconds(id), outside::written_kb(id));
        if let (Some(before), Some(after)) = (before.0, after.0) {
            let share = (after - before) / self.scale.idle.as_secs_f64();
            self.add("idle_cpu_percent", vec![share * 100.0]);
        }
        if let (Some(before), Some(after)) = (before.1, after.1) {
            self.add("idle_write_kb", vec![after - before]);
        }
        if let Some((now, _)) = outside::memory_mb(id) {
            self.add("rss_mb.idle", vec![now]);
        }
        server.stop().await
    }

    fn sizes(&mut self) -> anyhow::Result<()> {
        let names = ["size.binary_mb", "size.wasm_br_kb", "size.assets_br_kb"];
        if !self.wants(&names) {
            return Ok(());
        }
        self.add(names[0], vec![disk::size(&config::own_program()?)? / 1e6]);
        let files = http::brotli_sizes();
        if !files.is_empty() {
            let bytes = |ending: &str| {
                let sizes = files.iter().filter(|(name, _)| name.ends_with(ending));
                float(sizes.map(|(_, size)| size).sum()) / 1000.0
            };
            self.add(names[1], vec![bytes(".wasm")]);
            self.add(names[2], vec![bytes("")]);
        }
        Ok(())
    }
}
