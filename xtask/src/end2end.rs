//! The browser tests: their packages, their types, their run.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::digest::Mark;
use crate::place::Place;
use crate::tally::Tally;
use crate::{browser, process, say, setup};

/// Installs what the browser tests need and returns the browser.
fn prepare(place: &Place) -> Result<Option<PathBuf>> {
    setup::node()?;
    let lock = fs::read(folder(place).join("package-lock.json"))?;
    let mark = Mark::of(place.kept().join("npm.mark"), &[&lock])?;
    if !mark.is_kept()
        || !folder(place)
            .join("node_modules/.package-lock.json")
            .is_file()
    {
        say::timed("Installing the browser tests' packages", || {
            process::run(within(place, "npm").arg("ci"))
        })?;
        mark.keep()?;
    }
    browser::find(place)
}

/// Checks the types, runs Playwright against `server`, and counts its tests into `tally`. Returns whether
/// all of it went well.
pub(crate) fn run(
    place: &Place,
    server: &Path,
    arguments: &[OsString],
    tally: &mut Tally,
) -> Result<bool> {
    let browser = prepare(place)?;
    say::timed("Checking the browser tests' types", || {
        process::run(within(place, "npx").args(["tsc", "--noEmit"]))
    })?;
    let report = folder(place).join("test-results/report.json");
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut playwright = within(place, "npx");
    playwright
        .args(["playwright", "test"])
        .args(arguments)
        .env("SERVER_BINARY", server);
    if let Some(browser) = &browser {
        playwright.env("CHROMIUM", browser);
    }
    say::note("Running the browser tests …");
    let went_well = process::watch(&mut playwright, |_| {})?;
    let text = fs::read_to_string(&report)
        .context("Playwright left no report, so it is unknown what ran")?;
    tally.playwright(&text)?;
    if went_well && tally.passed == 0 {
        bail!("Playwright ran no test");
    }
    Ok(went_well)
}

fn folder(place: &Place) -> PathBuf {
    place.root.join("end2end")
}

fn within(place: &Place, program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder(place));
    command
}
