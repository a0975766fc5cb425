//! Asking a server as fast as it can answer: one TCP connection that is kept, requests written out
//! beforehand, and no more read of an answer than is needed to find its end.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The token of every server that is measured.
pub(super) const TOKEN: &str = "bench-token-0123456789";

/// A connection.
pub(super) struct Connection {
    stream: TcpStream,
    /// What was read and is not yet part of an answer.
    buffer: Vec<u8>,
}

/// An answer.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    /// The name and value of a cookie that it sets.
    pub(super) cookie: Option<String>,
    /// From the end of the request to the first byte.
    pub(super) first_byte: Duration,
}

/// What is read of the head of an answer.
struct Head {
    status: u16,
    length: Length,
    cookie: Option<String>,
}

/// Where the body of an answer ends.
enum Length {
    Known(usize),
    Chunked,
}

impl Connection {
    /// Connects.
    pub(super) async fn open(server: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        Ok(Connection {
            stream,
            buffer: Vec::with_capacity(64 * 1024),
        })
    }

    /// Sends a request and reads its answer.
    pub(super) async fn ask(&mut self, request: &[u8]) -> anyhow::Result<Answer> {
        self.stream.write_all(request).await?;
        let began = Instant::now();
        self.more().await?;
        let first_byte = began.elapsed();
        let head = self.head().await?;
        let body = match head.length {
            Length::Known(length) => self.take(length).await?,
            Length::Chunked => self.chunks().await?,
        };
        Ok(Answer {
            status: head.status,
            body,
            cookie: head.cookie,
            first_byte,
        })
    }

    /// The same for an answer that must be a success.
    pub(super) async fn expect(&mut self, request: &[u8]) -> anyhow::Result<Answer> {
        let answer = self.ask(request).await?;
        if answer.status >= 300 {
            let text = String::from_utf8_lossy(&answer.body);
            bail!("the server answered {}: {text}", answer.status);
        }
        Ok(answer)
    }

    /// Sends a request whose answer goes on for ever, and reads its head.
    pub(super) async fn listen(&mut self, request: &[u8]) -> anyhow::Result<u16> {
        self.stream.write_all(request).await?;
        Ok(self.head().await?.status)
    }

    /// The next chunk of an answer that goes on for ever.
    pub(super) async fn chunk(&mut self) -> anyhow::Result<Vec<u8>> {
        let line = self.line().await?;
        let size = usize::from_str_radix(line.trim(), 16)
            .with_context(|| format!("{line:?} is no size of a chunk"))?;
        let chunk = self.take(size).await?;
        self.take(2).await?;
        Ok(chunk)
    }

    async fn more(&mut self) -> anyhow::Result<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(())
    }

    async fn take(&mut self, length: usize) -> anyhow::Result<Vec<u8>> {
        while self.buffer.len() < length {
            self.more().await?;
        }
        let rest = self.buffer.split_off(length);
        Ok(std::mem::replace(&mut self.buffer, rest))
    }

    async fn line(&mut self) -> anyhow::Result<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\r\n") {
                let line = self.take(end + 2).await?;
                return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            self.more().await?;
        }
    }

    async fn head(&mut self) -> anyhow::Result<Head> {
        let end = loop {
            let found = self.buffer.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = found {
                break end + 4;
            }
            self.more().await?;
        };
        let head = self.take(end).await?;
        read_head(&String::from_utf8_lossy(&head))
    }

    async fn chunks(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let chunk = self.chunk().await?;
            if chunk.is_empty() {
                return Ok(body);
            }
            body.extend(chunk);
        }
    }
}

fn read_head(head: &str) -> anyhow::Result<Head> {
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .and_then(|status| status.parse().ok())
        .context("the server does not speak HTTP")?;
    let mut head = Head {
        status,
        length: Length::Known(0),
        cookie: None,
    };
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        if name.eq_ignore_ascii_case("content-length") {
            head.length = Length::Known(value.trim().parse()?);
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            head.length = Length::Chunked;
        } else if name.eq_ignore_ascii_case("set-cookie") {
            head.cookie = value.trim().split(';').next().map(str::to_owned);
        }
    }
    Ok(head)
}

/// A request of the API, written out.
pub(super) fn post(path: &str, kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\n\
         content-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// A request without a body, written out, with more header lines that each end a line.
pub(super) fn get(path: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n");
    for (name, value) in more {
        // Writing to a String does not fail.
        let _ = write!(text, "{name}: {value}\r\n");
    }
    text.push_str("\r\n");
    text.into_bytes()
}

/// The header by which the API is asked.
pub(super) fn bearer() -> String {
    format!("Bearer {TOKEN}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_answer_is_in_its_head() {
        let head = "HTTP/1.1 201 Created\r\nContent-Length: 12\r\nx: y\r\n\r\n";
        let read = read_head(head).unwrap();
        assert!(read.status == 201 && matches!(read.length, Length::Known(12)));
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nset-cookie: a=b; Path=/\r\n";
        let read = read_head(head).unwrap();
        assert!(matches!(read.length, Length::Chunked));
        assert_eq!(read.cookie.as_deref(), Some("a=b"));
        assert!(read_head("SSH-2.0").is_err());
    }
}
