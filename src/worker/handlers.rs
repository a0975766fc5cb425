//! The kinds of job that come with the server. Each does its work against its own small inputs, so
//! that tests need no queue; `bind` makes handlers of the pool of them.
//!
//! Whatever a payload names outside goes through two doors: [`egress`] for the network and [`files`]
//! for the disk.

pub mod egress;
pub mod email;
pub mod failure;
pub mod files;
pub mod image;
pub mod run;
pub mod webhook;

mod bind;
mod command;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use conveyor_model::name::Kind;

use self::egress::{AllowPrivate, Egress, Rules};
use self::email::{Email, Mailbox, Smtp};
use self::files::Folder;
use self::image::ImageResize;
use self::webhook::{Webhook, WebhookSecret};
use super::{Handler, Registry, RegistryError};
use crate::clock::Clock;

/// What the built-in kinds are told by the configuration.
#[derive(Clone, Debug)]
pub struct HandlerConfig {
    /// Holds `files/` and `outbox/`.
    pub data_dir: PathBuf,
    /// `SMTP_URL`; without it mail goes to the outbox.
    pub smtp: Option<Smtp>,
    /// `MAIL_FROM`: who mail is from.
    pub mail_from: Mailbox,
    /// `WEBHOOK_SECRET`: signs webhooks.
    pub webhook_secret: Option<WebhookSecret>,
    /// `WEBHOOK_ALLOW_PRIVATE`: private targets that may be called.
    pub allow_private: AllowPrivate,
    /// `ALLOW_COMMANDS`: programs that `command.run` may run; none switches the kind off.
    pub allow_commands: Vec<String>,
    /// Where this server listens: never called by a job.
    pub own_addresses: Vec<SocketAddr>,
    /// Whether jobs may call the demo's endpoints of this server.
    pub demo: bool,
}

/// Why the built-in kinds cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(#[from] rustls::Error),
    /// A kind is taken.
    #[error(transparent)]
    Registry(#[from] RegistryError),
}

impl HandlerConfig {
    /// The usual values over a data directory: mail to the outbox, no private targets, no commands.
    pub fn new(data_dir: impl Into<PathBuf>, mail_from: Mailbox) -> Self {
        HandlerConfig {
            data_dir: data_dir.into(),
            smtp: None,
            mail_from,
            webhook_secret: None,
            allow_private: AllowPrivate::NOTHING,
            allow_commands: Vec::new(),
            own_addresses: Vec::new(),
            demo: false,
        }
    }

    /// Where `image.resize` finds its sources and leaves its results.
    pub fn files(&self) -> Folder {
        Folder::new(self.data_dir.join("files"))
    }
}

/// Adds the built-in kinds.
pub fn register(
    registry: &mut Registry,
    config: &HandlerConfig,
    clock: &Arc<dyn Clock>,
) -> Result<(), SetupError> {
    let egress = Arc::new(Egress::new(Rules {
        allow: config.allow_private.clone(),
        own: config.own_addresses.clone(),
        demo: config.demo,
    })?);
    let webhook = Webhook {
        egress: Arc::clone(&egress),
        secret: config.webhook_secret.clone(),
    };
    let email = Email {
        from: config.mail_from.clone(),
        smtp: config.smtp.clone(),
        outbox: Folder::new(config.data_dir.join("outbox")),
    };
    let image = ImageResize::new(config.files(), egress);
    add(
        registry,
        "webhook.call",
        "Sends an HTTP request and judges the answer: 2xx succeeds, 408, 429 and 5xx are tried again.",
        bind::Bound::new(webhook, clock),
    )?;
    add(
        registry,
        "email.send",
        "Sends a mail by SMTP, or lays it into the outbox where no server is set.",
        bind::Bound::new(email, clock),
    )?;
    add(
        registry,
        "image.resize",
        "Makes a JPEG, PNG or WebP picture of another size or format.",
        bind::Bound::new(image, clock),
    )?;
    if !config.allow_commands.is_empty() {
        add(
            registry,
            "command.run",
            "Runs a program of the list ALLOW_COMMANDS with the payload on its standard input.",
            command::CommandRun::new(config.allow_commands.clone()),
        )?;
    }
    Ok(())
}

fn add(
    registry: &mut Registry,
    kind: &str,
    description: &str,
    handler: impl Handler,
) -> Result<(), RegistryError> {
    registry.add(Kind::new(kind)?, description, handler)
}
