//! `email.send`: builds one message and hands it to an SMTP server, or lays it into the outbox.

use conveyor_model::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::failure::HandlerError;
use super::files::Folder;
use super::run::Run;

mod message;
mod smtp;
mod template;

pub use lettre::message::Mailbox;
pub use smtp::{Smtp, SmtpUrlError};

/// What `email.send` needs.
pub struct Email {
    /// Who every message is from.
    pub from: Mailbox,
    /// The server that takes messages; without one they go to the outbox.
    pub smtp: Option<Smtp>,
    /// Where messages go without a server.
    pub outbox: Folder,
}

/// The payload of `email.send`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with to and subject")]
pub struct EmailSend {
    to: OneOrMany,
    #[serde(default)]
    cc: OneOrMany,
    #[serde(default)]
    reply_to: Option<String>,
    subject: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    html: Option<String>,
    /// With this, subject, text and html are templates over it.
    #[serde(default)]
    data: Option<serde_json::Map<String, serde_json::Value>>,
}

/// One address or a list of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "must be an address or a list of addresses")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl Default for OneOrMany {
    fn default() -> Self {
        OneOrMany::Many(Vec::new())
    }
}

impl OneOrMany {
    fn as_slice(&self) -> &[String] {
        match self {
            OneOrMany::One(one) => std::slice::from_ref(one),
            OneOrMany::Many(many) => many,
        }
    }
}

/// The result of `email.send`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "delivered_to", rename_all = "snake_case")]
pub enum EmailResult {
    /// An SMTP server took the message.
    Smtp {
        /// What the server said.
        response: String,
        /// The message's id.
        message_id: String,
        /// How many addresses it went to.
        recipients: usize,
    },
    /// No SMTP server is set: the message lies in the outbox and goes nowhere.
    Outbox {
        /// The file, relative to the data directory.
        path: String,
        /// The message's id.
        message_id: String,
        /// How many addresses it is for.
        recipients: usize,
    },
}

impl Email {
    /// Sends the message.
    pub async fn send(&self, send: EmailSend, run: Run<'_>) -> Result<EmailResult, HandlerError> {
        let rendered = template::render(send)?;
        let built = message::build(rendered, &self.from, &run)?;
        run.check_cancelled()?;
        let (message_id, recipients) = (built.id, built.recipients);
        if let Some(smtp) = &self.smtp {
            run.info(&format!(
                "sending to {recipients} recipients by {}",
                smtp.host()
            ));
            let response = smtp.send(built.message, run.cancel).await?;
            run.info(&format!("the server said: {response}"));
            return Ok(EmailResult::Smtp {
                response,
                message_id,
                recipients,
            });
        }
        let name = file_name(&run);
        let path = format!("outbox/{name}");
        let (outbox, bytes) = (self.outbox.clone(), built.message.formatted());
        run.blocking(move || outbox.write(&name, &bytes))
            .await?
            .map_err(|fault| fault.of("outbox"))?;
        run.info(&format!("no SMTP server is set; the message is in {path}"));
        Ok(EmailResult::Outbox {
            path,
            message_id,
            recipients,
        })
    }
}

/// The same for every attempt of a job, so that a repeated attempt replaces the file.
fn file_name(run: &Run<'_>) -> String {
    let stored = Timestamp::from_secs(run.created_at.secs()).to_string();
    format!("{}-{}.eml", stored.replace(['-', ':'], ""), run.id)
}
