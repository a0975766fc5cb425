//! `email.send`: messages in the outbox, and a conversation with an SMTP server that has its moods.

use std::sync::{Arc, Mutex};

use conveyor::worker::handlers::email::{Email, EmailResult};
use conveyor::worker::handlers::failure::{HandlerError, Then};
use conveyor::worker::handlers::files::Folder;
use conveyor::worker::handlers::run;
use conveyor_model::json::JsonText;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio_util::sync::CancellationToken;

use super::support::{Told, attempt, serve_raw};

fn email(temp: &TempDir, smtp: Option<&str>) -> Email {
    Email {
        from: "Conveyor <jobs@conveyor.example>".parse().unwrap(),
        smtp: smtp.map(|url| url.parse().unwrap()),
        outbox: Folder::new(temp.path().join("outbox")),
    }
}

async fn send(email: &Email, payload: Value) -> Result<EmailResult, HandlerError> {
    let (cancel, told) = (CancellationToken::new(), Told::default());
    let send = run::read(&JsonText::of(&payload).unwrap())?;
    email.send(send, attempt(42, &cancel, &told)).await
}

/// The message that a payload leaves in the outbox.
async fn outbox(payload: Value) -> String {
    let temp = tempfile::tempdir().unwrap();
    let result = send(&email(&temp, None), payload).await.unwrap();
    let EmailResult::Outbox { path, .. } = result else {
        panic!("not in the outbox: {result:?}");
    };
    std::fs::read_to_string(temp.path().join(path)).unwrap()
}

/// The value of a header, with folded lines joined.
fn header<'a>(message: &'a str, name: &str) -> Option<&'a str> {
    let head = message.split("\r\n\r\n").next().unwrap();
    head.split("\r\n")
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[tokio::test]
async fn without_a_server_a_message_goes_to_the_outbox_and_the_result_says_so() {
    let temp = tempfile::tempdir().unwrap();
    let payload = json!({
        "to": ["ann@example.com", "Bob B <bob@example.com>"], "cc": "cy@example.com",
        "reply_to": "help@example.com", "subject": "Привет", "text": "Hello,\nthere.",
    });
    for _ in 0..2 {
        let result = send(&email(&temp, None), payload.clone()).await.unwrap();
        let value = serde_json::to_value(&result).unwrap();
        assert_eq!(value["delivered_to"], "outbox");
        assert_eq!(value["path"], "outbox/20261130T085900Z-42.eml");
        assert_eq!(value["recipients"], 3);
    }
    let files: Vec<_> = std::fs::read_dir(temp.path().join("outbox"))
        .unwrap()
        .collect();
    assert_eq!(files.len(), 1, "a repeated attempt replaces its file");

    let message = std::fs::read_to_string(files[0].as_ref().unwrap().path()).unwrap();
    assert_eq!(
        header(&message, "From"),
        Some("Conveyor <jobs@conveyor.example>")
    );
    assert_eq!(
        header(&message, "To"),
        Some("ann@example.com, \"Bob B\" <bob@example.com>")
    );
    assert_eq!(header(&message, "Cc"), Some("cy@example.com"));
    assert_eq!(header(&message, "Reply-To"), Some("help@example.com"));
    assert_eq!(
        header(&message, "Subject"),
        Some("=?utf-8?b?0J/RgNC40LLQtdGC?=")
    );
    assert_eq!(
        header(&message, "Date"),
        Some("Mon, 30 Nov 2026 09:00:00 +0000")
    );
    let id = header(&message, "Message-ID").unwrap();
    assert!(
        id.starts_with("<job_42_") && id.ends_with("@conveyor.example>"),
        "{id}"
    );
    assert!(
        message.trim_end().ends_with("\r\n\r\nHello,\r\nthere."),
        "{message}"
    );
}

