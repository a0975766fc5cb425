//! Which addresses and names belong to the public internet. Everything else is refused unless the
//! operator allows it, so that a payload cannot make the server reach into its own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not public, as address and prefix length.
const CLOSED_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// IPv6 networks inside the global unicast range `2000::/3` that are not public.
const CLOSED_V6: &[(Ipv6Addr, u32)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Last labels of names that mean this machine or this network.
const CLOSED_SUFFIXES: &[&str] = &["localhost", "local", "internal", "home.arpa"];

/// Whether `ip` is an address of the public internet. An IPv6 address that carries an IPv4 address
/// (mapped, compatible, NAT64, 6to4) is as public as that one.
pub(super) fn is_public(ip: IpAddr) -> bool {
    match unwrapped(ip) {
        IpAddr::V4(ip) => !CLOSED_V4
            .iter()
            .any(|(net, prefix)| contains(IpAddr::V4(*net), *prefix, IpAddr::V4(ip))),
        IpAddr::V6(ip) => {
            ip.segments()[0] >> 13 == 1
                && !CLOSED_V6
                    .iter()
                    .any(|(net, prefix)| contains(IpAddr::V6(*net), *prefix, IpAddr::V6(ip)))
        }
    }
}

/// Whether `name` means this machine or this network whatever it resolves to.
pub(super) fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    CLOSED_SUFFIXES.iter().any(|suffix| {
        name.strip_suffix(suffix)
            .is_some_and(|front| front.is_empty() || front.ends_with('.'))
    })
}

/// The IPv4 address inside an IPv6 address that carries one, else the address itself.
pub(super) fn unwrapped(ip: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = ip else { return ip };
    if v6.is_loopback() || v6.is_unspecified() {
        return ip;
    }
    let octets = v6.octets();
    let inner = match v6.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, _, _] | [0x64, 0xff9b, 0, 0, 0, 0, _, _] => &octets[12..16],
        [0x2002, ..] => &octets[2..6],
        _ => return ip,
    };
    match <[u8; 4]>::try_from(inner) {
        Ok(inner) => IpAddr::V4(Ipv4Addr::from(inner)),
        Err(_) => ip,
    }
}

/// Whether `ip` lies in the network of `net` and `prefix`; addresses of the other family do not.
pub(super) fn contains(net: IpAddr, prefix: u32, ip: IpAddr) -> bool {
    match (net, ip) {
        (IpAddr::V4(net), IpAddr::V4(ip)) => {
            let mask = u32::MAX.checked_shl(32 - prefix.min(32)).unwrap_or(0);
            u32::from(net) & mask == u32::from(ip) & mask
        }
        (IpAddr::V6(net), IpAddr::V6(ip)) => {
            let mask = u128::MAX.checked_shl(128 - prefix.min(128)).unwrap_or(0);
            u128::from(net) & mask == u128::from(ip) & mask
        }
        (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        for open in [
            "1.1.1.1",
            "93.184.216.34",
            "100.63.255.255",
            "172.15.0.1",
            "172.32.0.1",
            "2606:4700:4700::1111",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2002:808:808::1",
        ] {
            assert!(is_public(open.parse().unwrap()), "{open}");
        }
        for closed in [
            "0.0.0.0",
            "0.1.2.3",
            "10.255.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.170",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::7f00:1",
            "64:ff9b:1::808:808",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2001::1",
            "2001:0:7f00:1::",
            "2001:db8::1",
            "3fff::1",
            "100::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "5f00::1",
        ] {
            assert!(!is_public(closed.parse().unwrap()), "{closed}");
        }
    }

    #[test]
    fn names_of_this_machine_and_network_are_known() {
        for local in [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "a.localhost",
            "metadata.google.internal",
            "printer.local",
            "router.home.arpa",
        ] {
            assert!(is_local_name(local), "{local}");
        }
        for open in ["example.com", "mylocalhost", "local.example", "internal.io"] {
            assert!(!is_local_name(open), "{open}");
        }
    }

    #[test]
    fn a_prefix_of_any_length_is_compared_right() {
        let v4 = |text: &str| text.parse::<IpAddr>().unwrap();
        assert!(contains(v4("0.0.0.0"), 0, v4("255.1.2.3")));
        assert!(contains(v4("10.1.2.3"), 32, v4("10.1.2.3")));
        assert!(!contains(v4("10.1.2.3"), 32, v4("10.1.2.4")));
        assert!(contains(v4("::"), 0, v4("ffff::")));
        assert!(!contains(v4("::"), 0, v4("1.2.3.4")));
    }
}
