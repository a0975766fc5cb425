//! Everything that can be said about the source without running it.

use anyhow::{Result, bail};

use crate::place::Place;
use crate::{deny, process, rules, say, setup, style, wasm};

type Check = fn(&Place) -> Result<()>;

/// Runs every check, cheap ones first, and fails at the end if any did.
pub(crate) fn run(place: &Place) -> Result<()> {
    let checks: [(&str, Check); 7] = [
        ("formatting", formatting),
        ("the project's own rules", rules::check),
        ("the style sheet", |place| style::build(place).map(drop)),
        ("lints (the first time takes some minutes)", lints),
        ("lints of the browser's side", browser_lints),
        ("documentation", documentation),
        ("dependencies", deny::check),
    ];
    let mut failed = Vec::new();
    for (name, check) in checks {
        if say::timed(&format!("Checking {name}"), || check(place)).is_err() {
            failed.push(name);
        }
    }
    let held = checks.len() - failed.len();
    say::result(&format!("check: {held} of {} hold", checks.len()));
    if !failed.is_empty() {
        bail!("these do not hold: {}", failed.join("; "));
    }
    Ok(())
}

fn formatting(place: &Place) -> Result<()> {
    process::run(&mut place.cargo(&["fmt", "--all", "--check"]))
}

fn lints(place: &Place) -> Result<()> {
    let arguments = [
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
    ];
    process::run(&mut place.cargo(&arguments))
}

fn browser_lints(place: &Place) -> Result<()> {
    let std = setup::wasm_std(place)?;
    let mut cargo = wasm::cargo(place, "clippy", std);
    process::run(cargo.args(["--locked", "--", "--deny", "warnings"]))
}

fn documentation(place: &Place) -> Result<()> {
    let mut cargo = place.cargo(&[
        "doc",
        "--locked",
        "--workspace",
        "--no-deps",
        "--document-private-items",
    ]);
    process::run(cargo.env("RUSTDOCFLAGS", "--deny warnings"))
}
