//! Other queues on the same machine. What runs them is in the repository, `benches/peers/run`, which
//! prints one JSON object a peer; here they are put beside our own figures.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use tokio::process::Command;

use super::{Bench, Report, Told};

/// What runs the peers, from the root of the repository.
const PROGRAM: &str = "benches/peers/run";
/// Jobs of a phase in a quick run.
const QUICK_JOBS: &str = "5000";

/// What our figures are compared by: the name of the comparison, our figure, theirs.
const LEADS: [(&str, &str, &str); 3] = [
    ("lead.drain", "inproc.drain", "drain"),
    ("lead.bulk", "rest.bulk", "bulk"),
    ("lead.enqueue_64", "inproc.enqueue_64", "enqueue_64"),
];

impl Bench<'_> {
    /// Measures the peers whose requirements are there; tells of the others.
    pub(super) async fn peers(&mut self) -> anyhow::Result<()> {
        ensure!(
            Path::new(PROGRAM).exists(),
            "--peers needs {PROGRAM}: run it at the root of the repository"
        );
        let _told = Told::begin("peers");
        let mut command = Command::new(PROGRAM);
        if self.plan.quick {
            command.args(["--jobs", QUICK_JOBS]);
        } else {
            command.arg("--long");
        }
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .await
            .with_context(|| format!("cannot start {PROGRAM}"))?;
        for line in String::from_utf8(output.stdout)?.lines() {
            let peer: Value = serde_json::from_str(line)
                .with_context(|| format!("{PROGRAM} printed no JSON: {line}"))?;
            keep(&mut self.report, peer);
        }
        compare(&mut self.report);
        Ok(())
    }
}

/// Keeps what a peer has of figures, and the rest of what it tells as it is.
fn keep(report: &mut Report, peer: Value) {
    if let (Some(name), Some(fields)) = (peer["peer"].as_str(), peer.as_object()) {
        for (field, value) in fields {
            let figure = format!("peers.{name}.{field}");
            if let Some(value) = value.as_f64() {
                let unit = if field.starts_with("rss") {
                    "MB"
                } else {
                    "jobs/s"
                };
                report.add(&figure, unit, vec![value]);
            }
            let parts = value.as_object().filter(|_| field == "latency_ms");
            for (part, value) in parts.into_iter().flatten() {
                if let Some(value) = value.as_f64() {
                    report.add(&format!("{figure}.{part}"), "ms", vec![value]);
                }
            }
        }
    }
    report.peers.push(peer);
}

/// How many times as fast as the best durable peer we are.
fn compare(report: &mut Report) {
    for (name, ours, theirs) in LEADS {
        let durable = report.peers.iter().filter(|peer| peer["durable"] == "yes");
        let best = durable.filter_map(|peer| peer[theirs].as_f64());
        let best = best.fold(0.0, f64::max);
        if let Some(own) = report.value(ours).filter(|_| best > 0.0) {
            report.add(name, "times", vec![own / best]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_are_compared_with_the_best_that_is_durable() {
        let mut report = Report::new("part");
        report.add("inproc.drain", "jobs/s", vec![600.0]);
        for text in [
            r#"{"peer":"a","durable":"yes","drain":200,"latency_ms":{"p50":1.5}}"#,
            r#"{"peer":"b","durable":"yes","drain":300}"#,
            r#"{"peer":"c","durable":"up to 1 s lost","drain":900}"#,
            r#"{"peer":"d","missing":"a server"}"#,
        ] {
            keep(&mut report, serde_json::from_str(text).unwrap());
        }
        compare(&mut report);
        assert_eq!(report.value("lead.drain"), Some(2.0));
        assert_eq!(report.value("lead.bulk"), None);
        assert_eq!(report.value("peers.a.latency_ms.p50"), Some(1.5));
        assert_eq!(report.value("peers.c.drain"), Some(900.0));
        assert_eq!(report.peers.len(), 4);
    }
}
