//! Whether a browser sent a request on behalf of this server's own pages.

use axum::http::{HeaderMap, Method, header};
use url::{Host, Url};

use super::problem::{Code, Problem};

/// How much a request must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// It must say that it comes from a page of this server: it acts in a session.
    Required,
    /// It must not say that it comes from elsewhere: it acts for nobody yet, or only reads.
    Welcome,
}

/// Whether the method promises to change nothing.
pub(crate) fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Refuses what comes from another site. `Sec-Fetch-Site` decides where a browser sends it, else
/// `Origin` must be the public address; where none is set, or on this machine itself, the address in
/// `Host`.
pub(crate) fn check(
    headers: &HeaderMap,
    public: Option<&Url>,
    proof: Proof,
) -> Result<(), Problem> {
    let refuse = |why: &str| Err(Problem::new(Code::CrossSite, why));
    let text = |name| {
        let value = headers.get(name)?;
        Some(value.to_str().unwrap_or("unreadable"))
    };
    match text(header::HeaderName::from_static("sec-fetch-site")) {
        Some("same-origin" | "none") => return Ok(()),
        Some(site) => return refuse(&format!("the request comes from another page ({site})")),
        None => {}
    }
    match text(header::ORIGIN) {
        Some(origin) if is_own(origin, headers, public) => Ok(()),
        Some(_) => refuse("the request comes from another site: its Origin is not this server"),
        None if proof == Proof::Welcome => Ok(()),
        None => refuse(
            "the request does not say which page it comes from: neither Sec-Fetch-Site nor Origin is there",
        ),
    }
}

fn is_own(origin: &str, headers: &HeaderMap, public: Option<&Url>) -> bool {
    let Ok(origin) = Url::parse(origin) else {
        return false;
    };
    if public.is_some_and(|public| public.origin() == origin.origin()) {
        return true;
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or("");
    // The scheme is the browser's: a proxy may have taken TLS off. Where a public address is known, only
    // this machine itself goes by another.
    Url::parse(&format!("{}://{host}", origin.scheme())).is_ok_and(|own| {
        let counts = public.is_none() || is_loopback(&own);
        !host.is_empty() && counts && own.origin() == origin.origin()
    })
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn verdict(pairs: &[(&'static str, &'static str)], proof: Proof) -> bool {
        let headers = pairs
            .iter()
            .map(|(name, value)| {
                (
                    header::HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect();
        let public = Url::parse("https://queue.example").unwrap();
        check(&headers, Some(&public), proof).is_ok()
    }

    #[test]
    fn only_this_servers_pages_pass() {
        let host = ("host", "localhost:8085");
        for good in [
            &[("sec-fetch-site", "same-origin")][..],
            &[("sec-fetch-site", "none")],
            &[("origin", "http://localhost:8085"), host],
            &[("origin", "https://queue.example"), host],
        ] {
            assert!(verdict(good, Proof::Required), "{good:?}");
        }
        for bad in [
            &[
                ("sec-fetch-site", "cross-site"),
                ("origin", "http://localhost:8085"),
                host,
            ][..],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "anything")],
            &[("origin", "null"), host],
            &[("origin", "http://localhost:8086"), host],
            &[("origin", "https://queue.example.evil"), host],
            &[("origin", "http://queue.example"), host],
            &[("origin", "http://localhost:8085")],
            &[
                ("origin", "http://queue.example"),
                ("host", "queue.example"),
            ],
            &[
                ("origin", "http://10.0.0.9:8085"),
                ("host", "10.0.0.9:8085"),
            ],
        ] {
            assert!(!verdict(bad, Proof::Required), "{bad:?}");
            assert!(!verdict(bad, Proof::Welcome), "{bad:?}");
        }
        assert!(!verdict(&[host], Proof::Required));
        assert!(verdict(&[host], Proof::Welcome));
    }
}
