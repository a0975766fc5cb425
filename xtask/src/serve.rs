//! The release server: built with the dashboard inside, and started.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::place::Place;
use crate::wasm::Profile;
use crate::{process, say, site};

/// Builds the dashboard, then the server around it, and returns the server's binary.
pub(crate) fn build(place: &Place) -> Result<PathBuf> {
    site::build(place, Profile::Release)?;
    let mut cargo = place.cargo(&[
        "build",
        "--locked",
        "--release",
        "--package",
        "conveyor",
        "--bin",
        "conveyor",
    ]);
    say::timed(
        "Compiling the server (the first time takes some minutes)",
        || process::run(&mut cargo),
    )?;
    let server = place.server("release");
    say::note(&format!(
        "{} is ready; it holds everything it needs",
        place.shown(&server)
    ));
    Ok(server)
}

/// Builds and starts the server in place of this process: it gets the terminal, the environment and
/// every signal itself.
pub(crate) fn run(place: &Place, arguments: &[OsString]) -> Result<()> {
    let server = build(place)?;
    let mut command = Command::new(server);
    command.arg("serve").args(arguments);
    become_it(command)
}

#[cfg(unix)]
fn become_it(mut command: Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn become_it(mut command: Command) -> Result<()> {
    process::run(&mut command)
}
