//! The only way out: HTTP requests of jobs, kept away from the server's own network.
//!
//! A URL comes from a payload, so it is hostile. It is parsed once by `url`, which turns every odd
//! spelling of an address into the plain one; a literal address is checked there, and a name when it
//! is resolved: all its addresses must be allowed, and the connection goes to one of exactly those,
//! so that a second answer of the name server cannot slip in between. Each redirect goes through the
//! same door. Proxies of the environment are not used, since they would connect for us unchecked.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use url::{Host, Url};

mod address;
mod allow;
mod fault;
mod resolve;
mod retry_after;
mod send;
mod status;

pub use allow::{AllowError, AllowPrivate};
pub use resolve::{Lookup, SystemLookup};
pub use send::{Answer, Ask};

use super::failure::HandlerError;

/// How long a connection may take, with name lookup and TLS.
const CONNECT: Duration = Duration::from_secs(5);
/// Connection pools kept, one a port.
const MOST_CLIENTS: usize = 32;
/// The part of the server itself that the demo may call.
const DEMO_PATH: &str = "/demo/hooks/";

/// What may be called.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Private targets that may be called.
    pub allow: AllowPrivate,
    /// Where this server listens: never called, whatever is allowed.
    pub own: Vec<SocketAddr>,
    /// Whether jobs may call the demo's endpoints of this server by its address.
    pub demo: bool,
}

/// Why a target may not be called; never shows what a name resolves to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("blocked: {0}")]
pub struct Blocked(String);

impl From<Blocked> for HandlerError {
    fn from(blocked: Blocked) -> Self {
        HandlerError::dead("Blocked", blocked.to_string())
    }
}

/// Sends requests by the rules.
pub struct Egress {
    rules: Arc<Rules>,
    lookup: Arc<dyn Lookup>,
    tls: rustls::ClientConfig,
    /// One client a port, since its resolver is told the name alone but judges by the port too.
    clients: Mutex<HashMap<u16, reqwest::Client>>,
}

impl Egress {
    /// With the system's name lookup. Fails when TLS cannot be set up.
    pub fn new(rules: Rules) -> Result<Self, rustls::Error> {
        Egress::with_lookup(rules, Arc::new(SystemLookup))
    }

    /// With a given name lookup.
    pub fn with_lookup(rules: Rules, lookup: Arc<dyn Lookup>) -> Result<Self, rustls::Error> {
        let roots: rustls::RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Egress {
            rules: Arc::new(rules),
            lookup,
            tls,
            clients: Mutex::default(),
        })
    }

    /// Whether `url` may be called, as far as can be told before its name is resolved.
    pub fn check(&self, url: &Url) -> Result<(), Blocked> {
        self.rules.check_url(url)
    }

    /// The client for targets on `port`.
    fn client(&self, port: u16) -> Result<reqwest::Client, reqwest::Error> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&port) {
            return Ok(client.clone());
        }
        let resolver = resolve::Guarded {
            rules: Arc::clone(&self.rules),
            lookup: Arc::clone(&self.lookup),
            port,
        };
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(CONNECT)
            .pool_idle_timeout(Duration::from_secs(30))
            .pool_max_idle_per_host(4)
            .user_agent(concat!("Conveyor/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(resolver)
            .tls_backend_preconfigured(self.tls.clone())
            .build()?;
        if clients.len() == MOST_CLIENTS {
            clients.clear();
        }
        clients.insert(port, client.clone());
        Ok(client)
    }
}

impl Rules {
    /// Whether `url` may be called, as far as it says by itself.
    fn check_url(&self, url: &Url) -> Result<(), Blocked> {
        if !matches!(url.scheme(), "http" | "https") {
            let why = format!(
                "a {}: URL cannot be called, only http: and https:",
                url.scheme()
            );
            return Err(Blocked(why));
        }
        if !url.username().is_empty() || url.password().is_some() {
            let why = "a URL with a user name or password is not called; use a header";
            return Err(Blocked(why.to_owned()));
        }
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(Blocked("the URL names no host".to_owned()));
        };
        match host {
            Host::Domain(name) => self.check_name(name, port),
            Host::Ipv4(ip) => self.check_literal(IpAddr::V4(ip), port, url.path()),
            Host::Ipv6(ip) => self.check_literal(IpAddr::V6(ip), port, url.path()),
        }
    }

    fn check_name(&self, name: &str, port: u16) -> Result<(), Blocked> {
        if address::is_local_name(name) && !self.allow.permits_name(name, port) {
            return Err(Blocked("the host is a name of this network".to_owned()));
        }
        Ok(())
    }

    fn check_literal(&self, ip: IpAddr, port: u16, path: &str) -> Result<(), Blocked> {
        if self.demo && path.starts_with(DEMO_PATH) && self.is_own(ip, port) {
            return Ok(());
        }
        self.check_address(ip, port, false)
    }

    /// Whether every address that `name` resolves to may be called.
    fn check_resolved(&self, name: &str, found: &[IpAddr], port: u16) -> Result<(), Blocked> {
        self.check_name(name, port)?;
        let named = self.allow.permits_name(name, port);
        found
            .iter()
            .try_for_each(|ip| self.check_address(*ip, port, named))
    }

    fn check_address(&self, ip: IpAddr, port: u16, named: bool) -> Result<(), Blocked> {
        if self.is_own(ip, port) {
            return Err(Blocked("the target is this server itself".to_owned()));
        }
        if named || self.allow.permits_address(ip, port) {
            return Ok(());
        }
        if !address::is_public(ip) {
            let why = "the target is not on the public internet; WEBHOOK_ALLOW_PRIVATE allows it";
            return Err(Blocked(why.to_owned()));
        }
        if !matches!(port, 80 | 443 | 8000..=9999) {
            let why = format!(
                "port {port} is not called, only 80, 443 and 8000 to 9999; \
                 WEBHOOK_ALLOW_PRIVATE allows others"
            );
            return Err(Blocked(why));
        }
        Ok(())
    }

    /// Whether a connection to `ip` and `port` would reach this server.
    fn is_own(&self, ip: IpAddr, port: u16) -> bool {
        let ip = address::unwrapped(ip);
        let here = |ip: IpAddr| ip.is_loopback() || ip.is_unspecified() || is_of_this_machine(ip);
        self.own.iter().any(|own| {
            let own_ip = address::unwrapped(own.ip());
            own.port() == port && (own_ip == ip || ip.is_unspecified() || is_any(own) && here(ip))
        })
    }
}

fn is_any(listener: &SocketAddr) -> bool {
    listener.ip().is_unspecified()
}

/// Whether an interface of this machine has `ip`: only then a socket can be bound to it.
fn is_of_this_machine(ip: IpAddr) -> bool {
    std::net::UdpSocket::bind((ip, 0)).is_ok()
}

/// At most `most` bytes as text; what is no text is replaced.
pub(super) fn text(bytes: &[u8], most: usize) -> String {
    let cut = &bytes[..bytes.len().min(most)];
    // A character that the cut goes through is left out rather than replaced.
    let whole = match std::str::from_utf8(cut) {
        Err(error) if error.error_len().is_none() => &cut[..error.valid_up_to()],
        Ok(_) | Err(_) => cut,
    };
    String::from_utf8_lossy(whole).replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_characters_and_never_holds_nul() {
        assert_eq!(text("дд".as_bytes(), 3), "д");
        assert_eq!(text(b"a\0\xffb", 9), "a\u{fffd}\u{fffd}b");
    }
}