#[tokio::test]
async fn data_fills_the_templates_and_html_is_escaped() {
    let message = outbox(json!({
        "to": "ann@example.com", "subject": "Order {{ id }}",
        "text": "Dear {{ name }}", "html": "<p>Dear {{ name }}</p>",
        "data": {"id": 17, "name": "<Ann>"},
    }))
    .await;
    assert_eq!(header(&message, "Subject"), Some("Order 17"));
    assert!(
        header(&message, "Content-Type")
            .unwrap()
            .starts_with("multipart/alternative")
    );
    assert!(message.contains("Dear <Ann>"), "{message}");
    assert!(message.contains("<p>Dear &lt;Ann&gt;</p>"), "{message}");
}

#[tokio::test]
async fn without_data_braces_are_text() {
    let message = outbox(json!({"to": "a@b.cc", "subject": "{{ x }}", "text": "{% y %}"})).await;
    assert_eq!(header(&message, "Subject"), Some("{{ x }}"));
    assert!(message.trim_end().ends_with("{% y %}"));
}

#[tokio::test]
async fn nothing_gets_into_a_header_that_is_not_its_value() {
    let temp = tempfile::tempdir().unwrap();
    let good = json!({"to": "a@b.cc", "subject": "s", "text": "t"});
    let many: Vec<String> = (0..51).map(|n| format!("u{n}@example.com")).collect();
    for (field, value) in [
        ("subject", json!("Hi\r\nBcc: evil@example.com")),
        ("subject", json!("Hi\nX: y")),
        ("subject", json!("Hi\rX")),
        ("subject", json!("x".repeat(999))),
        ("to", json!("a@b.cc\r\nBcc: evil@example.com")),
        ("to", json!("a@b.cc, evil@example.com")),
        ("to", json!(["a@b.cc", "evil"])),
        ("to", json!([])),
        ("to", json!("")),
        ("to", json!(many)),
        ("to", json!(5)),
        ("cc", json!("Ann\n<a@b.cc>")),
        ("cc", json!(many[..50])),
        ("reply_to", json!("a@b.cc\nX: y")),
        ("reply_to", json!("nobody")),
        ("text", Value::Null),
        ("from", json!("boss@example.com")),
        ("bcc", json!("x@example.com")),
    ] {
        let mut payload = good.clone();
        payload[field] = value;
        let error = send(&email(&temp, None), payload.clone())
            .await
            .unwrap_err();
        assert_eq!(error.failure.class, "InvalidPayload", "{payload}");
        assert_eq!(error.then, Then::Die, "{payload}");
    }
    let injected = json!({
        "to": "a@b.cc", "subject": "Hi {{ name }}", "text": "t",
        "data": {"name": "x\r\nBcc: evil@example.com"},
    });
    let error = send(&email(&temp, None), injected).await.unwrap_err();
    assert_eq!(error.failure.class, "InvalidPayload");
    assert!(!temp.path().join("outbox").exists());
}

#[tokio::test]
async fn fifty_recipients_are_taken() {
    let many: Vec<String> = (0..50).map(|n| format!("u{n}@example.com")).collect();
    let message = outbox(json!({"to": many, "subject": "s", "html": "<p>x</p>"})).await;
    assert!(message.contains("u49@example.com"));
}

/// An SMTP server that answers `RCPT` and the end of `DATA` as told, and remembers what it heard.
async fn server(rcpt: &'static str, done: &'static str) -> (String, Arc<Mutex<String>>) {
    let heard = Arc::new(Mutex::new(String::new()));
    let ears = Arc::clone(&heard);
    let address = serve_raw(move |stream| {
        let ears = Arc::clone(&ears);
        async move {
            let mut stream = BufReader::new(stream);
            stream.write_all(b"220 hi\r\n").await?;
            let (mut line, mut in_data) = (String::new(), false);
            while stream.read_line(&mut line).await? > 0 {
                ears.lock().unwrap().push_str(&line);
                let answer = match line.split(' ').next().unwrap().trim() {
                    "." => done,
                    _ if in_data => "",
                    "EHLO" => "250-hi\r\n250 8BITMIME",
                    "RCPT" => rcpt,
                    "DATA" => "354 go on",
                    "QUIT" => "221 bye",
                    _ => "250 ok",
                };
                in_data = (in_data && answer.is_empty()) || answer.starts_with("354");
                if !answer.is_empty() {
                    stream.write_all(format!("{answer}\r\n").as_bytes()).await?;
                }
                line.clear();
            }
            Ok(())
        }
    })
    .await;
    (format!("smtp://{address}"), heard)
}

