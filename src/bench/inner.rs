//! The figures that are taken inside this process: the disk, SQLite by itself, the queue as a library.

use super::disk::{self, Folder};
use super::number::{Bounds, percentile};
use super::{Bench, Scale, Told, floor, inproc, latency};

/// How long a backlog may take.
const DRAIN: std::time::Duration = std::time::Duration::from_mins(30);

impl Bench<'_> {
    /// The disk, and SQLite by itself.
    pub(super) async fn machine(&mut self) -> anyhow::Result<()> {
        let dir = self.plan.dir.clone();
        let syncs = self.scale.syncs;
        let sync = async || disk::fsync(Folder::new(&dir)?.path(), syncs);
        self.repeat("fsync_us", sync).await?;
        let names = ["floor.enqueue", "floor.drain", "floor.life"];
        if !self.wants(&names) {
            return Ok(());
        }
        let told = Told::begin("floor");
        let mut runs = [Vec::new(), Vec::new(), Vec::new()];
        while told.goes_on(runs[0].len(), &self.scale) {
            let floor = floor::measure(&dir, self.scale.backlog, self.scale.lives).await?;
            for (runs, run) in runs
                .iter_mut()
                .zip([floor.enqueue, floor.drain, floor.life])
            {
                runs.push(run);
            }
        }
        for (name, runs) in names.into_iter().zip(runs) {
            self.add(name, runs);
        }
        Ok(())
    }

    /// The queue inside this process.
    pub(super) async fn process(&mut self) -> anyhow::Result<()> {
        let dir = self.plan.dir.clone();
        let Scale {
            backlog,
            lives,
            time,
            ..
        } = self.scale;
        self.repeat("inproc.life", async || inproc::life(&dir, lives).await)
            .await?;
        let drain = async || inproc::drain(&dir, backlog, DRAIN).await;
        self.repeat("inproc.drain", drain).await?;
        let bounds = Bounds::time(time);
        for (name, tasks) in [("inproc.enqueue_64", 64), ("inproc.enqueue_512", 512)] {
            self.repeat(name, async || inproc::enqueue(&dir, tasks, bounds).await)
                .await?;
        }
        self.latency().await
    }

    async fn latency(&mut self) -> anyhow::Result<()> {
        let dir = self.plan.dir.clone();
        let Scale { timed, lives, .. } = self.scale;
        let idle = ["latency_idle_ms.p50", "latency_idle_ms.p99"];
        if self.wants(&idle) {
            let told = Told::begin("latency_idle_ms");
            let (mut usual, mut worst) = (Vec::new(), Vec::new());
            while told.goes_on(usual.len(), &self.scale) {
                let latencies = latency::measure(&dir, timed, 0.0).await?;
                usual.push(percentile(&latencies, 0.5));
                worst.push(percentile(&latencies, 0.99));
            }
            self.add(idle[0], usual);
            self.add(idle[1], worst);
        }
        let half = "latency_half_ms.p99";
        if self.wants(&[half]) {
            let rate = match self.report.value("inproc.life") {
                Some(rate) => rate,
                None => inproc::life(&dir, lives).await?,
            };
            let worst = async || {
                let latencies = latency::measure(&dir, timed, rate / 2.0).await?;
                Ok(percentile(&latencies, 0.99))
            };
            self.repeat(half, worst).await?;
        }
        Ok(())
    }
}
