//! The settings for people: their table for the README, and each value with where it came from.

use std::fmt::Write as _;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};

use super::{Config, Settings};

/// Settings whose values are not shown.
const HIDDEN: [&str; 4] = ["API_TOKEN", "SMTP_URL", "WEBHOOK_SECRET", "METRICS_TOKEN"];

/// One setting and its value.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Row {
    /// The variable.
    pub name: String,
    /// The value as it is used; hidden for secrets.
    pub value: String,
    /// `flag`, `environment` or `default`.
    pub origin: &'static str,
}

fn settings() -> Vec<Arg> {
    let command = Settings::augment_args(Command::new("settings"));
    let all = command
        .get_arguments()
        .filter(|arg| arg.get_env().is_some());
    all.cloned().collect()
}

fn variable(arg: &Arg) -> String {
    arg.get_env()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Each setting with its value and where it came from.
pub fn rows(config: &Config, matches: &ArgMatches) -> Vec<Row> {
    settings()
        .iter()
        .map(|arg| {
            let id = arg.get_id().as_str();
            let name = variable(arg);
            let given = matches.get_raw(id).and_then(|mut values| values.next());
            let given = given.map(|value| value.to_string_lossy().into_owned());
            let origin = match matches.value_source(id) {
                Some(ValueSource::CommandLine) => "flag",
                Some(ValueSource::EnvVariable) => "environment",
                _ => "default",
            };
            let value = match (given, name.as_str()) {
                (Some(_), name) if HIDDEN.contains(&name) => "(hidden)".to_owned(),
                (Some(value), _) => value,
                (None, "DATABASE_URL") => config.database_url.clone(),
                (None, "WORKERS") => config.workers.to_string(),
                (None, "API_TOKEN") => "(made at the first start)".to_owned(),
                (None, _) => String::new(),
            };
            Row {
                name,
                value,
                origin,
            }
        })
        .collect()
}

/// The table of the README, in Markdown.
pub fn table() -> String {
    let mut table = "| variable | flag | default | meaning |\n|---|---|---|---|\n".to_owned();
    for arg in settings() {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let (meaning, computed) = match help.split_once(" [default: ") {
            Some((meaning, default)) => (meaning, default.trim_end_matches(']').to_owned()),
            None => (help.as_str(), String::new()),
        };
        let values = arg.get_default_values().iter();
        let default = values
            .map(|value| value.to_string_lossy().into_owned())
            .find(|value| !value.is_empty())
            .unwrap_or(computed);
        let default = match default.as_str() {
            "" => String::new(),
            default if default.contains([' ', '`']) => default.to_owned(),
            default => format!("`{default}`"),
        };
        // Writing to a String does not fail.
        let _ = writeln!(
            table,
            "| `{}` | `--{}` | {default} | {meaning} |",
            variable(&arg),
            arg.get_long().unwrap_or_default(),
        );
    }
    table
}
