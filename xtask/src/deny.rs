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
        command.args(["--workspace", "--locked"]).args(arguments);
        process::run(&mut command)
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
    deny(&["--offline", "check", "advisories"])
}

/// The tool, installed if need be; unoptimised, which is quick enough and builds in a minute.
fn find(place: &Place) -> Result<PathBuf> {
    if let Some(tool) = process::on_path("cargo-deny") {
        return Ok(tool);
    }
    let tools = place.target.join("tools");
    let tool = tools.join("bin/cargo-deny");
    if !tool.is_file() {
        let mut install = place.cargo(&["install", "cargo-deny", "--debug", "--locked"]);
        install.args(["--version", VERSION, "--root"]).arg(&tools);
        install.env("CARGO_TARGET_DIR", tools.join("build"));
        let what = "Installing cargo-deny (once; takes a minute or two)";
        say::timed(what, || process::run(&mut install))?;
    }
    Ok(tool)
}
