//! The settings as they are given: one field each, with its flag, its variable and its meaning. The
//! table in the README and `config show` are made from this struct.

use clap::Args;

/// Settings, as text.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Settings")]
pub struct Settings {
    /// The token that opens everything. Under 16 characters only on a loopback address. Unset: made at the first start and kept in the data directory
    #[arg(
        long,
        global = true,
        env = "API_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    pub api_token: Option<String>,

    /// 1: demo data and traffic; nothing leaves the machine
    #[arg(long, global = true, env = "SEED_DEMO", default_value = "0", num_args = 0..=1, default_missing_value = "1", require_equals = true, hide_env_values = true)]
    pub seed_demo: String,

    /// Folder of the database, `files/`, `outbox/` and the made token
    #[arg(
        long,
        global = true,
        env = "DATA_DIR",
        default_value = "data",
        value_name = "FOLDER",
        hide_env_values = true
    )]
    pub data_dir: String,

    #[expect(
        clippy::doc_markdown,
        reason = "the text of --help, which has no markup"
    )]
    /// The database, as sqlite:PATH [default: sqlite:DATA_DIR/conveyor.db]
    #[arg(
        long,
        global = true,
        env = "DATABASE_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database_url: Option<String>,

    /// Address to listen on
    #[arg(
        long,
        global = true,
        env = "HOST",
        default_value = "127.0.0.1",
        hide_env_values = true
    )]
    pub host: String,

    /// Port to listen on; 0 takes a free one
    #[arg(
        long,
        global = true,
        env = "PORT",
        default_value = "8085",
        hide_env_values = true
    )]
    pub port: String,

    /// Jobs this process runs at once; 0 for none [default: 2 for each core]
    #[arg(
        long,
        global = true,
        env = "WORKERS",
        value_name = "SLOTS",
        hide_env_values = true
    )]
    pub workers: Option<String>,

    /// Queues this process serves, separated by commas; all when empty
    #[arg(
        long,
        global = true,
        env = "QUEUES",
        default_value = "",
        value_name = "NAMES",
        hide_env_values = true
    )]
    pub queues: String,

    /// Seconds after which the jobs of a process that died are taken from it, 5 to 3600
    #[arg(
        long,
        global = true,
        env = "LEASE_S",
        default_value = "30",
        value_name = "SECONDS",
        hide_env_values = true
    )]
    pub lease_s: String,

    /// Seconds that running jobs get to end when the process is told to stop
    #[arg(
        long,
        global = true,
        env = "SHUTDOWN_GRACE_S",
        default_value = "30",
        value_name = "SECONDS",
        hide_env_values = true
    )]
    pub shutdown_grace_s: String,

    /// Bytes a payload or a result may have
    #[arg(
        long,
        global = true,
        env = "MAX_PAYLOAD_BYTES",
        default_value = "1048576",
        value_name = "BYTES",
        hide_env_values = true
    )]
    pub max_payload_bytes: String,

    /// How long succeeded and cancelled jobs are kept: a number with d, h, m or s
    #[arg(
        long,
        global = true,
        env = "RETENTION_SUCCEEDED",
        default_value = "7d",
        value_name = "TIME",
        hide_env_values = true
    )]
    pub retention_succeeded: String,

    /// How long dead jobs are kept: a number with d, h, m or s
    #[arg(
        long,
        global = true,
        env = "RETENTION_DEAD",
        default_value = "30d",
        value_name = "TIME",
        hide_env_values = true
    )]
    pub retention_dead: String,

    /// Where `email.send` sends; unset: into `outbox/` of the data directory
    #[arg(
        long,
        global = true,
        env = "SMTP_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub smtp_url: Option<String>,

    /// Sender of mail
    #[arg(
        long,
        global = true,
        env = "MAIL_FROM",
        default_value = "conveyor@localhost",
        value_name = "ADDRESS",
        hide_env_values = true
    )]
    pub mail_from: String,

    /// Signs the requests of `webhook.call` (Standard Webhooks)
    #[arg(
        long,
        global = true,
        env = "WEBHOOK_SECRET",
        hide_env_values = true,
        value_name = "SECRET"
    )]
    pub webhook_secret: Option<String>,

    /// Private targets that `webhook.call` and `image.resize` may reach: networks, addresses or host names, separated by commas; 1 for all
    #[arg(
        long,
        global = true,
        env = "WEBHOOK_ALLOW_PRIVATE",
        default_value = "0",
        value_name = "TARGETS",
        hide_env_values = true
    )]
    pub webhook_allow_private: String,

    /// Programs that `command.run` may start, separated by commas; none when empty
    #[arg(
        long,
        global = true,
        env = "ALLOW_COMMANDS",
        default_value = "",
        value_name = "PROGRAMS",
        hide_env_values = true
    )]
    pub allow_commands: String,

    /// A token that opens `/metrics` only
    #[arg(
        long,
        global = true,
        env = "METRICS_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    pub metrics_token: Option<String>,

    /// 1: `/metrics` is open
    #[arg(long, global = true, env = "METRICS_PUBLIC", default_value = "0", num_args = 0..=1, default_missing_value = "1", require_equals = true, hide_env_values = true)]
    pub metrics_public: String,

    /// Further host names the server answers to, separated by commas
    #[arg(
        long,
        global = true,
        env = "ALLOWED_HOSTS",
        default_value = "",
        value_name = "NAMES",
        hide_env_values = true
    )]
    pub allowed_hosts: String,

    /// The address people use where a proxy stands before the server; with https, cookies are sent over TLS only
    #[arg(
        long,
        global = true,
        env = "PUBLIC_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub public_url: Option<String>,

    /// A name that tells this server from others, shown on every page
    #[arg(
        long,
        global = true,
        env = "INSTANCE_NAME",
        value_name = "NAME",
        hide_env_values = true
    )]
    pub instance_name: Option<String>,

    /// How log lines are written to standard error: text or json
    #[arg(
        long,
        global = true,
        env = "LOG_FORMAT",
        default_value = "text",
        value_name = "FORMAT",
        hide_env_values = true
    )]
    pub log_format: String,

    /// Which log lines are written, such as info,conveyor=debug
    #[arg(
        long = "log",
        global = true,
        env = "RUST_LOG",
        default_value = "info",
        value_name = "FILTER",
        hide_env_values = true
    )]
    pub rust_log: String,
}
