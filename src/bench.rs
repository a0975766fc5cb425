//! The benchmark: what SQLite can do on this machine, what the queue does on top of it, and what the
//! difference is, all in one run.
//!
//! A figure is the median of its runs, each in a new database on a real disk; `figure` says what each
//! is held to. `floor` measures SQLite by itself, the other files what people and programs use, from
//! the inside out: `inproc` and `latency` the library in this process; `rest`, `watch` and `outside` a
//! server in a process of its own (`child`, which runs `server`), asked over `load`; `large` does so
//! with the millions of jobs that `seed` makes. `peers` puts other queues beside `own`, each a `row`,
//! and `beside` shows them.

mod beside;
mod child;
mod disk;
mod figure;
mod floor;
mod inner;
mod inproc;
mod large;
mod latency;
mod load;
mod machine;
mod number;
mod outside;
mod own;
mod payload;
mod peers;
mod queue;
mod report;
mod rest;
mod row;
mod seed;
mod served;
mod server;
mod watch;

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;

pub(crate) use self::beside::SIDE_HEADS;
use self::figure::FIGURES;
pub(crate) use self::report::{HEADS, Report};
pub(crate) use self::seed::seed;
pub(crate) use self::server::serve;

/// What is asked of a run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Fewer jobs and shorter times, and nothing that needs a large database.
    pub(crate) quick: bool,
    /// Only figures with these names, or whose names begin so; empty means all.
    pub(crate) only: Vec<String>,
    /// Jobs of the large database.
    pub(crate) large: usize,
    /// Whether other queues are measured too.
    pub(crate) peers: bool,
    /// Where databases are made.
    pub(crate) dir: PathBuf,
}

/// How much is done for a figure.
struct Scale {
    runs: usize,
    /// A figure that has taken longer is not measured once more.
    patience: Duration,
    syncs: usize,
    backlog: usize,
    lives: usize,
    /// How long tasks enqueue.
    time: Duration,
    /// Jobs whose start is timed.
    timed: usize,
    /// Jobs that are drained while the memory is watched.
    mass: usize,
    /// How long a server is left alone.
    idle: Duration,
}

const QUICK: Scale = Scale {
    runs: 3,
    patience: Duration::from_secs(5),
    syncs: 200,
    backlog: 25_000,
    lives: 40_000,
    time: Duration::from_secs(1),
    timed: 100,
    mass: 30_000,
    idle: Duration::from_secs(8),
};
const WHOLE: Scale = Scale {
    runs: 3,
    patience: Duration::from_mins(3),
    syncs: 1000,
    backlog: 100_000,
    lives: 200_000,
    time: Duration::from_secs(3),
    timed: 500,
    mass: 1_000_000,
    idle: Duration::from_mins(1),
};

/// Measures what the plan asks for.
pub(crate) async fn run(plan: &Plan) -> anyhow::Result<Report> {
    for name in &plan.only {
        let known = FIGURES.iter().any(|spec| begins(spec.name, name));
        anyhow::ensure!(known, "there is no figure called {name}");
    }
    let mode = match (plan.only.is_empty(), plan.quick) {
        (false, _) => "part",
        (true, true) => "quick",
        (true, false) => "whole",
    };
    std::fs::create_dir_all(&plan.dir)
        .with_context(|| format!("cannot make {}", plan.dir.display()))?;
    let mut bench = Bench {
        plan,
        scale: if plan.quick { QUICK } else { WHOLE },
        report: Report::new(mode),
    };
    bench.machine().await?;
    bench.process().await?;
    bench.served().await?;
    if !plan.quick {
        bench.large().await?;
    }
    if plan.peers {
        bench.peers().await;
    }
    bench.report.judge();
    Ok(bench.report)
}

/// Whether a figure is meant by a name: its own, or the beginning of it up to a dot.
fn begins(figure: &str, name: &str) -> bool {
    let rest = figure.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A run under way.
struct Bench<'a> {
    plan: &'a Plan,
    scale: Scale,
    report: Report,
}

impl Bench<'_> {
    /// Whether any of these figures is to be measured.
    fn wants(&self, figures: &[&str]) -> bool {
        let only = &self.plan.only;
        let asked = |figure: &&str| only.iter().any(|name| begins(figure, name));
        only.is_empty() || figures.iter().any(asked)
    }

    fn add(&mut self, name: &str, runs: Vec<f64>) {
        let unit = figure::find(name).map_or("", |spec| spec.unit);
        self.report.add(name, unit, runs);
    }

    /// Measures a figure as often as the scale says.
    async fn repeat(
        &mut self,
        name: &str,
        measure: impl AsyncFn() -> anyhow::Result<f64>,
    ) -> anyhow::Result<()> {
        if !self.wants(&[name]) {
            return Ok(());
        }
        let told = Told::begin(name);
        let mut runs = Vec::new();
        while told.goes_on(runs.len(), &self.scale) {
            runs.push(
                measure()
                    .await
                    .with_context(|| format!("measuring {name}"))?,
            );
        }
        self.add(name, runs);
        Ok(())
    }
}

/// Tells the person at the terminal what is going on, and how long it took.
struct Told(Instant);

impl Told {
    fn begin(name: &str) -> Self {
        // Where standard error is closed, nobody can be told.
        let _ = write!(std::io::stderr(), "measuring {name} …");
        Told(Instant::now())
    }

    /// Whether there is to be a run more after so many.
    fn goes_on(&self, runs: usize, scale: &Scale) -> bool {
        runs == 0 || (runs < scale.runs && self.0.elapsed() < scale.patience)
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        let _ = writeln!(
            std::io::stderr(),
            " {:.1} s",
            self.0.elapsed().as_secs_f64()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::begins;

    #[test]
    fn a_name_stands_for_itself_and_for_what_is_under_it() {
        assert!(begins("floor.life", "floor") && begins("floor.life", "floor.life"));
        assert!(!begins("floor.life", "flo") && !begins("floor", "floor.life"));
    }
}
