//! Every test there is, each part run whatever became of the others.

use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::Args;

use crate::place::Place;
use crate::tally::Tally;
use crate::{end2end, process, say, serve};

/// Which tests; both without a flag.
#[derive(Args)]
pub(crate) struct Parts {
    /// Only Rust's tests
    #[arg(long)]
    rust: bool,
    /// Only the browser's tests
    #[arg(long)]
    browser: bool,
    /// Arguments for Playwright, as in `cargo xtask test --browser -- jobs.spec.ts`
    #[arg(last = true)]
    playwright: Vec<OsString>,
}

/// Runs the parts and closes with one line that sums up all of them.
pub(crate) fn run(place: &Place, parts: &Parts) -> Result<()> {
    let both = parts.rust == parts.browser;
    let mut total = Tally::default();
    if both || parts.rust {
        record("Rust's tests", &mut total, |tally| rust(place, tally));
    }
    if both || parts.browser {
        record("the browser's tests", &mut total, |tally| {
            let server = serve::build(place)?;
            end2end::run(place, &server, &parts.playwright, tally)
        });
    }
    say::result(&total.line());
    if total.failed > 0 {
        bail!("not every test passed");
    }
    Ok(())
}

/// Runs one part; a part that cannot even run is a failure too, and says why.
fn record(name: &str, total: &mut Tally, part: impl FnOnce(&mut Tally) -> Result<bool>) {
    let mut tally = Tally::default();
    let ended_well = part(&mut tally).unwrap_or_else(|error| {
        say::note(&format!("{name}: {error:#}"));
        false
    });
    total.add(&tally, ended_well);
    let mut own = Tally::default();
    own.add(&tally, ended_well);
    say::note(&format!("{name}: {}", own.line()));
}

fn rust(place: &Place, tally: &mut Tally) -> Result<bool> {
    say::note("Running Rust's tests (the first time compiles for some minutes) …");
    let mut cargo = place.cargo(&["test", "--locked", "--workspace", "--no-fail-fast"]);
    process::watch(&mut cargo, |line| tally.cargo_line(line))
}
