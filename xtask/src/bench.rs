//! The benchmark: the release server is built and told to measure itself.

use std::ffi::OsString;

use anyhow::Result;

use crate::place::Place;
use crate::{process, serve};

/// Builds the release server and runs its `bench` command at the root of the workspace.
pub(crate) fn run(place: &Place, arguments: &[OsString]) -> Result<()> {
    let server = serve::build(place)?;
    let mut command = place.command(server);
    command.arg("bench").args(folder(place, arguments));
    command.args(arguments);
    process::run(&mut command)
}

/// Databases go where everything else goes that is made here, unless another folder is asked for.
fn folder(place: &Place, arguments: &[OsString]) -> Vec<OsString> {
    let own = arguments.first().is_some_and(|first| first == "seed");
    let asked = arguments
        .iter()
        .any(|argument| argument.to_string_lossy().starts_with("--dir"));
    let table = arguments.iter().any(|argument| argument == "--table");
    if own || asked || table {
        return Vec::new();
    }
    vec!["--dir".into(), place.target.join("bench").into()]
}
