//! The SMTP server that takes messages, and what its answers mean.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use conveyor_model::job::bounded;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use tokio_util::sync::CancellationToken;
use url::{Host, Url};

use crate::worker::handlers::failure::HandlerError;

/// How long one step of the conversation may take.
const STEP: Duration = Duration::from_secs(20);
/// How long all of it may take.
const TOTAL: Duration = Duration::from_mins(1);

/// An SMTP server: the value of `SMTP_URL`.
#[derive(Clone)]
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    host: String,
}

/// Why a value of `SMTP_URL` cannot be used; never shows it, since it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is not an SMTP server; write smtps://user:password@mail.example.com, or smtp://… where the \
     server offers STARTTLS, or smtp://…?tls=none for a server without encryption"
)]
pub struct SmtpUrlError;

/// `smtps:` speaks TLS from the first byte. `smtp:` demands STARTTLS, but on this machine, where
/// nobody listens in; `?tls=none`, `?tls=opportunistic` and `?tls=required` say otherwise.
impl FromStr for Smtp {
    type Err = SmtpUrlError;

    fn from_str(text: &str) -> Result<Self, SmtpUrlError> {
        let mut url = Url::parse(text).map_err(|_| SmtpUrlError)?;
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.ok_or(SmtpUrlError)?.to_owned();
        let tls = url.query_pairs().find(|(name, _)| name == "tls");
        let tls = tls.map(|(_, value)| value.into_owned());
        let on_this_machine = match Host::parse(&host) {
            Ok(Host::Ipv4(ip)) => ip.is_loopback(),
            Ok(Host::Ipv6(ip)) => ip.is_loopback(),
            Ok(Host::Domain(name)) => name == "localhost",
            Err(_) => false,
        };
        match (url.scheme(), tls.as_deref()) {
            ("smtp", None) if !on_this_machine => url.set_query(Some("tls=required")),
            ("smtp", Some("none")) => url.set_query(None),
            ("smtp", None | Some("required" | "opportunistic")) | ("smtps", None) => {}
            _ => return Err(SmtpUrlError),
        }
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.as_str())
            .map_err(|_| SmtpUrlError)?
            .timeout(Some(STEP))
            .build();
        Ok(Smtp { transport, host })
    }
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Smtp({})", self.host)
    }
}

impl Smtp {
    /// The server's name.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Hands the message over; answers what the server said.
    pub(super) async fn send(
        &self,
        message: Message,
        cancel: &CancellationToken,
    ) -> Result<String, HandlerError> {
        let sent = tokio::select! {
            sent = tokio::time::timeout(TOTAL, self.transport.send(message)) => sent,
            () = cancel.cancelled() => return Err(HandlerError::cancelled()),
        };
        match sent {
            Ok(Ok(response)) => {
                let said: Vec<&str> = response.message().collect();
                Ok(bounded(
                    &format!("{} {}", response.code(), said.join(" ")),
                    500,
                ))
            }
            Ok(Err(error)) => Err(self.fault(&error)),
            Err(_) => Err(HandlerError::retry(
                "Timeout",
                format!("{}: the message was not taken within 60 s", self.host),
            )),
        }
    }

    /// A server that says no for good (5xx) kills the job; everything else may pass.
    fn fault(&self, error: &lettre::transport::smtp::Error) -> HandlerError {
        let host = &self.host;
        let said = innermost(error);
        if let Some(code) = error.status() {
            let class = format!("Smtp{code}");
            let message = format!("{host}: the server refused the message");
            let refused = if error.is_permanent() {
                HandlerError::dead(class, message)
            } else {
                HandlerError::retry(class, message)
            };
            return refused.with_detail(&format!("{code} {said}"));
        }
        let refused = io_kind(error) == Some(std::io::ErrorKind::ConnectionRefused);
        if error.is_timeout() || io_kind(error) == Some(std::io::ErrorKind::TimedOut) {
            HandlerError::retry("Timeout", format!("{host}: no answer in time"))
        } else if refused {
            HandlerError::retry(
                "ConnectionRefused",
                format!("{host}: the connection was refused"),
            )
        } else if error.is_tls() {
            HandlerError::retry("Tls", format!("{host}: TLS failed")).with_detail(&said)
        } else {
            HandlerError::retry("Smtp", format!("{host}: the conversation failed"))
                .with_detail(&said)
        }
    }
}

fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source())
}

fn innermost(error: &lettre::transport::smtp::Error) -> String {
    causes(error)
        .last()
        .map_or(String::new(), ToString::to_string)
}

fn io_kind(error: &lettre::transport::smtp::Error) -> Option<std::io::ErrorKind> {
    causes(error)
        .find_map(|cause| cause.downcast_ref::<std::io::Error>())
        .map(std::io::Error::kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_server_is_a_server() {
        for good in [
            "smtp://127.0.0.1:2525",
            "smtp://localhost",
            "smtp://mail.example.com?tls=none",
            "smtps://user:p%40ss@mail.example.com",
            "smtp://user:pass@mail.example.com:587",
        ] {
            assert!(good.parse::<Smtp>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "mail.example.com",
            "http://mail.example.com",
            "smtp://",
            "smtp://a?tls=x",
        ] {
            assert!(bad.parse::<Smtp>().is_err(), "{bad}");
        }
    }

    #[test]
    fn neither_the_value_nor_its_fault_shows_a_password() {
        let smtp: Smtp = "smtps://ann:hunter2@mail.example.com".parse().unwrap();
        assert!(!format!("{smtp:?}").contains("hunter2"));
        assert!(!SmtpUrlError.to_string().contains("hunter2"));
    }
}
