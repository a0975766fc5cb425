//! The command line. `serve` runs the server; every other command asks a queue: over REST where
//! `--url` names a server, else the database of the settings by the very same routes, in this process.
//!
//! Data goes to standard output, messages to standard error. Exit codes: 0 done, 1 failed, 2 wrong use.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::config::{Config, LogFormat, Settings};

mod ask;
mod bench;
mod enqueue;
mod health;
mod jobs;
mod output;
mod remote;
mod schedules;
mod serve;
mod work;

/// A background job queue in one binary: durable, observable, with a live dashboard.
#[derive(Debug, Parser)]
#[command(name = "conveyor", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    client: Client,
    #[command(flatten)]
    settings: Settings,
}

/// How to reach a queue, and how to show its answers.
#[derive(clap::Args, Clone, Debug)]
struct Client {
    /// Ask this server instead of the database, with the token of API_TOKEN
    #[arg(long, global = true, env = "CONVEYOR_URL", value_name = "URL")]
    url: Option<String>,
    /// The token for --url [default: API_TOKEN, else the one in the data directory]
    #[arg(long, global = true, value_name = "TOKEN")]
    token: Option<String>,
    /// How answers are shown
    #[arg(long, short, global = true, value_enum, default_value = "table")]
    output: Output,
}

/// How answers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// Columns, for people.
    Table,
    /// The JSON of the REST interface, as it is.
    Json,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server: REST, dashboard, live events, and a pool of workers (the default)
    Serve,
    /// Enqueue a job
    Enqueue(enqueue::Enqueue),
    /// List, show, retry or cancel jobs
    #[command(subcommand)]
    Jobs(jobs::Jobs),
    /// List queues
    Queues,
    /// List schedules, or tell what a cron expression means
    #[command(subcommand)]
    Schedules(schedules::Schedules),
    /// Run jobs by a command: payload on standard input, exit code 0 is success
    Work(work::Work),
    /// Ask a server whether it is ready
    Health,
    /// Measure what this machine and the queue on it can do
    Bench(bench::Bench),
    /// Print the OpenAPI document
    Openapi,
    /// Show the settings
    #[command(subcommand)]
    Config(Shown),
}

#[derive(Clone, Copy, Debug, Subcommand)]
enum Shown {
    /// Each setting with its value and where it came from
    Show,
    /// The table of settings for the README
    #[command(hide = true)]
    Table,
}

/// Does what the arguments say.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // clap ends the process itself for `--help` (0) and for wrong use (2).
    let matches = Cli::command().get_matches_from(arguments);
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let config = match Config::read(&cli.settings) {
        Ok(config) => config,
        Err(error) => {
            output::complain(&error);
            return ExitCode::from(2);
        }
    };
    match act(cli, &config, &matches) {
        Ok(code) => code,
        Err(error) if output::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&format!("{error:#}"));
            ExitCode::from(if error.is::<WrongUse>() { 2 } else { 1 })
        }
    }
}

/// A fault of the arguments that clap cannot see.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct WrongUse(String);

fn wrong_use(fault: String) -> anyhow::Error {
    WrongUse(fault).into()
}

fn act(cli: Cli, config: &Config, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let Cli {
        command, client, ..
    } = cli;
    let command = command.unwrap_or(Command::Serve);
    match command {
        Command::Openapi => output::line(&crate::http::openapi())?,
        Command::Config(Shown::Table) => output::text(&crate::config::table())?,
        Command::Config(Shown::Show) => settings(config, matches, client.output)?,
        Command::Serve => {
            start_logging(config, &config.log_filter);
            return runtime(4)?.block_on(serve::serve(config));
        }
        Command::Work(work) => {
            start_logging(config, &config.log_filter);
            return runtime(2)?.block_on(work::work(&work, &client, config));
        }
        Command::Bench(bench) => {
            // Each of its many databases would tell that it was made.
            let quiet = (!bench.serves()).then_some("warn");
            start_logging(config, quiet.unwrap_or(&config.log_filter));
            return runtime(4)?.block_on(bench.run(client.output, config));
        }
        Command::Health => return runtime(1)?.block_on(health::ask(&client, config)),
        Command::Enqueue(enqueue) => return runtime(1)?.block_on(enqueue.run(&client, config)),
        Command::Jobs(jobs) => return runtime(1)?.block_on(jobs.run(&client, config)),
        Command::Queues => return runtime(1)?.block_on(jobs::queues(&client, config)),
        Command::Schedules(schedules) => {
            return runtime(1)?.block_on(schedules.run(&client, config));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn settings(config: &Config, matches: &ArgMatches, form: Output) -> anyhow::Result<()> {
    let rows = crate::config::rows(config, matches);
    match form {
        Output::Json => output::line(&serde_json::to_string_pretty(&rows)?),
        Output::Table => {
            let cells = rows
                .into_iter()
                .map(|row| vec![row.name, row.value, row.origin.to_owned()]);
            output::table(&["setting", "value", "origin"], cells.collect())
        }
    }
}

/// A runtime with at least `least` threads: one that is blocked must not stop the others.
fn runtime(least: usize) -> anyhow::Result<tokio::runtime::Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.max(least))
        .enable_all()
        .build()
        .context("no threads")
}

/// Log lines go to standard error. A second start of logging in one process changes nothing.
fn start_logging(config: &Config, filter: &str) {
    use std::io::IsTerminal;
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::new(filter);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let started = match config.log_format {
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
        LogFormat::Text => builder
            .with_ansi(std::io::stderr().is_terminal())
            .try_init(),
    };
    if let Err(error) = started {
        tracing::debug!(%error, "logging runs already");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command below `command`, with the arguments that are its own.
    fn below(command: &clap::Command) -> Vec<&clap::Command> {
        let own = command.get_subcommands();
        own.flat_map(|sub| [vec![sub], below(sub)].concat())
            .collect()
    }

    #[test]
    fn no_argument_of_a_command_goes_by_the_name_of_a_setting() {
        let cli = Cli::command();
        let commands = below(&cli);
        assert!(commands.len() > 10);
        for command in commands {
            for argument in command.get_arguments() {
                let of_all = cli.get_arguments().find(|setting| {
                    setting.get_id() == argument.get_id()
                        || (argument.get_long().is_some()
                            && setting.get_long() == argument.get_long())
                });
                assert!(of_all.is_none(), "{}: {argument}", command.get_name());
            }
        }
    }
}
