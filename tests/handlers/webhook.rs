//! `webhook.call` against a target that tells what it got.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect};
use axum::routing::any;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use conveyor::worker::handlers::failure::Then;
use conveyor::worker::handlers::webhook::Webhook;
use conveyor_model::json::JsonText;
use conveyor_model::time::Span;
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::support::{Told, attempt, call, now, open_egress, serve};

/// What the target got last: method, headers, body.
type Got = Arc<Mutex<Vec<(Method, HeaderMap, Bytes)>>>;

async fn note(State(got): State<Got>, request: Request) -> impl IntoResponse {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    got.lock()
        .unwrap()
        .push((parts.method, parts.headers, body));
    (StatusCode::CREATED, [("x-request-id", "r-1")], "noted")
}

async fn status(Path(code): Path<u16>) -> impl IntoResponse {
    let headers = [(header::RETRY_AFTER, "17")];
    let code = StatusCode::from_u16(code).unwrap();
    if code == StatusCode::SERVICE_UNAVAILABLE || code == StatusCode::NOT_FOUND {
        return (code, headers, "try later\nplease").into_response();
    }
    (code, "because").into_response()
}

async fn target() -> (String, Got) {
    let got = Got::default();
    let router = Router::new()
        .route("/note", any(note))
        .route("/status/{code}", any(status))
        .route("/moved", any(|| async { Redirect::temporary("/note") }))
        .route("/other", any(|| async { Redirect::to("/note") }))
        .with_state(Arc::clone(&got));
    (format!("http://{}", serve(router).await), got)
}

#[tokio::test]
async fn the_body_is_sent_byte_for_byte() {
    let (base, got) = target().await;
    let payload = format!(
        r#"{{"url":"{base}/note","headers":{{"X-Team":"ops"}},"body":{{"n":1970670598291982290, "x":1e2}}}}"#
    );
    let webhook = Webhook {
        egress: open_egress(Vec::new()),
        secret: None,
    };
    let call = serde_json::from_str(&payload).unwrap();
    let (cancel, told) = (CancellationToken::new(), Told::default());
    let answer = webhook
        .call(call, attempt(7, &cancel, &told))
        .await
        .unwrap();
    assert_eq!((answer.status, answer.body.as_str()), (201, "noted"));
    assert_eq!(answer.headers["x-request-id"], "r-1");
    assert!(
        told.text().contains("answered 201 Created"),
        "{}",
        told.text()
    );

    let (method, headers, body) = got.lock().unwrap().pop().unwrap();
    assert_eq!(method, Method::POST);
    assert_eq!(body, r#"{"n":1970670598291982290, "x":1e2}"#.as_bytes());
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["x-team"], "ops");
    assert_eq!(headers["webhook-timestamp"], now().secs().to_string());
    assert!(headers.get("webhook-signature").is_none());
    assert!(headers.get("accept-encoding").is_none());
}

#[tokio::test]
async fn a_text_body_is_sent_as_text() {
    let (base, got) = target().await;
    let payload = json!({"url": format!("{base}/note"), "method": "put", "body": "a\n\"b\""});
    call(open_egress(Vec::new()), payload).await.unwrap();
    let (method, headers, body) = got.lock().unwrap().pop().unwrap();
    assert_eq!(
        (method, body.as_ref()),
        (Method::PUT, b"a\n\"b\"".as_slice())
    );
    assert_eq!(headers["content-type"], "text/plain; charset=utf-8");
}

/// HMAC-SHA256 written out by its definition, so that the library is checked by something else.
fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut padded = [0u8; 64];
    padded[..key.len()].copy_from_slice(key);
    let inner = Sha256::new()
        .chain_update(padded.map(|b| b ^ 0x36))
        .chain_update(message)
        .finalize();
    let outer = Sha256::new()
        .chain_update(padded.map(|b| b ^ 0x5c))
        .chain_update(inner);
    outer.finalize().to_vec()
}

#[tokio::test]
async fn a_signed_call_can_be_checked_and_keeps_its_id() {
    let (base, got) = target().await;
    let key = [7u8; 32];
    let webhook = Webhook {
        egress: open_egress(Vec::new()),
        secret: Some(format!("whsec_{}", STANDARD.encode(key)).parse().unwrap()),
    };
    let (cancel, told) = (CancellationToken::new(), Told::default());
    for job in [7, 7, 8] {
        let payload = json!({"url": format!("{base}/note"), "body": {"a": 1}});
        let call = serde_json::from_value(payload).unwrap();
        webhook
            .call(call, attempt(job, &cancel, &told))
            .await
            .unwrap();
    }
    let got = got.lock().unwrap();
    let id = |n: usize| got[n].1["webhook-id"].to_str().unwrap();
    assert_eq!(id(0), id(1));
    assert_ne!(id(0), id(2));

    let (_, headers, body) = &got[0];
    let time = headers["webhook-timestamp"].to_str().unwrap();
    let signed = [id(0).as_bytes(), b".", time.as_bytes(), b".", body].concat();
    let expected = format!("v1,{}", STANDARD.encode(hmac(&key, &signed)));
    assert_eq!(headers["webhook-signature"], expected);
}

