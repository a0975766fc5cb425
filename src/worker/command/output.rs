//! What a command says: the last line of its output, and its complaints as log lines. However much
//! it says, little of it is kept in memory.

use conveyor_model::job::{LogLevel, MAX_LOG_LINE};
use conveyor_model::json::JsonText;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use crate::worker::JobContext;

/// Bytes of complaints that are logged in one attempt.
const MOST_LOGGED: usize = 1 << 20;

/// The last line of a command's output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum LastLine {
    /// It is JSON: the result.
    Json(JsonText),
    /// It is something else, or there is none.
    #[default]
    Other,
    /// It is too long to be kept.
    TooLong,
}

/// What was logged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Logged {
    last: String,
}

impl Logged {
    /// The last line that says something.
    pub(super) fn last_words(&self) -> &str {
        &self.last
    }
}

/// Reads lines until the end, each cut at `most` bytes; `each` is told whether it was cut.
async fn lines(from: impl AsyncRead + Unpin, most: usize, mut each: impl FnMut(&[u8], bool)) {
    let mut reader = BufReader::new(from);
    let mut line = Vec::new();
    let mut cut = false;
    loop {
        let read = match reader.fill_buf().await {
            Ok(bytes) => bytes,
            Err(error) => {
                tracing::debug!(%error, "the command's output could not be read");
                &[]
            }
        };
        if read.is_empty() {
            break;
        }
        let end = read.iter().position(|byte| *byte == b'\n');
        let part = &read[..end.unwrap_or(read.len())];
        let room = most - line.len();
        cut |= part.len() > room;
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(read.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            each(&line, cut);
            line.clear();
            cut = false;
        }
    }
    if !line.is_empty() {
        each(&line, cut);
    }
}

/// The last line that is not blank.
pub(super) async fn last_line(from: Option<impl AsyncRead + Unpin>, most: usize) -> LastLine {
    let Some(from) = from else {
        return LastLine::Other;
    };
    let (mut last, mut too_long) = (Vec::new(), false);
    lines(from, most, |line, cut| {
        if !line.trim_ascii().is_empty() {
            last.clear();
            last.extend_from_slice(line);
            too_long = cut;
        }
    })
    .await;
    if too_long {
        return LastLine::TooLong;
    }
    let text = String::from_utf8(last).ok();
    match text.and_then(|text| JsonText::parse(&text).ok()) {
        Some(result) => LastLine::Json(result),
        None => LastLine::Other,
    }
}

/// Writes each line into the job's log, up to a limit; the rest is read and let go.
pub(super) async fn log_lines(from: Option<impl AsyncRead + Unpin>, job: JobContext) -> Logged {
    let mut logged = Logged::default();
    let Some(from) = from else { return logged };
    let mut room = Some(MOST_LOGGED);
    lines(from, MAX_LOG_LINE, |line, _| {
        let text = String::from_utf8_lossy(line).trim_end().to_owned();
        if !text.is_empty() {
            logged.last.clone_from(&text);
        }
        match room.and_then(|room| room.checked_sub(line.len())) {
            Some(left) => {
                room = Some(left);
                job.log(LogLevel::Info, text);
            }
            None if room.is_some() => {
                room = None;
                job.log(LogLevel::Warn, "more output follows that is not kept");
            }
            None => {}
        }
    })
    .await;
    logged
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn last(text: &str) -> LastLine {
        last_line(Some(text.as_bytes()), 20).await
    }

    #[tokio::test]
    async fn the_last_line_is_the_result_if_it_is_json() {
        let json = |text: &str| LastLine::Json(JsonText::parse(text).unwrap());
        assert_eq!(last("working\n{\"n\":1}\n\n").await, json("{\"n\":1}"));
        assert_eq!(last("7").await, json("7"));
        assert_eq!(last("1\ndone\n").await, LastLine::Other);
        assert_eq!(last("").await, LastLine::Other);
        assert_eq!(last(&"9".repeat(21)).await, LastLine::TooLong);
        assert_eq!(last(&format!("{}\n1\n", "x".repeat(50))).await, json("1"));
    }
}
