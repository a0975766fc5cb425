//! The server's own network stays out of reach, however a payload spells it.

use std::net::IpAddr;
use std::sync::Arc;

use conveyor::worker::handlers::egress::{AllowPrivate, Egress, Rules};
use conveyor::worker::handlers::failure::Then;
use serde_json::json;
use url::Url;

use super::support::{Names, call, open_egress, serve};

fn closed(names: Names) -> Egress {
    Egress::with_lookup(Rules::default(), Arc::new(names)).unwrap()
}

fn ips(list: &[&str]) -> Vec<IpAddr> {
    list.iter().map(|ip| ip.parse().unwrap()).collect()
}

#[test]
fn every_spelling_of_a_private_address_is_blocked() {
    let egress = closed(Names(Vec::new()));
    for url in [
        "http://127.0.0.1/",
        "http://127.0.0.1:8085/",
        "http://127.1/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://0/",
        "http://[::]/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[2002:7f00:1::]/",
        "http://[fc00::1]/",
        "http://[fd00:ec2::254]/",
        "http://[fe80::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.100.100.200/",
        "http://１２７.０.０.１/",
        "http://127。0。0。1/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost/",
        "http://ⓛocalhost/",
        "http://metadata.google.internal/computeMetadata/v1/",
        "http://printer.local/",
        "http://user@1.1.1.1/",
        "http://user:secret@example.com/",
        "http://1.1.1.1:22/",
        "http://1.1.1.1:6379/",
        "https://1.1.1.1:5432/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://1.1.1.1/",
        "unix:/run/docker.sock",
        "data:text/plain,hello",
    ] {
        let parsed = Url::parse(url).unwrap();
        let blocked = egress.check(&parsed).expect_err(url).to_string();
        assert!(blocked.starts_with("blocked: "), "{url}: {blocked}");
        assert!(!blocked.contains("secret"), "{blocked}");
    }
}

#[test]
fn public_targets_on_usual_ports_are_not_blocked() {
    let egress = closed(Names(Vec::new()));
    for url in [
        "http://1.1.1.1/",
        "https://example.com/hook?a=b",
        "https://example.com:8443/",
        "http://[2606:4700:4700::1111]:9999/",
        "https://xn--e1afmkfd.xn--p1ai/",
    ] {
        assert!(egress.check(&Url::parse(url).unwrap()).is_ok(), "{url}");
    }
}

