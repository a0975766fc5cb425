//! What the process is told by flags and by its environment, checked once at the start. Nothing else
//! reads the environment.
//!
//! [`Settings`] holds the texts as they were given; [`Config`] what they mean. A text that means
//! nothing stops the start with a [`ConfigError`] that names the variable, the fault and an example.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use conveyor_model::name::QueueName;
use conveyor_model::time::Span;
use url::Url;

use crate::store::Retention;
use crate::worker::handlers::egress::AllowPrivate;
use crate::worker::handlers::email::{Mailbox, Smtp};
use crate::worker::handlers::webhook::WebhookSecret;

pub use settings::Settings;
pub use show::{rows, table};

mod parse;
mod settings;
mod show;
mod token;

/// A value that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {fault}; for example {name}={example}")]
pub struct ConfigError {
    /// The variable.
    pub name: String,
    /// What is wrong with its value.
    pub fault: String,
    /// A value that can be used.
    pub example: String,
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Hides a text.
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// The text, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Everything a process is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The token, if one was given.
    pub api_token: Option<Secret>,
    /// Whether to make demo data and traffic.
    pub seed_demo: bool,
    /// Where files are kept.
    pub data_dir: PathBuf,
    /// The database.
    pub database_url: String,
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Slots of the pool in this process.
    pub workers: usize,
    /// The queues that pool serves; empty means all.
    pub queues: Vec<QueueName>,
    /// How long its leases last.
    pub lease: Span,
    /// How long running jobs may take to end after a stop was asked for.
    pub shutdown_grace: Span,
    /// The longest payload and result.
    pub max_payload_bytes: usize,
    /// How long finished jobs are kept.
    pub retention: Retention,
    /// Where mail is sent; into the outbox, if nowhere.
    pub smtp: Option<Smtp>,
    /// The sender of mail.
    pub mail_from: Mailbox,
    /// Signs webhooks.
    pub webhook_secret: Option<WebhookSecret>,
    /// Private addresses that webhooks may go to.
    pub webhook_allow_private: AllowPrivate,
    /// Programs that `command.run` may start.
    pub allow_commands: Vec<String>,
    /// Opens `/metrics` only.
    pub metrics_token: Option<Secret>,
    /// Whether `/metrics` is open.
    pub metrics_public: bool,
    /// Further names the server answers to.
    pub allowed_hosts: Vec<String>,
    /// The address people use.
    pub public_url: Option<Url>,
    /// What this server is called.
    pub instance_name: String,
    /// How log lines are written.
    pub log_format: LogFormat,
    /// Which log lines are written.
    pub log_filter: String,
}

/// The file of this program, for starting it once more.
pub(crate) fn own_program() -> std::io::Result<PathBuf> {
    std::env::current_exe()
}

impl Config {
    /// Checks settings. Nothing is read or written but the environment's names.
    pub fn read(settings: &Settings) -> Result<Self, ConfigError> {
        parse::unknown_names(std::env::vars_os().map(|(name, _)| name))?;
        let listen = SocketAddr::new(
            parse::host("HOST", &settings.host)?,
            parse::number("PORT", &settings.port, 0..=65_535, "8085")?,
        );
        let data_dir = PathBuf::from(parse::filled("DATA_DIR", &settings.data_dir, "data")?);
        let config = Config {
            api_token: token::given(settings.api_token.as_deref(), listen.ip())?,
            seed_demo: parse::switch("SEED_DEMO", &settings.seed_demo)?,
            database_url: parse::database_url(settings.database_url.as_deref(), &data_dir)?,
            listen,
            workers: parse::workers(settings.workers.as_deref())?,
            queues: parse::queues(&settings.queues)?,
            lease: parse::seconds("LEASE_S", &settings.lease_s, 5, 3600, "30")?,
            shutdown_grace: parse::seconds(
                "SHUTDOWN_GRACE_S",
                &settings.shutdown_grace_s,
                0,
                3600,
                "30",
            )?,
            max_payload_bytes: parse::number(
                "MAX_PAYLOAD_BYTES",
                &settings.max_payload_bytes,
                1024..=64 << 20,
                "1048576",
            )?,
            retention: Retention {
                succeeded: parse::duration("RETENTION_SUCCEEDED", &settings.retention_succeeded)?,
                dead: parse::duration("RETENTION_DEAD", &settings.retention_dead)?,
            },
            smtp: parse::optional(
                "SMTP_URL",
                settings.smtp_url.as_deref(),
                "smtps://user:password@mail.example.com",
            )?,
            mail_from: parse::of(
                "MAIL_FROM",
                &settings.mail_from,
                "Queue <queue@example.com>",
            )?,
            webhook_secret: parse::optional(
                "WEBHOOK_SECRET",
                settings.webhook_secret.as_deref(),
                "whsec_$(openssl rand -base64 32)",
            )?,
            webhook_allow_private: parse::of(
                "WEBHOOK_ALLOW_PRIVATE",
                &settings.webhook_allow_private,
                "10.0.0.0/8,build.internal",
            )?,
            allow_commands: parse::list(&settings.allow_commands),
            metrics_token: token::for_metrics(settings.metrics_token.as_deref())?,
            metrics_public: parse::switch("METRICS_PUBLIC", &settings.metrics_public)?,
            allowed_hosts: parse::hosts(&settings.allowed_hosts)?,
            public_url: parse::public_url(settings.public_url.as_deref())?,
            instance_name: parse::given(settings.instance_name.as_deref()).unwrap_or_default(),
            log_format: parse::log_format(&settings.log_format)?,
            log_filter: parse::log_filter(&settings.rust_log)?,
            data_dir,
        };
        Ok(config)
    }

    /// The token: the one that was given, else the one made at the first start. Makes the data
    /// directory.
    pub fn token(&self) -> Result<Secret, ConfigError> {
        match &self.api_token {
            Some(token) => Ok(token.clone()),
            None => token::made(&self.data_dir),
        }
    }

    /// The token, unless none was given and none was made.
    pub fn known_token(&self) -> Result<Option<Secret>, ConfigError> {
        match &self.api_token {
            Some(token) => Ok(Some(token.clone())),
            None => token::kept_in(&self.data_dir),
        }
    }

    /// The file of the token that was made because none was given.
    pub fn token_file(&self) -> PathBuf {
        token::file(&self.data_dir)
    }

    /// Where a browser on this machine finds the server that listens at `bound`.
    pub fn address(&self, bound: SocketAddr) -> String {
        match &self.public_url {
            Some(url) => url.as_str().trim_end_matches('/').to_owned(),
            None if bound.ip().is_unspecified()
                || bound.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST) =>
            {
                format!("http://localhost:{}", bound.port())
            }
            None => format!("http://{bound}"),
        }
    }
}
