//! What a failed request means: a class that groups well, and a message that names the phase and the
//! target but neither its path nor its query, which may hold secrets.

use std::error::Error;
use std::io::{self, ErrorKind};

use url::Url;

use super::Blocked;
use super::resolve::Unresolved;
use crate::worker::handlers::failure::HandlerError;

/// The target of a URL as messages show it.
pub(super) fn target(url: &Url) -> String {
    let host = url.host_str().unwrap_or("");
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Turns a failed request into the error of the attempt. `phase` is what was being done, such as
/// `while waiting for the answer`.
pub(super) fn classify(error: &reqwest::Error, url: &Url, phase: &str) -> HandlerError {
    let phase = if error.is_connect() {
        "while connecting"
    } else {
        phase
    };
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    let mut found = None;
    while let Some(now) = cause {
        if let Some(blocked) = now.downcast_ref::<Blocked>() {
            return blocked.clone().into();
        }
        // The innermost cause that is known says most.
        found = name(now).or(found);
        cause = inner(now);
    }
    if error.is_timeout() {
        found = Some(("Timeout", "no answer in time".to_owned()));
    }
    let (class, what) = found.unwrap_or_else(|| {
        let class = if error.is_connect() {
            "Connect"
        } else {
            "Network"
        };
        (class, innermost(error))
    });
    HandlerError::retry(class, format!("{}: {what} {phase}", target(url)))
}

/// The cause below `error`. An I/O error that wraps another hides it from `source`.
fn inner<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref)
    {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}

fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut last = error;
    while let Some(next) = inner(last) {
        last = next;
    }
    last.to_string()
}

fn name(error: &(dyn Error + 'static)) -> Option<(&'static str, String)> {
    if error.downcast_ref::<Unresolved>().is_some() {
        return Some(("Dns", "the name could not be resolved".to_owned()));
    }
    if let Some(tls) = error.downcast_ref::<rustls::Error>() {
        return Some(("Tls", format!("TLS failed ({tls})")));
    }
    if let Some(http) = error.downcast_ref::<hyper::Error>() {
        return if http.is_incomplete_message() {
            Some(closed())
        } else if http.is_parse() || speaks_first(http) {
            Some(("BadAnswer", "the answer is not HTTP".to_owned()))
        } else {
            None
        };
    }
    let named = match error.downcast_ref::<io::Error>()?.kind() {
        ErrorKind::ConnectionRefused => ("ConnectionRefused", "the connection was refused"),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            ("ConnectionReset", "the connection was reset")
        }
        ErrorKind::UnexpectedEof => return Some(closed()),
        ErrorKind::TimedOut => ("Timeout", "no answer in time"),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            ("Unreachable", "the network does not reach it")
        }
        _ => return None,
    };
    Some((named.0, named.1.to_owned()))
}

/// Whether the target sent bytes before it was asked, as SSH and SMTP do.
fn speaks_first(http: &hyper::Error) -> bool {
    http.source().is_none() && !http.is_canceled() && !http.is_closed() && !http.is_user()
}

fn closed() -> (&'static str, String) {
    ("ConnectionClosed", "the connection was closed".to_owned())
}
