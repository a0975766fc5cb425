//! `conveyor bench`: what this machine, its disk and the queue on it can do.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;

use super::{Output, output};
use crate::bench::{self, HEADS, Plan, Report, SIDE_HEADS};
use crate::clock::{Clock as _, SystemClock};
use crate::config::Config;
use crate::events::Events;
use crate::store::{self, StoreOptions};

/// What to measure, and where the figures go.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Bench {
    #[command(subcommand)]
    other: Option<Other>,
    /// Fewer jobs, shorter times, no large databases: within 90 seconds
    #[arg(long)]
    quick: bool,
    /// Write every figure to this file, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Only these figures, such as inproc.life or floor; comma-separated
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Jobs of the large database; with fewer, the figures that need it say less
    #[arg(long, value_name = "N", default_value = "5000000")]
    large: usize,
    /// Measure other queues too, those that are installed; at the root of the repository
    #[arg(long)]
    peers: bool,
    /// Make databases in this folder, which must be on a disk
    #[arg(long, value_name = "FOLDER", default_value = "target/bench")]
    dir: PathBuf,
    /// Measure nothing; print the table of a file that --json wrote, as Markdown
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "json", "only", "peers"])]
    table: Option<PathBuf>,
}

/// What else there is to do than to measure.
#[derive(Clone, Copy, Debug, clap::Subcommand)]
enum Other {
    /// Fill a database with some days of made-up life
    Seed {
        /// How many jobs
        #[arg(long, value_name = "N")]
        jobs: usize,
    },
    /// The server that is measured
    #[command(hide = true)]
    Serve {
        /// Jobs that run at once
        #[arg(long, value_name = "N")]
        slots: usize,
    },
}

impl Bench {
    /// Whether it is a server, which has more to log.
    pub(super) fn serves(&self) -> bool {
        matches!(self.other, Some(Other::Serve { .. }))
    }

    /// Measures and tells, or does what else was asked.
    pub(super) async fn run(self, form: Output, config: &Config) -> anyhow::Result<ExitCode> {
        match self.other {
            Some(Other::Seed { jobs }) => seed(&config.database_url, jobs).await?,
            Some(Other::Serve { slots }) => bench::serve(&config.database_url, slots).await?,
            None => self.measure(form).await?,
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn measure(self, form: Output) -> anyhow::Result<()> {
        if let Some(file) = &self.table {
            return output::text(&read(file)?.markdown());
        }
        let plan = Plan {
            quick: self.quick,
            only: self.only,
            large: self.large,
            peers: self.peers,
            dir: self.dir,
        };
        let report = bench::run(&plan).await?;
        let json = serde_json::to_string_pretty(&report)?;
        if let Some(file) = &self.json {
            std::fs::write(file, format!("{json}\n"))
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        match form {
            Output::Json => output::line(&json),
            Output::Table => print(&report),
        }
    }
}

fn print(report: &Report) -> anyhow::Result<()> {
    output::table(&HEADS, report.rows())?;
    let queues = report.side_by_side();
    if !queues.is_empty() {
        output::text("\n")?;
        output::table(&SIDE_HEADS, queues)?;
        output::text(&format!("\n{}\n", report.remarks().join("\n")))?;
    }
    Ok(())
}

async fn seed(database: &str, jobs: usize) -> anyhow::Result<()> {
    let options = StoreOptions {
        url: database.to_owned(),
        readers: 1,
    };
    let store = store::open(&options, Events::default()).await?;
    let began = Instant::now();
    let told = |count: usize| {
        if count.is_multiple_of(500_000) {
            output::notice(&format!("{count} of {jobs} jobs"));
        }
    };
    bench::seed(&*store, jobs, SystemClock.now(), told).await?;
    store.close().await;
    let took = began.elapsed().as_secs_f64();
    output::notice(&format!("{jobs} jobs in {took:.1} s"));
    Ok(())
}

fn read(file: &Path) -> anyhow::Result<Report> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} holds no figures", file.display()))
}
