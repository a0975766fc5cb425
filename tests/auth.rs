//! Who is let in, and what a browser may do.

use axum::body::Body;
use axum::http::{Method, Request};
use conveyor::http::TokenHash;
use conveyor_model::time::Span;

use crate::support::app::{TOKEN, TestApp};

const OWN: (&str, &str) = ("sec-fetch-site", "same-origin");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_the_whole_token_opens_rest() {
    let app = TestApp::new().await;
    let get = async |value: &str| {
        app.visit(Method::GET, "/api/v1/jobs", "", &[("authorization", value)])
            .await
    };
    assert_eq!(get(&format!("Bearer {TOKEN}")).await.status, 200);
    assert_eq!(get(&format!("bearer {TOKEN}")).await.status, 200);
    for wrong in [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic YTpi",
        TOKEN,
        &format!("Bearer {TOKEN}x"),
        &format!("Bearer {}", &TOKEN[1..]),
    ] {
        get(wrong).await.problem(401, "unauthorized");
    }
    let query = format!("/api/v1/jobs?token={TOKEN}&access_token={TOKEN}");
    app.visit(Method::GET, &query, "", &[])
        .await
        .problem(401, "unauthorized");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_opens_pages_and_the_stream_but_not_rest() {
    let app = TestApp::new().await;
    let cookie = app.log_in().await;
    let page = app
        .visit(Method::GET, "/", "", &[("cookie", &cookie)])
        .await;
    assert_ne!(page.status, 303);
    app.visit(Method::GET, "/api/v1/jobs", "", &[("cookie", &cookie)])
        .await
        .problem(401, "unauthorized");
    let post = app
        .visit(
            Method::POST,
            "/api/v1/jobs",
            r#"{"kind":"k"}"#,
            &[("cookie", &cookie), OWN],
        )
        .await;
    post.problem(401, "unauthorized");
    let request = Request::get("/api/v1/events")
        .header("host", "localhost")
        .header("cookie", &cookie);
    let stream =
        tower::ServiceExt::oneshot(app.router.clone(), request.body(Body::empty()).unwrap());
    assert_eq!(stream.await.unwrap().status(), 200);
    app.visit(
        Method::GET,
        "/api/v1/events",
        "",
        &[("cookie", &cookie), ("sec-fetch-site", "cross-site")],
    )
    .await
    .problem(403, "cross_site");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_visitor_is_led_to_the_login_page_and_back() {
    let app = TestApp::new().await;
    let page = app.visit(Method::GET, "/jobs?state=dead", "", &[]).await;
    assert_eq!(
        (page.status, page.header("location")),
        (303, Some("/login?return_to=%2Fjobs%3Fstate%3Ddead"))
    );
    app.visit(Method::POST, "/rpc/anything", "", &[OWN])
        .await
        .problem(401, "unauthorized");
    let log_in = async |form: String| app.visit(Method::POST, "/login", &form, &[FORM, OWN]).await;
    let back = log_in(format!("token={TOKEN}&return_to=%2Fjobs%3Fstate%3Ddead")).await;
    assert_eq!(
        (back.status, back.header("location")),
        (303, Some("/jobs?state=dead"))
    );
    for elsewhere in ["https://evil.example", "//evil.example", "/\\evil.example"] {
        let reply = log_in(format!("token={TOKEN}&return_to={elsewhere}")).await;
        assert_eq!(reply.header("location"), Some("/"), "{elsewhere}");
    }
    let wrong = log_in("token=wrong&return_to=%2Fjobs".to_owned()).await;
    assert_eq!(
        wrong.header("location"),
        Some("/login?refused=wrong&return_to=%2Fjobs")
    );
    assert_eq!(wrong.header("set-cookie"), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_cookie_cannot_be_read_nor_sent_by_other_sites() {
    let app = TestApp::new().await;
    let form = format!("token={TOKEN}");
    let plain = app.visit(Method::POST, "/login", &form, &[FORM, OWN]).await;
    let cookie = plain.header("set-cookie").unwrap();
    assert!(cookie.starts_with("conveyor="), "{cookie}");
    for part in ["Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=43200"] {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }
    assert!(!cookie.contains("Secure") && !cookie.contains(TOKEN));
    let tls = TestApp::with(|config| {
        config.public_url = Some("https://queue.example".parse().unwrap());
        config.hosts.allow("queue.example");
    })
    .await;
    let reply = tls
        .visit(
            Method::POST,
            "/login",
            &form,
            &[FORM, ("origin", "https://queue.example")],
        )
        .await;
    let cookie = reply.header("set-cookie").unwrap();
    assert!(
        cookie.starts_with("__Host-conveyor=") && cookie.ends_with("; Secure"),
        "{cookie}"
    );
    assert_eq!(
        reply.header("strict-transport-security"),
        Some("max-age=31536000")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_ends_at_logout_when_idle_and_after_half_a_day() {
    let app = TestApp::new().await;
    let opens = async |cookie: &str| {
        app.visit(Method::GET, "/", "", &[("cookie", cookie)])
            .await
            .status
            != 303
    };
    let first = app.log_in().await;
    let out = app
        .visit(Method::POST, "/logout", "", &[("cookie", &first), OWN])
        .await;
    assert_eq!(out.header("location"), Some("/login"));
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert!(!opens(&first).await);

    let idle = app.log_in().await;
    app.clock.advance(Span::from_secs(3599));
    assert!(opens(&idle).await);
    app.clock.advance(Span::from_secs(3600));
    assert!(!opens(&idle).await);

    let used = app.log_in().await;
    for _ in 0..23 {
        app.clock.advance(Span::from_secs(1800));
        assert!(opens(&used).await);
    }
    app.clock.advance(Span::from_secs(1800));
    assert!(!opens(&used).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_cookies_of_the_name_are_none() {
    let app = TestApp::new().await;
    let cookie = app.log_in().await;
    let both = format!("{cookie}; conveyor=other");
    assert_eq!(
        app.visit(Method::GET, "/", "", &[("cookie", &both)])
            .await
            .status,
        303
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_link_opens_once() {
    let app = TestApp::new().await;
    let code = app.config.codes.issue();
    let path = format!("/login?code={code}");
    let first = app.visit(Method::GET, &path, "", &[]).await;
    assert_eq!((first.status, first.header("location")), (303, Some("/")));
    assert!(first.header("set-cookie").is_some());
    let second = app.visit(Method::GET, &path, "", &[]).await;
    assert_eq!(second.header("location"), Some("/login?refused=wrong"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn guessing_is_slowed_down() {
    let app = TestApp::new().await;
    let log_in = async |token: &str| {
        let reply = app
            .visit(
                Method::POST,
                "/login",
                &format!("token={token}"),
                &[FORM, OWN],
            )
            .await;
        reply.header("location").unwrap().to_owned()
    };
    for _ in 0..10 {
        assert_eq!(log_in("guess").await, "/login?refused=wrong");
    }
    assert_eq!(log_in("guess").await, "/login?refused=busy");
    assert_eq!(log_in(TOKEN).await, "/login?refused=busy");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn another_site_cannot_act_in_a_session() {
    let app = TestApp::new().await;
    let cookie = app.log_in().await;
    let session = ("cookie", cookie.as_str());
    for headers in [
        &[session, ("sec-fetch-site", "cross-site")][..],
        &[session, ("sec-fetch-site", "same-site")],
        &[session, ("origin", "https://evil.example")],
        &[session, ("origin", "null")],
        &[session],
    ] {
        for path in ["/rpc/anything", "/logout"] {
            app.visit(Method::POST, path, "", headers)
                .await
                .problem(403, "cross_site");
        }
    }
    let own = [session, ("origin", "http://localhost")];
    assert_ne!(
        app.visit(Method::POST, "/rpc/anything", "", &own)
            .await
            .status,
        403
    );
    let login = app
        .visit(
            Method::POST,
            "/login",
            "token=x",
            &[FORM, ("sec-fetch-site", "cross-site")],
        )
        .await;
    login.problem(403, "cross_site");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn another_name_is_not_answered() {
    let app = TestApp::with(|config| config.hosts.allow("queue.example")).await;
    let get = async |host: &str| {
        app.visit(Method::GET, "/api/v1/jobs", "", &[("host", host)])
            .await
    };
    for good in [
        "localhost:8085",
        "127.0.0.1",
        "[::1]:80",
        "Queue.Example:443",
    ] {
        get(good).await.problem(401, "unauthorized");
    }
    for bad in ["evil.example", "localhost.evil.example", ""] {
        get(bad).await.problem(421, "unknown_host");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_answer_says_how_a_browser_may_treat_it() {
    let app = TestApp::new().await;
    for (path, referrer) in [
        ("/api/v1/jobs", "no-referrer"),
        ("/livez", "no-referrer"),
        ("/login", "same-origin"),
        ("/login?code=x", "no-referrer"),
        ("/api/nothing", "no-referrer"),
    ] {
        let reply = app.visit(Method::GET, path, "", &[]).await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", referrer),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{name} of {path}");
        }
        let policy = reply.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'")
        );
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_page_has_a_nonce_of_its_own() {
    let app = TestApp::new().await;
    let mut seen = Vec::new();
    for _ in 0..2 {
        let page = app.visit(Method::GET, "/login", "", &[]).await;
        assert_eq!(page.header("referrer-policy"), Some("same-origin"));
        assert_eq!(page.status, 200);
        let policy = page.header("content-security-policy").unwrap().to_owned();
        let nonce = policy
            .split("'nonce-")
            .nth(1)
            .unwrap()
            .split('\'')
            .next()
            .unwrap();
        assert!(policy.contains("'strict-dynamic' 'wasm-unsafe-eval'"));
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
        let scripts = page.text.matches("<script").count();
        assert!(
            page.text.matches(&format!("nonce=\"{nonce}\"")).count() >= scripts,
            "{}",
            page.text
        );
        seen.push(nonce.to_owned());
    }
    assert_ne!(seen[0], seen[1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_new_token_ends_the_sessions_of_the_old_one() {
    let app = TestApp::new().await;
    let cookie = app.log_in().await;
    let page = async |app: &TestApp| {
        app.visit(Method::GET, "/", "", &[("cookie", &cookie)])
            .await
    };
    assert_eq!(page(&app).await.status, 200);
    let other = TokenHash::of("another-token-for-tests-01234");
    let app = app.restarted(|config| config.token = other);
    assert_eq!(page(&app).await.header("location"), Some("/login"));
    let app = app.restarted(|_| {});
    assert_eq!(page(&app).await.status, 200);
}
