//! Other queues on the same machine and under the same terms as our own rows. What runs them is in the
//! repository, `benches/peers/run`, which prints one JSON object a peer.

use std::path::Path;
use std::process::{Output, Stdio};

use anyhow::{Context as _, ensure};
use tokio::process::Command;

use super::own::{self, Terms};
use super::row::Row;
use super::{Bench, Report, Told};

/// What runs the peers, from the root of the repository.
const PROGRAM: &str = "benches/peers/run";

const WHOLE: Terms = Terms {
    jobs: 100_000,
    deep: 1_000_000,
    timed: 500,
};
/// So few that nothing is learnt but that it works, and roughly what comes out.
const QUICK: Terms = Terms {
    jobs: 5_000,
    deep: 0,
    timed: 100,
};

/// By what we are compared with the others.
pub(super) struct Lead {
    /// The name of the comparison, which has a target.
    pub(super) name: &'static str,
    /// The same in words.
    pub(super) words: &'static str,
    pub(super) of: fn(&Row) -> Option<f64>,
    /// Whether what goes through a socket is compared with what goes through a socket. Handlers run
    /// in the caller's program with every peer, so a drain is always that of our library.
    kinds: bool,
}

pub(super) const LEADS: [Lead; 3] = [
    Lead {
        name: "lead.drain",
        words: "drain",
        of: |row| row.drain,
        kinds: false,
    },
    Lead {
        name: "lead.bulk",
        words: "bulk",
        of: |row| row.bulk,
        kinds: true,
    },
    Lead {
        name: "lead.enqueue_64",
        words: "enqueue × 64",
        of: |row| row.enqueue_64,
        kinds: true,
    },
];

impl Bench<'_> {
    /// Measures our own rows and those of the peers whose requirements are there; tells of the others.
    /// Nothing that fails here costs what else the run has measured.
    pub(super) async fn peers(&mut self) {
        let terms = if self.plan.quick { QUICK } else { WHOLE };
        let dir = self.plan.dir.clone();
        let _told = Told::begin("peers");
        let row = own::in_process(&dir, terms).await;
        let mut row = row.unwrap_or_else(|why| Row::not_run(own::IN_PROCESS, format!("{why:#}")));
        if self.scale.mass == terms.deep && row.not_run.is_none() {
            row.deep_rss_mb = self.report.value("rss_mb.drain");
        }
        keep(&mut self.report, row);
        let row = own::over_rest(&dir, terms).await;
        let row = row.unwrap_or_else(|why| Row::not_run(own::OVER_REST, format!("{why:#}")));
        keep(&mut self.report, row);
        match run(terms).await {
            Ok(output) => read(&mut self.report, &output),
            Err(why) => keep(&mut self.report, Row::not_run(PROGRAM, format!("{why:#}"))),
        }
        compare(&mut self.report);
    }
}

async fn run(terms: Terms) -> anyhow::Result<Output> {
    let there = Path::new(PROGRAM).exists();
    ensure!(there, "it is not here: start at the root of the repository");
    let mut command = Command::new(PROGRAM);
    command.args(["--jobs", &terms.jobs.to_string()]);
    command.args(["--deep", &terms.deep.to_string()]);
    let output = command.stderr(Stdio::inherit()).output().await;
    output.context("it cannot be started")
}

/// Keeps every row that was printed.
fn read(report: &mut Report, output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    for line in text.lines() {
        let row = serde_json::from_str(line);
        let row = row.unwrap_or_else(|why| Row::not_run(PROGRAM, format!("{why} in {line:?}")));
        keep(report, row);
    }
    if text.is_empty() {
        let why = format!("it printed nothing and ended with {}", output.status);
        keep(report, Row::not_run(PROGRAM, why));
    }
}

/// Keeps a row, and its figures under their own names.
fn keep(report: &mut Report, row: Row) {
    for (name, unit, value) in row.figures() {
        report.add(&name, unit, vec![value]);
    }
    report.peers.push(row);
}

/// How many times as fast as the best durable peer we are, by kind, where that is least.
fn compare(report: &mut Report) {
    for lead in &LEADS {
        if let Some((times, _)) = against(&report.peers, lead) {
            report.add(lead.name, "times", vec![times]);
        }
    }
}

/// How many times as fast as a durable peer we are, and which it is: the one where that is least.
pub(super) fn against<'a>(rows: &'a [Row], lead: &Lead) -> Option<(f64, &'a str)> {
    let ours = |name| rows.iter().find(|row| row.peer == name).and_then(lead.of);
    let (in_process, over_rest) = (ours(own::IN_PROCESS), ours(own::OVER_REST));
    let others = rows.iter().filter(|row| row.synced && !is_ours(row));
    let times = others.filter_map(|row| {
        let inside = row.embedded || !lead.kinds;
        let own = if inside { in_process } else { over_rest };
        Some((own? / (lead.of)(row)?, row.peer.as_str()))
    });
    times.min_by(|one, other| one.0.total_cmp(&other.0))
}

/// Whether a row is one of our own.
pub(super) fn is_ours(row: &Row) -> bool {
    [own::IN_PROCESS, own::OVER_REST].contains(&row.peer.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(lines: &[&str]) -> Report {
        let mut report = Report::new("part");
        for line in lines {
            keep(&mut report, serde_json::from_str(line).unwrap());
        }
        compare(&mut report);
        report
    }

    #[test]
    fn we_are_compared_with_the_best_that_syncs() {
        let report = report(&[
            r#"{"peer":"conveyor","synced":true,"embedded":true,"drain":600,"enqueue_64":90}"#,
            r#"{"peer":"conveyor-rest","synced":true,"drain":100,"enqueue_64":50}"#,
            r#"{"peer":"a","synced":true,"drain":200,"enqueue_64":20,"latency_ms":{"p50":1.5}}"#,
            r#"{"peer":"b","synced":true,"embedded":true,"drain":300,"enqueue_64":30}"#,
            r#"{"peer":"c","durable":"up to 1 s lost","drain":900}"#,
            r#"{"peer":"d","not_run":"no server"}"#,
        ]);
        assert_eq!(report.value("lead.drain"), Some(2.0));
        // Against `a` over a socket, 2.5 times; against `b` in the process, 3 times.
        assert_eq!(report.value("lead.enqueue_64"), Some(2.5));
        assert_eq!(report.value("lead.bulk"), None);
        assert_eq!(report.value("peers.a.latency_ms.p50"), Some(1.5));
        assert_eq!(report.value("peers.c.drain"), Some(900.0));
        assert_eq!(report.peers.len(), 6);
    }

    #[test]
    fn a_runner_that_fails_is_a_row_that_says_so() {
        let mut report = Report::new("part");
        let output = |text: &str| Output {
            status: std::process::ExitStatus::default(),
            stdout: text.into(),
            stderr: Vec::new(),
        };
        read(&mut report, &output(""));
        read(&mut report, &output("Traceback\n{\"peer\":\"a\"}\n"));
        let not_run = |row: &Row| row.not_run.is_some();
        let told: Vec<bool> = report.peers.iter().map(not_run).collect();
        assert_eq!(told, [true, true, false]);
    }
}
