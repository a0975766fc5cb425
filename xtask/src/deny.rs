//! Licences, sources, bans and advisories of the dependencies, by cargo-deny and `deny.toml`.

use std::path::PathBuf;

use anyhow::Result;

use crate::place::Place;
use crate::{process, say};

/// The version that is installed where none is found.
const VERSION: &str = "0.20.2";

/// What needs no network always counts; advisories count when their database can be had.
pub(crate) fn check(place: &Place) -> Result<()> {
    let tool = find(place)?;
    let deny = |arguments: &[&str]| {
        let mut command = place.command(&tool);
        process::run(
            command
                .args(["--log-level", "warn", "--locked"])
                .args(arguments),
        )
    };
    deny(&[
        "check",
        "--hide-inclusion-graph",
        "bans",
        "licenses",
        "sources",
    ])?;
    if let Err(error) = deny(&["fetch", "db"]) {
        say::result(&format!(
            "advisories not checked: their database could not be fetched ({error:#})"
        ));
        return Ok(());
    }
    deny(&["check", "--disable-fetch", "advisories"])
}

fn find(place: &Place) -> Result<PathBuf> {
    if let Some(tool) = process::on_path("cargo-deny") {
        return Ok(tool);
    }
    let tools = place.target.join("tools");
    let tool = tools.join("bin/cargo-deny");
    if !tool.is_file() {
        let mut install = place.cargo(&[
            "install",
            "cargo-deny",
            "--locked",
            "--version",
            VERSION,
            "--root",
        ]);
        install
            .arg(&tools)
            .env("CARGO_TARGET_DIR", tools.join("build"));
        say::timed("Installing cargo-deny (once; takes some minutes)", || {
            process::run(&mut install)
        })?;
    }
    Ok(tool)
}
