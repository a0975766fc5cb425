//! What an operator allows beyond the public internet: the value of `WEBHOOK_ALLOW_PRIVATE`.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use super::address::{contains, unwrapped};

/// Which private targets may be called. The server's own address never may.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowPrivate(Allowed);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Allowed {
    #[default]
    Nothing,
    Everything,
    Listed(Vec<Rule>),
}

/// A target, on one port or on all.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    target: Target,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Network(IpAddr, u32),
    Name(String),
}

/// Why a value of `WEBHOOK_ALLOW_PRIVATE` cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} is neither a network, an address nor a host name; write 1 for every private target, or a \
     list such as 10.0.0.0/8,192.168.1.5:9000,build.internal"
)]
pub struct AllowError(String);

impl AllowPrivate {
    /// No private target.
    pub const NOTHING: AllowPrivate = AllowPrivate(Allowed::Nothing);
    /// Every private target.
    pub const EVERYTHING: AllowPrivate = AllowPrivate(Allowed::Everything);

    /// Whether the host `name` may be called on `port` whatever it resolves to.
    pub fn permits_name(&self, name: &str, port: u16) -> bool {
        let name = name.trim_end_matches('.');
        self.any(port, |target| match target {
            Target::Name(allowed) => allowed == name,
            Target::Network(..) => false,
        })
    }

    /// Whether `ip` may be called on `port`.
    pub fn permits_address(&self, ip: IpAddr, port: u16) -> bool {
        self.any(port, |target| match target {
            Target::Network(net, prefix) => {
                contains(*net, *prefix, ip) || contains(*net, *prefix, unwrapped(ip))
            }
            Target::Name(_) => false,
        })
    }

    fn any(&self, port: u16, matches: impl Fn(&Target) -> bool) -> bool {
        match &self.0 {
            Allowed::Nothing => false,
            Allowed::Everything => true,
            Allowed::Listed(rules) => rules.iter().any(|rule| {
                rule.port.is_none_or(|allowed| allowed == port) && matches(&rule.target)
            }),
        }
    }
}

impl FromStr for AllowPrivate {
    type Err = AllowError;

    fn from_str(text: &str) -> Result<Self, AllowError> {
        match text.trim() {
            "" | "0" | "false" | "no" => return Ok(AllowPrivate::NOTHING),
            "1" | "true" | "yes" | "all" => return Ok(AllowPrivate::EVERYTHING),
            _ => {}
        }
        let rules = text
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|item| !item.is_empty())
            .map(|item| rule(item).ok_or_else(|| AllowError(item.to_owned())))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(AllowPrivate(Allowed::Listed(rules)))
    }
}

fn rule(item: &str) -> Option<Rule> {
    let network = |net: IpAddr, prefix, port| {
        Some(Rule {
            target: Target::Network(net, prefix),
            port,
        })
    };
    let widest = |ip: IpAddr| if ip.is_ipv4() { 32 } else { 128 };
    if let Some((net, prefix)) = item.split_once('/') {
        let net: IpAddr = net.parse().ok()?;
        let prefix = prefix
            .parse()
            .ok()
            .filter(|prefix| *prefix <= widest(net))?;
        return network(net, prefix, None);
    }
    if let Ok(ip) = item.parse::<IpAddr>() {
        return network(ip, widest(ip), None);
    }
    if let Ok(address) = item.parse::<SocketAddr>() {
        return network(address.ip(), widest(address.ip()), Some(address.port()));
    }
    let (name, port) = match item.rsplit_once(':') {
        Some((name, port)) => (name, Some(port.parse().ok()?)),
        None => (item, None),
    };
    // Read as a URL reads it, so that both sides compare the same spelling.
    match url::Host::parse(name).ok()? {
        url::Host::Domain(name) if !name.is_empty() && !name.contains('*') => Some(Rule {
            target: Target::Name(name.trim_end_matches('.').to_owned()),
            port,
        }),
        url::Host::Domain(_) => None,
        url::Host::Ipv4(ip) => network(IpAddr::V4(ip), 32, port),
        url::Host::Ipv6(ip) => network(IpAddr::V6(ip), 128, port),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allow(text: &str) -> AllowPrivate {
        text.parse().unwrap()
    }

    #[test]
    fn a_list_allows_what_it_names_and_nothing_else() {
        let list = allow("10.1.0.0/16, 192.168.1.5:9000 Build.Internal,hooks.local:81,[::1]:70");
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        assert!(list.permits_address(ip("10.1.2.3"), 5000));
        assert!(list.permits_address(ip("::ffff:10.1.2.3"), 5000));
        assert!(!list.permits_address(ip("10.2.2.3"), 5000));
        assert!(list.permits_address(ip("192.168.1.5"), 9000));
        assert!(!list.permits_address(ip("192.168.1.5"), 9001));
        assert!(list.permits_address(ip("::1"), 70));
        assert!(list.permits_name("build.internal.", 443));
        assert!(!list.permits_name("x.build.internal", 443));
        assert!(list.permits_name("hooks.local", 81));
        assert!(!list.permits_name("hooks.local", 80));
    }

    #[test]
    fn one_word_allows_all_or_nothing() {
        for text in ["1", "true", " all "] {
            assert_eq!(allow(text), AllowPrivate::EVERYTHING);
        }
        for text in ["", "0", "false"] {
            assert_eq!(allow(text), AllowPrivate::NOTHING);
        }
        assert_eq!(AllowPrivate::default(), AllowPrivate::NOTHING);
    }

    #[test]
    fn what_is_no_target_is_named() {
        for text in [
            "10.0.0.0/33",
            "*.internal",
            "a b/c",
            "host:port",
            "10.0.0.1,%",
        ] {
            assert!(text.parse::<AllowPrivate>().is_err(), "{text}");
        }
        let error = "10.0.0.0/40".parse::<AllowPrivate>().unwrap_err();
        assert!(error.to_string().starts_with("10.0.0.0/40 is"), "{error}");
    }
}
