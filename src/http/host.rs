//! The names the server answers to. A page that has had its own name point at this machine (DNS
//! rebinding) comes with that name in `Host`, and is refused.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Server;
use super::problem::{Code, Problem};

/// The longest address that is read, in bytes.
const MAX_URI: usize = 8 * 1024;

/// Host names that are answered.
#[derive(Clone, Debug)]
pub struct Hosts {
    names: Vec<String>,
    any_address: bool,
}

impl Hosts {
    /// The names of this machine for itself.
    pub fn local() -> Self {
        let names = ["localhost", "127.0.0.1", "[::1]"];
        Hosts {
            names: names.map(str::to_owned).into(),
            any_address: false,
        }
    }

    /// Answers to `name` too; case and a port in it mean nothing.
    pub fn allow(&mut self, name: &str) {
        self.names.push(bare(name));
    }

    /// Answers to any IP address too, for a server that listens on all of them. No page can be given
    /// such a name by its author, so rebinding stays impossible.
    pub fn allow_addresses(&mut self) {
        self.any_address = true;
    }

    /// Whether the name in a `Host` header is answered.
    pub fn allows(&self, host: &str) -> bool {
        let name = bare(host);
        self.names.contains(&name)
            || (self.any_address
                && name
                    .trim_start_matches('[')
                    .trim_end_matches(']')
                    .parse::<IpAddr>()
                    .is_ok())
    }
}

/// The name in small letters, without port and without the dot of a full name.
fn bare(host: &str) -> String {
    let name = match host.rfind(':') {
        Some(colon) if !host.ends_with(']') => &host[..colon],
        _ => host,
    };
    name.trim_end_matches('.').to_ascii_lowercase()
}

/// Refuses requests for another name, and addresses beyond their limit. Probes are answered under
/// any name, since they tell nothing and are asked by address.
pub(crate) async fn check(State(server): State<Server>, request: Request, next: Next) -> Response {
    let uri = request.uri();
    let length = uri.path().len() + uri.query().map_or(0, str::len);
    if length > MAX_URI {
        let detail = format!("the address has {length} bytes, at most {MAX_URI} are read");
        return Problem::new(Code::UriTooLong, detail).into_response();
    }
    if matches!(uri.path(), "/livez" | "/readyz") {
        return next.run(request).await;
    }
    let mut named = request.headers().get_all(header::HOST).iter();
    let host = match (uri.authority(), named.next(), named.next()) {
        (_, _, Some(_)) => {
            return Problem::new(Code::Malformed, "Host is given twice").into_response();
        }
        (Some(authority), _, None) => authority.as_str(),
        (None, Some(host), None) => host.to_str().unwrap_or(""),
        (None, None, None) => "",
    };
    if server.config.hosts.allows(host) {
        return next.run(request).await;
    }
    let shown: String = host.chars().take(100).collect();
    let detail = format!("the server does not answer to {shown:?}; ALLOWED_HOSTS adds a name");
    Problem::new(Code::UnknownHost, detail).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_compared_without_port_and_case() {
        let mut hosts = Hosts::local();
        hosts.allow("Queue.Example:443");
        for good in [
            "localhost",
            "LOCALHOST:8085",
            "127.0.0.1:1",
            "[::1]:8085",
            "[::1]",
            "queue.example.",
            "queue.example:9",
        ] {
            assert!(hosts.allows(good), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1",
            "::1",
            "queue.example.com",
        ] {
            assert!(!hosts.allows(bad), "{bad}");
        }
        hosts.allow_addresses();
        assert!(hosts.allows("10.0.0.1:80") && hosts.allows("[fe80::1]:80"));
        assert!(!hosts.allows("10.0.0.1.evil.example"));
    }
}