#[tokio::test]
async fn the_status_decides_what_follows() {
    let (base, _) = target().await;
    let wait = Then::RetryIn(Span::from_secs(17));
    for (code, then) in [
        (408, Then::Retry),
        (429, Then::Retry),
        (500, Then::Retry),
        (503, wait),
        (599, Then::Retry),
        (304, Then::Die),
        (400, Then::Die),
        (404, Then::Die),
        (410, Then::Die),
    ] {
        let payload = json!({"url": format!("{base}/status/{code}")});
        let error = call(open_egress(Vec::new()), payload).await.unwrap_err();
        assert_eq!(error.failure.class, format!("Status{code}"));
        assert_eq!(error.then, then, "{code}");
    }
    let payload = json!({"url": format!("{base}/status/503")});
    let error = call(open_egress(Vec::new()), payload).await.unwrap_err();
    let lines: Vec<&str> = error.failure.message.lines().collect();
    assert_eq!(
        lines,
        [
            "127.0.0.1 answered 503 Service Unavailable",
            "try later",
            "please"
        ]
    );
}

#[tokio::test]
async fn a_redirect_is_followed_where_the_request_stays_what_it_is() {
    let (base, got) = target().await;
    let ask = async |path: &str, method: &str| {
        let payload = json!({"url": format!("{base}/{path}"), "method": method, "body": {}});
        call(open_egress(Vec::new()), payload).await
    };
    for (path, method) in [
        ("moved", Method::POST),
        ("moved", Method::GET),
        ("other", Method::GET),
    ] {
        assert_eq!(ask(path, method.as_str()).await.unwrap().status, 201);
        let seen = got.lock().unwrap().pop().unwrap();
        assert_eq!(
            (seen.0, seen.2.as_ref()),
            (method, b"{}".as_slice()),
            "{path}"
        );
    }
    let refused = ask("other", "POST").await.unwrap_err();
    assert_eq!(refused.failure.class, "Redirected");
    assert!(refused.failure.message.contains("Location"), "{refused:?}");
    assert!(
        got.lock().unwrap().is_empty(),
        "nothing was sent to the other address"
    );
}

#[tokio::test]
async fn secrets_do_not_follow_a_redirect_to_another_origin() {
    let (base, got) = target().await;
    let to = format!("{base}/note");
    let hop = move || {
        let to = to.clone();
        async move { Redirect::temporary(&to) }
    };
    let first = serve(Router::new().fallback(hop)).await;
    let payload = json!({
        "url": format!("http://{first}/"), "body": {"a": 1},
        "headers": {"Authorization": "Bearer secret", "X-Api-Key": "secret"},
    });
    call(open_egress(Vec::new()), payload).await.unwrap();
    let (_, headers, body) = got.lock().unwrap().pop().unwrap();
    assert!(headers.get("authorization").is_none() && headers.get("x-api-key").is_none());
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(body, r#"{"a":1}"#);
}

#[tokio::test]
async fn a_payload_that_cannot_be_used_dies_at_once() {
    for payload in [
        json!({"url": "not a url"}),
        json!({"url": "http://example.com/", "method": "CONNECT"}),
        json!({"url": "http://example.com/", "timeout_s": 0}),
        json!({"url": "http://example.com/", "timeout_s": 301}),
        json!({"url": "http://example.com/", "headers": {"Host": "x"}}),
        json!({"url": "http://example.com/", "headers": {"a": "b\r\nc: d"}}),
    ] {
        let error = call(open_egress(Vec::new()), payload.clone())
            .await
            .unwrap_err();
        assert_eq!(error.failure.class, "InvalidPayload", "{payload}");
        assert_eq!(error.then, Then::Die);
    }
    for text in [
        r#"{"url":"http://a/","colour":"red"}"#,
        r#"{"url":5}"#,
        "{}",
        "[]",
    ] {
        let payload = JsonText::parse(text).unwrap();
        let read: Result<conveyor::worker::handlers::webhook::WebhookCall, _> =
            conveyor::worker::handlers::run::read(&payload);
        let error = read.unwrap_err();
        assert_eq!(error.failure.class, "InvalidPayload", "{text}");
    }
}

#[tokio::test]
async fn a_cancelled_call_stops_at_once() {
    let hang = || async { std::future::pending::<()>().await };
    let address = serve(Router::new().fallback(hang)).await;
    let webhook = Webhook {
        egress: open_egress(Vec::new()),
        secret: None,
    };
    let (cancel, told) = (CancellationToken::new(), Told::default());
    let call = serde_json::from_value(json!({"url": format!("http://{address}/")})).unwrap();
    let (done, ()) = tokio::join!(webhook.call(call, attempt(1, &cancel, &told)), async {
        cancel.cancel();
    });
    assert_eq!(done.unwrap_err().then, Then::Cancel);
}
