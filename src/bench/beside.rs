//! Queues side by side, for the terminal or for a page: a row each, and below them what needs words,
//! above all where we do not lead.

use super::peers::{self, LEADS};
use super::report::{Report, shown};
use super::row::{Latency, Row};

/// The heads of the table.
pub(crate) const SIDE_HEADS: [&str; 9] = [
    "queue",
    "durable",
    "enqueue × 1 /s",
    "enqueue × 64 /s",
    "bulk /s",
    "drain /s",
    "before a deep backlog",
    "latency p50 / p95 / p99 ms",
    "MB",
];

/// What stands where nothing was measured.
const NOTHING: &str = "–";
/// A part of the rate that counts as all of it.
const HELD: f64 = 0.9;

impl Report {
    /// The rows of the table of queues; none if they were not measured.
    pub(crate) fn side_by_side(&self) -> Vec<Vec<String>> {
        self.peers.iter().map(cells).collect()
    }

    /// What the table of queues does not show by itself, a sentence each.
    pub(crate) fn remarks(&self) -> Vec<String> {
        if self.peers.is_empty() {
            return Vec::new();
        }
        let mut remarks: Vec<String> = self.leads();
        remarks.extend(self.depth());
        remarks.extend(self.peers.iter().flat_map(exceptions));
        remarks
    }

    /// Where we lead, and where not.
    fn leads(&self) -> Vec<String> {
        let told = LEADS.iter().filter_map(|lead| {
            let (times, peer) = peers::against(&self.peers, lead)?;
            let target = self.target(lead.name).unwrap_or(1.0);
            let (words, times, meant) = (lead.words, shown(times), shown(target));
            let met = self.value(lead.name).is_some_and(|own| own >= target);
            Some(if met {
                format!(
                    "Conveyor leads on {words}: {times} times {peer}, the best that is durable."
                )
            } else {
                format!(
                    "Conveyor does not reach its aim on {words}: \
                     {times} times {peer}, and at least {meant} is meant."
                )
            })
        });
        told.collect()
    }

    fn target(&self, name: &str) -> Option<f64> {
        self.figures.get(name)?.target.as_ref()?.value
    }

    /// How much of our rate we keep before a deep backlog.
    fn depth(&self) -> Vec<String> {
        let ours = self.peers.iter().filter(|row| peers::is_ours(row));
        let told = ours.filter_map(|row| {
            let held = row.held()?;
            let keeps = if held >= HELD { "keeps" } else { "keeps only" };
            let (name, held) = (&row.peer, shown(held));
            Some(format!(
                "`{name}` {keeps} {held} of its rate before a deep backlog."
            ))
        });
        told.collect()
    }
}

fn cells(row: &Row) -> Vec<String> {
    let mut cells = vec![row.peer.clone()];
    if let Some(why) = &row.not_run {
        cells.push(format!("not run: {why}"));
        cells.resize(SIDE_HEADS.len(), NOTHING.to_owned());
        return cells;
    }
    let number = |value: Option<f64>| value.map_or(NOTHING.to_owned(), shown);
    cells.push(row.durable.clone());
    cells.extend([row.enqueue_1, row.enqueue_64, row.bulk, row.drain].map(number));
    cells.push(depth(row));
    let waits = |Latency { p50, p95, p99 }| [p50, p95, p99].map(shown).join(" / ");
    cells.push(row.latency_ms.map_or(NOTHING.to_owned(), waits));
    cells.push(number(row.rss_mb));
    cells
}

/// The drain before a deep backlog: its rate, the part of the usual rate that it is, and the backlog.
fn depth(row: &Row) -> String {
    let (Some(rate), Some(backlog)) = (row.deep_drain, row.deep_backlog) else {
        return NOTHING.to_owned();
    };
    let part = row.held().map_or(NOTHING.to_owned(), shown);
    let memory = row.deep_rss_mb.map(|mb| format!(", {} MB", shown(mb)));
    format!(
        "{} ({part}) at {}{}",
        shown(rate),
        shown(backlog),
        memory.unwrap_or_default()
    )
}

/// What was not done as with the others.
fn exceptions(row: &Row) -> Vec<String> {
    let name = &row.peer;
    let reduced = row.reduced.iter().map(|(figure, jobs)| {
        format!(
            "`{name}`: {figure} is of {} jobs; time was up.",
            shown(*jobs)
        )
    });
    let failed = row
        .failed
        .iter()
        .map(|(figure, why)| format!("`{name}`: no {figure}: {why}."));
    reduced.chain(failed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(lines: &[&str]) -> Report {
        let mut report = Report::new("part");
        let rows = lines.iter().map(|line| serde_json::from_str(line).unwrap());
        report.peers.extend(rows);
        report.add("lead.drain", "times", vec![1.5]);
        report.judge();
        report
    }

    #[test]
    fn the_table_says_what_was_not_run_and_where_we_do_not_lead() {
        let report = report(&[
            r#"{"peer":"conveyor","durable":"yes","synced":true,"embedded":true,"drain":3000,
                "deep_drain":2400,"deep_backlog":1000000}"#,
            r#"{"peer":"a","durable":"yes","synced":true,"drain":2000,"reduced":{"drain":60}}"#,
            r#"{"peer":"b","not_run":"no server"}"#,
        ]);
        let rows = report.side_by_side();
        assert!(rows.iter().all(|row| row.len() == SIDE_HEADS.len()));
        assert_eq!(rows[0][6], "2,400 (0.8) at 1,000,000");
        assert_eq!(rows[1][5], "2,000");
        assert_eq!(rows[2][1], "not run: no server");
        let remarks = [
            "Conveyor does not reach its aim on drain: 1.5 times a, and at least 2 is meant.",
            "`conveyor` keeps only 0.8 of its rate before a deep backlog.",
            "`a`: drain is of 60 jobs; time was up.",
        ];
        assert_eq!(report.remarks(), remarks);
        let page = report.markdown();
        assert!(page.contains("| b | not run: no server |") && page.contains(remarks[0]));
    }

    #[test]
    fn without_peers_there_is_no_table() {
        let report = Report::new("quick");
        assert!(report.side_by_side().is_empty() && report.remarks().is_empty());
    }
}
