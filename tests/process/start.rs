//! What a start refuses, and what a server that has started does not wait for.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::child::{Home, said};
use crate::support::wire;

/// Closed at ten seconds; the rest is for a busy machine.
const HEAD_LIMIT: Duration = Duration::from_secs(10);

#[test]
fn a_public_address_needs_a_strong_token() {
    let home = Home::new();
    for (token, fault) in [
        (None, "must be set to listen on 192.0.2.1"),
        (Some(""), "is empty"),
        (Some("demo"), "has 4 characters"),
        (Some("changemechangeme"), "everybody tries first"),
    ] {
        let mut command = home.command();
        // Not of this machine: nothing listens in public even if the start is let through.
        command.arg("serve").env("HOST", "192.0.2.1");
        match token {
            Some(token) => command.env("API_TOKEN", token),
            None => command.env_remove("API_TOKEN"),
        };
        let said = said(&mut command);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{said:?}");
        for part in ["API_TOKEN", fault, "for example"] {
            assert!(said.err.contains(part), "{part}: {said:?}");
        }
    }
    assert!(!home.path().join("data").exists());
}

#[test]
fn a_setting_that_cannot_be_used_stops_the_start_with_its_name() {
    let home = Home::new();
    for (name, value) in [
        ("PORT", "http"),
        ("LEASE_S", "0"),
        ("WORKERS", "many"),
        ("SHUTDOWN_GRACE_S", "-1"),
        ("DATABASE_URL", "mysql://x"),
        ("LOG_FORMAT", "xml"),
        ("RETENTION_DEAD", "forever and a day"),
    ] {
        let said = said(home.command().arg("serve").env(name, value));
        assert_eq!(said.code, Some(2), "{name}: {said:?}");
        assert!(said.err.contains(&format!("{name}: ")), "{said:?}");
        assert!(
            said.err.contains(&format!("for example {name}=")),
            "{said:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_head_has_limits() {
    let home = Home::new();
    let server = home.serve(&[("WORKERS", "0")]).await;
    let status = async |lines: usize, length: usize| {
        let names: Vec<String> = (0..lines).map(|n| format!("X-Line-{n}")).collect();
        let value = "v".repeat(length);
        let headers: Vec<_> = names
            .iter()
            .map(|name| (name.as_str(), value.as_str()))
            .collect();
        let request = wire::request("GET", "/livez", &headers, "");
        wire::send(server.at, &request).await.unwrap().status
    };
    assert_eq!(status(50, 10).await, 200);
    assert_eq!(status(65, 10).await, 431);
    assert_eq!(status(1, 15_000).await, 200);
    assert_eq!(status(1, 17_000).await, 431);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_head_that_dribbles_in_is_given_up_while_others_are_served() {
    let home = Home::new();
    let server = home.serve(&[("WORKERS", "0")]).await;
    let opened = Instant::now();
    let mut slow = Vec::new();
    for sends in [true, false] {
        let stream = TcpStream::connect(server.at).await.unwrap();
        slow.push(tokio::spawn(closed(stream, sends)));
    }
    let ready = wire::request("GET", "/readyz", &[], "");
    while slow.iter().any(|task| !task.is_finished()) {
        let asked = Instant::now();
        let answer = wire::send(server.at, &ready).await.unwrap();
        assert_eq!(answer.status, 200);
        assert!(asked.elapsed() < HEAD_LIMIT / 2, "others have to wait");
        assert!(opened.elapsed() < HEAD_LIMIT * 3, "it is still open");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for task in slow {
        let open_for = task.await.unwrap();
        assert!(open_for >= HEAD_LIMIT.mul_f32(0.9), "{open_for:?}");
    }
}

/// Waits until the server closes; sends a byte of a head that never ends each half second, or nothing
/// at all.
async fn closed(mut stream: TcpStream, sends: bool) -> Duration {
    let opened = Instant::now();
    let mut answer = [0; 256];
    let mut head = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nX-Long: ".to_vec();
    head.extend([b'a'; 1000]);
    for byte in head {
        let pause = Duration::from_millis(500);
        match tokio::time::timeout(pause, stream.read(&mut answer)).await {
            Ok(Ok(0) | Err(_)) => break,
            // It may say why before it closes.
            Ok(Ok(_)) => {}
            Err(_) => {
                if sends && stream.write_all(&[byte]).await.is_err() {
                    break;
                }
            }
        }
    }
    opened.elapsed()
}