#[tokio::test]
async fn a_server_takes_the_message() {
    let temp = tempfile::tempdir().unwrap();
    let (url, heard) = server("250 ok", "250 2.0.0 queued as 4711").await;
    let payload = json!({"to": "ann@example.com", "cc": "bob@example.com",
        "subject": "s", "text": "body\n.dot"});
    let result = send(&email(&temp, Some(&url)), payload).await.unwrap();
    let value = serde_json::to_value(&result).unwrap();
    assert_eq!(value["delivered_to"], "smtp");
    assert_eq!(value["response"], "250 2.0.0 queued as 4711");
    let heard = heard.lock().unwrap();
    for part in [
        "MAIL FROM:<jobs@conveyor.example>",
        "RCPT TO:<ann@example.com>",
        "RCPT TO:<bob@example.com>",
        "\r\n..dot\r\n",
    ] {
        assert!(heard.contains(part), "{part} in {heard}");
    }
    assert!(!temp.path().join("outbox").exists());
}

#[tokio::test]
async fn a_server_that_says_no_for_now_is_asked_again_and_one_that_says_never_is_not() {
    let temp = tempfile::tempdir().unwrap();
    for (rcpt, done, class, then) in [
        ("450 4.2.0 greylisted", "", "Smtp450", Then::Retry),
        ("250 ok", "451 4.3.0 later", "Smtp451", Then::Retry),
        ("550 5.1.1 no such user", "", "Smtp550", Then::Die),
        ("250 ok", "554 5.7.1 spam", "Smtp554", Then::Die),
    ] {
        let (url, _) = server(rcpt, done).await;
        let payload = json!({"to": "ann@example.com", "subject": "s", "text": "t"});
        let error = send(&email(&temp, Some(&url)), payload).await.unwrap_err();
        assert_eq!(
            (error.failure.class.as_str(), error.then),
            (class, then),
            "{error:?}"
        );
        let said = rcpt.rsplit(' ').next().unwrap();
        let also = done.rsplit(' ').next().unwrap();
        let message = &error.failure.message;
        assert!(
            message.contains(said) || message.contains(also),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_server_that_is_away_is_asked_again() {
    let temp = tempfile::tempdir().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    drop(listener);
    let payload = json!({"to": "ann@example.com", "subject": "s", "text": "t"});
    let error = send(&email(&temp, Some(&url)), payload).await.unwrap_err();
    assert_eq!(
        (error.failure.class.as_str(), error.then),
        ("ConnectionRefused", Then::Retry)
    );
}

#[tokio::test]
async fn a_server_that_hangs_up_or_has_no_tls_is_asked_again() {
    let temp = tempfile::tempdir().unwrap();
    let payload = json!({"to": "ann@example.com", "subject": "s", "text": "t"});
    let closes = serve_raw(|stream| async move {
        drop(stream);
        Ok(())
    })
    .await;
    let url = format!("smtp://{closes}");
    let error = send(&email(&temp, Some(&url)), payload.clone())
        .await
        .unwrap_err();
    assert_eq!(error.then, Then::Retry, "{error:?}");

    let (url, heard) = server("250 ok", "250 ok").await;
    let url = format!("{url}?tls=required");
    let error = send(&email(&temp, Some(&url)), payload).await.unwrap_err();
    assert_eq!(error.then, Then::Retry, "{error:?}");
    assert!(
        !heard.lock().unwrap().contains("MAIL FROM"),
        "nothing is said in the clear"
    );
}
