//! One message from typed parts. Nothing is put into a header by joining strings, and a control
//! character in anything that becomes one is refused before the library sees it.

use std::time::{Duration, UNIX_EPOCH};

use lettre::Message;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, MultiPart, SinglePart};

use super::{EmailSend, OneOrMany};
use crate::worker::handlers::failure::HandlerError;
use crate::worker::handlers::run::Run;

const MOST_RECIPIENTS: usize = 50;
const LONGEST_SUBJECT: usize = 998;

/// A message ready to go.
pub(super) struct Built {
    pub(super) message: Message,
    /// Its `Message-ID`, the same for every attempt of the job.
    pub(super) id: String,
    pub(super) recipients: usize,
}

/// Builds the message of an attempt.
pub(super) fn build(send: EmailSend, from: &Mailbox, run: &Run<'_>) -> Result<Built, HandlerError> {
    let (to, cc) = (mailboxes("to", &send.to)?, mailboxes("cc", &send.cc)?);
    let recipients = to.len() + cc.len();
    if to.is_empty() {
        return Err(HandlerError::invalid("to: must name at least one address"));
    }
    if recipients > MOST_RECIPIENTS {
        return Err(HandlerError::invalid(format!(
            "to: {recipients} recipients with cc, at most {MOST_RECIPIENTS} are allowed"
        )));
    }
    check_header("subject", &send.subject)?;
    if send.subject.len() > LONGEST_SUBJECT {
        return Err(HandlerError::invalid(
            "subject: must have at most 998 bytes",
        ));
    }
    let id = format!("<{}@{}>", run.stable_id(), from.email.domain());
    let date = UNIX_EPOCH + Duration::from_secs(run.now.secs().unsigned_abs());
    let mut builder = Message::builder()
        .from(from.clone())
        .subject(send.subject)
        .date(date)
        .message_id(Some(id.clone()));
    if let Some(reply_to) = &send.reply_to {
        builder = builder.reply_to(mailbox("reply_to", reply_to)?);
    }
    builder = to
        .into_iter()
        .fold(builder, lettre::message::MessageBuilder::to);
    builder = cc
        .into_iter()
        .fold(builder, lettre::message::MessageBuilder::cc);
    let built = match (send.text, send.html) {
        (Some(text), Some(html)) => builder.multipart(
            MultiPart::alternative()
                .singlepart(part("text", ContentType::TEXT_PLAIN, text)?)
                .singlepart(part("html", ContentType::TEXT_HTML, html)?),
        ),
        (Some(text), None) => builder.singlepart(part("text", ContentType::TEXT_PLAIN, text)?),
        (None, Some(html)) => builder.singlepart(part("html", ContentType::TEXT_HTML, html)?),
        (None, None) => return Err(HandlerError::invalid("text: text or html is required")),
    };
    let message = built.map_err(|error| HandlerError::invalid(error.to_string()))?;
    Ok(Built {
        message,
        id,
        recipients,
    })
}

fn part(field: &str, content_type: ContentType, body: String) -> Result<SinglePart, HandlerError> {
    if body.contains('\0') {
        return Err(HandlerError::invalid(format!(
            "{field}: the character NUL is not allowed"
        )));
    }
    Ok(SinglePart::builder().header(content_type).body(body))
}

fn mailboxes(field: &str, given: &OneOrMany) -> Result<Vec<Mailbox>, HandlerError> {
    given
        .as_slice()
        .iter()
        .map(|address| mailbox(field, address))
        .collect()
}

fn mailbox(field: &str, address: &str) -> Result<Mailbox, HandlerError> {
    check_header(field, address)?;
    address.parse().map_err(|_| {
        HandlerError::invalid(format!(
            "{field}: {address:?} is not one address such as ann@example.com or \
             Ann <ann@example.com>"
        ))
    })
}

fn check_header(field: &str, text: &str) -> Result<(), HandlerError> {
    if text.chars().any(char::is_control) {
        return Err(HandlerError::invalid(format!(
            "{field}: line breaks and other control characters are not allowed"
        )));
    }
    Ok(())
}
