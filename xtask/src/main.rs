//! `cargo xtask`: everything a person does with this repository, by one name each.
//!
//! Each command first looks at what it needs (`setup`, `browser`), installs what it may and names the exact
//! command for the rest. Building the dashboard (`site`) is three steps that each skip themselves when their
//! input is the one of last time: Rust to WebAssembly (`wasm`), the style sheet (`style`), compression (`compress`).

mod bench;
mod browser;
mod check;
mod compress;
mod deny;
mod dev;
mod digest;
mod end2end;
mod order;
mod place;
mod process;
mod rules;
mod say;
mod serve;
mod setup;
mod site;
mod style;
mod tally;
mod test;
mod unreached;
mod wasm;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::place::Place;

/// Build, run and test Conveyor.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the dashboard and the release server with the dashboard inside
    Build,
    /// Build what is missing and start the release server at <http://localhost:8085>
    Run {
        /// Arguments for the server, as in `cargo xtask run -- --port 9000`
        #[arg(last = true)]
        arguments: Vec<OsString>,
    },
    /// Run every test: Rust's, then the browser's against the release server
    Test(test::Parts),
    /// Check formatting, lints, documentation, dependencies and the project's own rules
    Check,
    /// Build the release server and measure it: `--quick`, `--json FILE`, `--only NAME,…`, `--peers`
    Bench {
        /// Arguments for `conveyor bench`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Start a debug server; rebuild and restart it whenever a source file changes
    Dev {
        /// Arguments for the server
        #[arg(last = true)]
        arguments: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::note(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let place = Place::find()?;
    match command {
        Command::Build => serve::build(&place).map(drop),
        Command::Run { arguments } => serve::run(&place, &arguments),
        Command::Test(parts) => test::run(&place, &parts),
        Command::Bench { arguments } => bench::run(&place, &arguments),
        Command::Check => check::run(&place),
        Command::Dev { arguments } => dev::run(&place, &arguments),
    }
}