#[tokio::test]
async fn a_name_with_one_private_address_among_public_ones_is_blocked() {
    let egress = Arc::new(closed(Names(vec![
        ("mixed.example", ips(&["93.184.216.34", "127.0.0.1"])),
        ("mapped.example", ips(&["::ffff:10.0.0.1"])),
        ("meta.example", ips(&["169.254.169.254"])),
    ])));
    for name in ["mixed.example", "mapped.example", "meta.example"] {
        let payload = json!({"url": format!("http://{name}/")});
        let error = call(Arc::clone(&egress), payload).await.unwrap_err();
        assert_eq!(error.failure.class, "Blocked", "{error:?}");
        assert_eq!(error.then, Then::Die);
        for hidden in ["127.0.0.1", "10.0.0.1", "169.254"] {
            assert!(!error.failure.message.contains(hidden), "{error:?}");
        }
    }
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_tried_again() {
    let egress = Arc::new(closed(Names(Vec::new())));
    let error = call(egress, json!({"url": "http://gone.example/"}))
        .await
        .unwrap_err();
    assert_eq!(
        (error.failure.class.as_str(), error.then),
        ("Dns", Then::Retry)
    );
}

#[tokio::test]
async fn a_name_is_allowed_with_all_its_addresses_on_its_port() {
    let address = serve(axum::Router::new().fallback(|| async { "inside" })).await;
    let names = || Names(vec![("build.internal", ips(&["127.0.0.1"]))]);
    let rules = Rules {
        allow: format!("build.internal:{}", address.port())
            .parse()
            .unwrap(),
        ..Rules::default()
    };
    let egress = Arc::new(Egress::with_lookup(rules, Arc::new(names())).unwrap());
    let url = format!("http://build.internal:{}/", address.port());
    let answer = call(Arc::clone(&egress), json!({"url": url}))
        .await
        .unwrap();
    assert_eq!(answer.body, "inside");

    let other = Url::parse("http://build.internal:81/").unwrap();
    assert!(egress.check(&other).is_err());
}

#[tokio::test]
async fn a_network_is_allowed_for_names_that_lead_into_it() {
    let address = serve(axum::Router::new().fallback(|| async { "inside" })).await;
    let rules = Rules {
        allow: "127.0.0.0/8".parse().unwrap(),
        ..Rules::default()
    };
    let names = Names(vec![("hooks.example", ips(&["127.0.0.1"]))]);
    let egress = Arc::new(Egress::with_lookup(rules, Arc::new(names)).unwrap());
    let url = format!("http://hooks.example:{}/", address.port());
    assert_eq!(call(egress, json!({"url": url})).await.unwrap().status, 200);
}

#[tokio::test]
async fn the_server_itself_is_blocked_whatever_is_allowed() {
    let own = serve(axum::Router::new()).await;
    let any = format!("0.0.0.0:{}", own.port()).parse().unwrap();
    for listener in [own, any] {
        let rules = Rules {
            allow: AllowPrivate::EVERYTHING,
            own: vec![listener],
            demo: false,
        };
        let names = Names(vec![("me.example", ips(&["127.0.0.1"]))]);
        let egress = Arc::new(Egress::with_lookup(rules, Arc::new(names)).unwrap());
        for host in [
            "127.0.0.1",
            "0.0.0.0",
            "[::ffff:127.0.0.1]",
            "[::]",
            "me.example",
        ] {
            let url = format!("http://{host}:{}/api/v1/jobs", own.port());
            let error = call(Arc::clone(&egress), json!({"url": url}))
                .await
                .unwrap_err();
            assert_eq!(error.failure.class, "Blocked", "{host}: {error:?}");
        }
    }
}

#[tokio::test]
async fn the_demo_opens_its_own_endpoints_and_nothing_else() {
    let router = axum::Router::new().fallback(|| async { "demo" });
    let own = serve(router).await;
    let rules = Rules {
        own: vec![own],
        demo: true,
        ..Rules::default()
    };
    let egress = Arc::new(Egress::new(rules).unwrap());
    let at = |path: &str| json!({"url": format!("http://127.0.0.1:{}{path}", own.port())});
    let answer = call(Arc::clone(&egress), at("/demo/hooks/ok"))
        .await
        .unwrap();
    assert_eq!(answer.body, "demo");
    for path in [
        "/",
        "/api/v1/jobs",
        "/demo/hooks",
        "/demo/hooks/../../api/v1/jobs",
    ] {
        let error = call(Arc::clone(&egress), at(path)).await.unwrap_err();
        assert_eq!(error.failure.class, "Blocked", "{path}");
    }
}

#[tokio::test]
async fn a_redirect_into_the_own_network_is_blocked() {
    use axum::response::Redirect;
    let router = axum::Router::new()
        .route(
            "/literal",
            axum::routing::any(|| async { Redirect::temporary("http://10.0.0.1/") }),
        )
        .route(
            "/name",
            axum::routing::any(|| async { Redirect::temporary("http://localhost/") }),
        )
        .route(
            "/file",
            axum::routing::any(|| async { Redirect::temporary("file:///etc/passwd") }),
        );
    let address = serve(router).await;
    let rules = Rules {
        allow: address.to_string().parse().unwrap(),
        ..Rules::default()
    };
    let egress = Arc::new(Egress::new(rules).unwrap());
    for path in ["literal", "name", "file"] {
        let payload = json!({"url": format!("http://{address}/{path}")});
        let error = call(Arc::clone(&egress), payload).await.unwrap_err();
        assert_eq!(error.failure.class, "Blocked", "{path}");
        assert!(error.failure.message.contains("redirect"), "{error:?}");
    }
}

#[tokio::test]
async fn a_redirect_to_the_server_itself_is_blocked() {
    let own = serve(axum::Router::new()).await;
    let to = format!("http://{own}/api/v1/jobs");
    let hop = move || {
        let to = to.clone();
        async move { axum::response::Redirect::permanent(&to) }
    };
    let address = serve(axum::Router::new().fallback(hop)).await;
    let error = call(
        open_egress(vec![own]),
        json!({"url": format!("http://{address}/")}),
    )
    .await
    .unwrap_err();
    assert_eq!(error.failure.class, "Blocked");
}
