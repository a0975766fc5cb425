//! Counts tests as their runners report them.

use anyhow::{Context, Result};
use serde_json::Value;

/// What ran, over all runners.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that held.
    pub(crate) passed: u64,
    /// Tests that did not, and parts that could not run at all.
    pub(crate) failed: u64,
    /// Tests that were left out.
    pub(crate) skipped: u64,
}

impl Tally {
    /// Reads one line of `cargo test`; only the closing line of a test binary counts.
    pub(crate) fn cargo_line(&mut self, line: &str) {
        let Some(counts) = line.trim().strip_prefix("test result:") else {
            return;
        };
        for part in counts.split([';', '.']) {
            let mut words = part.split_whitespace();
            let Some(count) = words.next().and_then(|word| word.parse::<u64>().ok()) else {
                continue;
            };
            match words.next() {
                Some("passed") => self.passed += count,
                Some("failed") => self.failed += count,
                Some("ignored") => self.skipped += count,
                _ => {}
            }
        }
    }

    /// Reads Playwright's JSON report. A flaky test failed at least once, so it failed.
    pub(crate) fn playwright(&mut self, report: &str) -> Result<()> {
        let report: Value =
            serde_json::from_str(report).context("Playwright's report is not JSON")?;
        let count = |name: &str| -> Result<u64> {
            report["stats"][name]
                .as_u64()
                .with_context(|| format!("Playwright's report has no stats.{name}"))
        };
        self.passed += count("expected")?;
        self.failed += count("unexpected")? + count("flaky")?;
        self.skipped += count("skipped")?;
        let errors = report["errors"].as_array().map_or(0, Vec::len);
        self.failed += u64::try_from(errors)?;
        Ok(())
    }

    /// Adds the counts of one part. A part that ended badly without a failed test is itself one failure.
    pub(crate) fn add(&mut self, part: &Self, ended_well: bool) {
        self.passed += part.passed;
        self.skipped += part.skipped;
        self.failed += part.failed + u64::from(!ended_well && part.failed == 0);
    }

    /// The closing line.
    pub(crate) fn line(&self) -> String {
        let counts = format!("{} passed, {} failed", self.passed, self.failed);
        match self.skipped {
            0 => counts,
            skipped => format!("{counts}, {skipped} skipped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn closing_lines_of_cargo_test_add_up() {
        let mut tally = Tally::default();
        tally.cargo_line("running 3 tests");
        tally.cargo_line("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s");
        tally.cargo_line("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.25s");
        tally.cargo_line("test says_5_passed ... ok");
        assert_eq!(
            tally,
            Tally {
                passed: 15,
                failed: 2,
                skipped: 1
            }
        );
        assert_eq!(tally.line(), "15 passed, 2 failed, 1 skipped");
    }

    #[test]
    fn a_flaky_browser_test_and_an_error_outside_any_test_are_failures() {
        let mut tally = Tally::default();
        let report =
            r#"{"errors":[{}],"stats":{"expected":7,"unexpected":1,"flaky":2,"skipped":3}}"#;
        tally.playwright(report).unwrap();
        assert_eq!(
            tally,
            Tally {
                passed: 7,
                failed: 4,
                skipped: 3
            }
        );
    }

    #[test]
    fn a_report_without_counts_is_an_error() {
        assert!(Tally::default().playwright(r#"{"stats":{}}"#).is_err());
    }

    #[test]
    fn a_part_that_breaks_before_its_first_test_is_one_failure() {
        let mut tally = Tally::default();
        tally.add(&Tally::default(), false);
        assert_eq!(tally.line(), "0 passed, 1 failed");
    }
}
