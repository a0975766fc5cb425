//! Name lookup under the rules: what a name resolves to is judged before anything connects to it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::Rules;

/// Finds the addresses of a name.
#[async_trait]
pub trait Lookup: Send + Sync + 'static {
    /// All addresses of `name`; an error when there is none.
    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The machine's own name lookup.
#[derive(Clone, Copy, Debug)]
pub struct SystemLookup;

#[async_trait]
impl Lookup for SystemLookup {
    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((name, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }
}

/// The name has no address, or the name server did not say.
#[derive(Debug, thiserror::Error)]
#[error("the name could not be resolved: {0}")]
pub(super) struct Unresolved(io::Error);

/// The lookup of one client: judges every answer by the rules and the client's port.
pub(super) struct Guarded {
    pub(super) rules: Arc<Rules>,
    pub(super) lookup: Arc<dyn Lookup>,
    pub(super) port: u16,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let (rules, lookup, port) = (Arc::clone(&self.rules), Arc::clone(&self.lookup), self.port);
        Box::pin(async move {
            let found = lookup.lookup(name.as_str()).await.map_err(Unresolved)?;
            if found.is_empty() {
                return Err(Unresolved(io::ErrorKind::NotFound.into()).into());
            }
            rules.check_resolved(name.as_str(), &found, port)?;
            let addresses = found.into_iter().map(move |ip| SocketAddr::new(ip, port));
            let addresses: Addrs = Box::new(addresses);
            Ok(addresses)
        })
    }
}
