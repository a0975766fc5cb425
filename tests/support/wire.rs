//! HTTP over a socket, as plain as it can be: what a server does to connections shows only here.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::app::TOKEN;

/// How long an answer may take before the test fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// An answer.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Wire {
    /// The JSON of a success.
    pub(crate) fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{self:?}");
        serde_json::from_str(&self.body).expect("JSON")
    }
}

/// A request in HTTP/1.0, whose answer ends with the connection and comes in no chunks.
pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let mut text = format!("{method} {path} HTTP/1.0\r\nHost: localhost\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    text
}

/// Sends a request and reads the answer to its end.
pub(crate) async fn send(at: SocketAddr, request: &str) -> std::io::Result<Wire> {
    let mut stream = TcpStream::connect(at).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut bytes))
        .await
        .expect("the answer ends")?;
    let text = String::from_utf8(bytes).expect("text");
    let (head, body) = text
        .split_once("\r\n\r\n")
        .ok_or(std::io::ErrorKind::UnexpectedEof)?;
    Ok(Wire {
        status: head[9..12].parse().expect("a status"),
        head: head.to_ascii_lowercase(),
        body: body.to_owned(),
    })
}

/// A REST call with the token; `path` is below `/api/v1`.
pub(crate) async fn call(at: SocketAddr, method: &str, path: &str, body: &str) -> Wire {
    try_call(at, method, path, body)
        .await
        .expect("the server answers")
}

/// The same, where the server may be gone.
pub(crate) async fn try_call(
    at: SocketAddr,
    method: &str,
    path: &str,
    body: &str,
) -> std::io::Result<Wire> {
    let token = format!("Bearer {TOKEN}");
    let headers = [
        ("Authorization", token.as_str()),
        ("Content-Type", "application/json"),
    ];
    send(
        at,
        &request(method, &format!("/api/v1{path}"), &headers, body),
    )
    .await
}

/// One event of a live stream; `retry:` counts as one without a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) data: String,
}

impl Heard {
    /// What the event says.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).expect("JSON")
    }

    /// The number in its id.
    pub(crate) fn number(&self) -> u64 {
        let id = self.id.as_deref().expect("an id");
        id.split_once('-').unwrap().1.parse().unwrap()
    }
}

/// An open live stream.
pub(crate) struct Stream {
    pub(crate) head: String,
    lines: BufReader<TcpStream>,
}

impl Stream {
    /// Opens `/api/v1/events` with the token.
    pub(crate) async fn open(at: SocketAddr, query: &str, last: Option<&str>) -> Stream {
        let token = format!("Bearer {TOKEN}");
        let mut headers = vec![("Authorization", token.as_str())];
        headers.extend(last.map(|last| ("Last-Event-ID", last)));
        Stream::open_with(at, query, &headers).await
    }

    /// The same with these headers and no others.
    pub(crate) async fn open_with(at: SocketAddr, query: &str, headers: &[(&str, &str)]) -> Stream {
        let mut stream = TcpStream::connect(at).await.expect("a connection");
        let request = request("GET", &format!("/api/v1/events{query}"), headers, "");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = timeout(PATIENCE, lines.read_line(&mut head)).await;
            assert_ne!(read.expect("a head").unwrap(), 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.0 200"), "{head}");
        let mut stream = Stream {
            head: head.to_ascii_lowercase(),
            lines,
        };
        let first = stream.next().await.expect("the first piece");
        assert_eq!((first.name.as_str(), first.data.as_str()), ("", "3000"));
        stream
    }

    /// The next event; none when the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<Heard> {
        let mut heard = Heard::default();
        loop {
            let mut line = String::new();
            let read = timeout(PATIENCE, self.lines.read_line(&mut line)).await;
            if read.expect("an event").unwrap_or(0) == 0 {
                return None;
            }
            match line.trim_end_matches('\n').split_once(": ") {
                None => return Some(heard),
                Some(("id", id)) => heard.id = Some(id.to_owned()),
                Some(("event", name)) => name.clone_into(&mut heard.name),
                Some(("data" | "retry", data)) => data.clone_into(&mut heard.data),
                Some((field, _)) => panic!("no field of an event: {field}"),
            }
        }
    }

    /// The next event, which is of this name.
    pub(crate) async fn expect(&mut self, name: &str) -> Heard {
        let heard = self.next().await.expect("the stream goes on");
        assert_eq!(heard.name, name, "{heard:?}");
        heard
    }
}
