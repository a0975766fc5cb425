//! Targets that misbehave: every call ends in time, names its phase and keeps memory flat.

use std::io;
use std::time::{Duration, Instant};

use conveyor::worker::handlers::failure::{HandlerError, Then};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::support::{call, open_egress, serve, serve_raw};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Reads a request up to its blank line.
async fn hear(stream: &mut TcpStream) -> io::Result<()> {
    let mut heard = Vec::new();
    while !heard.ends_with(b"\r\n\r\n") {
        heard.push(stream.read_u8().await?);
    }
    Ok(())
}

async fn fails(url: String) -> HandlerError {
    let began = Instant::now();
    let error = call(
        open_egress(Vec::new()),
        json!({"url": url, "timeout_s": 1.0}),
    )
    .await
    .unwrap_err();
    assert!(began.elapsed() < Duration::from_secs(4), "{error:?}");
    assert_eq!(error.then, Then::Retry, "{error:?}");
    error
}

#[track_caller]
fn says(error: &HandlerError, class: &str, phase: &str) {
    assert_eq!(error.failure.class, class, "{error:?}");
    assert!(error.failure.message.contains(phase), "{error:?}");
}

#[tokio::test]
async fn a_target_that_refuses_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let error = fails(format!("http://{address}/secret-path?token=1")).await;
    says(&error, "ConnectionRefused", "while connecting");
    assert!(!error.failure.message.contains("secret"), "{error:?}");
}

#[tokio::test]
async fn a_target_that_never_answers() {
    let address = serve_raw(|mut stream| async move {
        let mut all = Vec::new();
        stream.read_to_end(&mut all).await.map(drop)
    })
    .await;
    let error = fails(format!("http://{address}/")).await;
    says(&error, "Timeout", "waiting for the answer");
}

#[tokio::test]
async fn a_target_that_never_finishes_the_tls_greeting() {
    let address = serve_raw(|mut stream| async move {
        let mut all = Vec::new();
        stream.read_to_end(&mut all).await.map(drop)
    })
    .await;
    let error = fails(format!("https://{address}/")).await;
    says(&error, "Timeout", "connecting");
}

#[tokio::test]
async fn a_target_that_drips() {
    let address = serve_raw(|mut stream| async move {
        hear(&mut stream).await?;
        stream.write_all(HEAD).await?;
        loop {
            stream.write_all(b"1\r\nx\r\n").await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    let error = fails(format!("http://{address}/")).await;
    says(&error, "Timeout", "while reading the answer");
}

#[tokio::test]
async fn a_target_whose_headers_never_end() {
    let address = serve_raw(|mut stream| async move {
        hear(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
        loop {
            stream.write_all(&[b'a'; 8192]).await?;
        }
    })
    .await;
    let error = fails(format!("http://{address}/")).await;
    says(&error, "BadAnswer", "while waiting for the answer");
}

#[tokio::test]
async fn an_endless_body_is_cut_and_the_call_succeeds() {
    let address = serve_raw(|mut stream| async move {
        hear(&mut stream).await?;
        stream.write_all(HEAD).await?;
        let chunk = [b"1000\r\n".as_slice(), &[b'x'; 0x1000], b"\r\n"].concat();
        loop {
            stream.write_all(&chunk).await?;
        }
    })
    .await;
    let url = format!("http://{address}/");
    let answer = call(open_egress(Vec::new()), json!({"url": url}))
        .await
        .unwrap();
    assert!(answer.truncated);
    assert_eq!(answer.body, "x".repeat(4096));
}

#[tokio::test]
async fn a_body_that_claims_ten_gigabytes_is_cut() {
    let address = serve_raw(|mut stream| async move {
        hear(&mut stream).await?;
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n";
        stream.write_all(head).await?;
        loop {
            stream.write_all(&[b'y'; 0x1000]).await?;
        }
    })
    .await;
    let url = format!("http://{address}/");
    let answer = call(open_egress(Vec::new()), json!({"url": url}))
        .await
        .unwrap();
    assert!(answer.truncated);
    assert_eq!(answer.body.len(), 4096);
}

#[tokio::test]
async fn a_target_that_closes_in_the_middle_of_a_header() {
    let address = serve_raw(|mut stream| async move {
        hear(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Le").await
    })
    .await;
    let error = fails(format!("http://{address}/")).await;
    says(&error, "ConnectionClosed", "while waiting for the answer");
}

#[tokio::test]
async fn a_target_that_closes_in_the_middle_of_a_body() {
    let address = serve_raw(|mut stream| async move {
        hear(&mut stream).await?;
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            .await
    })
    .await;
    let error = fails(format!("http://{address}/")).await;
    says(&error, "ConnectionClosed", "while reading the answer");
}

#[tokio::test]
async fn a_target_that_does_not_speak_http() {
    let address = serve_raw(|mut stream| async move {
        stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n\r\n").await?;
        hear(&mut stream).await
    })
    .await;
    let error = fails(format!("http://{address}/")).await;
    says(&error, "BadAnswer", "while waiting for the answer");
}

#[tokio::test]
async fn a_target_that_speaks_http_where_tls_is_expected() {
    let address = serve(axum::Router::new()).await;
    let error = fails(format!("https://{address}/")).await;
    says(&error, "Tls", "while connecting");
}

#[tokio::test]
async fn a_redirect_loop_ends_after_three_hops() {
    let hop = || async { axum::response::Redirect::temporary("/again") };
    let address = serve(axum::Router::new().fallback(hop)).await;
    let error = call(
        open_egress(Vec::new()),
        json!({"url": format!("http://{address}/")}),
    )
    .await
    .unwrap_err();
    assert_eq!(error.failure.class, "TooManyRedirects");
    assert_eq!(error.then, Then::Die);
}
