//! What a command says: its result, and everything else as log lines. However much it says, little of
//! it is kept in memory.

use conveyor_model::job::{LogLevel, MAX_LOG_LINE};
use conveyor_model::json::JsonText;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use crate::worker::JobContext;

/// Bytes of output, and as many of complaints, that are logged in one attempt.
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

/// Reads what a command puts out: the last line that is not blank is its result if it is JSON, every
/// other line goes to `log`. A line that may be the result waits until another follows.
pub(super) async fn last_line(
    from: Option<impl AsyncRead + Unpin>,
    most: usize,
    mut log: impl FnMut(&[u8]),
) -> LastLine {
    let Some(from) = from else {
        return LastLine::Other;
    };
    let mut last = LastLine::Other;
    let mut waiting = Vec::new();
    lines(from, most, |line, cut| {
        if line.trim_ascii().is_empty() {
            return;
        }
        if last != LastLine::Other {
            log(&waiting);
        }
        last = judge(line, cut);
        if last == LastLine::Other {
            log(line);
        } else {
            waiting.clear();
            waiting.extend_from_slice(line);
        }
    })
    .await;
    last
}

/// What a line would be as the last.
fn judge(line: &[u8], cut: bool) -> LastLine {
    if cut {
        return LastLine::TooLong;
    }
    let text = std::str::from_utf8(line).ok();
    match text.and_then(|text| JsonText::parse(text).ok()) {
        Some(result) => LastLine::Json(result),
        None => LastLine::Other,
    }
}

/// Writes each complaint into the job's log.
pub(super) async fn complaints(from: Option<impl AsyncRead + Unpin>, mut log: Log) -> String {
    let mut last = String::new();
    if let Some(from) = from {
        lines(from, MAX_LOG_LINE, |line, _| {
            if !line.trim_ascii().is_empty() {
                String::from_utf8_lossy(line)
                    .trim_end()
                    .clone_into(&mut last);
            }
            log.line(line);
        })
        .await;
    }
    last
}

/// The job's log, as far as a command may fill it.
pub(super) struct Log {
    job: JobContext,
    /// Bytes that may still come; none once it was said that more is not kept.
    room: Option<usize>,
}

impl Log {
    /// The log of an attempt.
    pub(super) fn new(job: JobContext) -> Self {
        let room = Some(MOST_LOGGED);
        Log { job, room }
    }

    /// Adds a line. What is beyond the limit is let go.
    pub(super) fn line(&mut self, line: &[u8]) {
        let Some(room) = self.room else { return };
        let line = &line[..line.len().min(MAX_LOG_LINE)];
        self.room = room.checked_sub(line.len());
        if self.room.is_none() {
            let more = "more output follows that is not kept";
            return self.job.log(LogLevel::Warn, more);
        }
        let text = String::from_utf8_lossy(line).trim_end().to_owned();
        self.job.log(LogLevel::Info, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(text: &str) -> (LastLine, Vec<String>) {
        let mut logged = Vec::new();
        let log = |line: &[u8]| logged.push(String::from_utf8_lossy(line).into_owned());
        (last_line(Some(text.as_bytes()), 20, log).await, logged)
    }

    #[tokio::test]
    async fn the_last_line_is_the_result_if_it_is_json_and_all_others_are_logged() {
        let json = |text: &str| LastLine::Json(JsonText::parse(text).unwrap());
        let cut = "x".repeat(20);
        for (text, last, logged) in [
            (
                "working\n{\"n\":1}\n\n",
                json("{\"n\":1}"),
                &["working"][..],
            ),
            ("7", json("7"), &[]),
            ("1\n2\ndone\n", LastLine::Other, &["1", "2", "done"]),
            ("", LastLine::Other, &[]),
            (&"9".repeat(21), LastLine::TooLong, &[]),
            (&format!("{}\n1\n", "x".repeat(50)), json("1"), &[&*cut]),
        ] {
            assert_eq!(
                read(text).await,
                (last, logged.iter().map(|line| (*line).to_owned()).collect()),
                "{text}"
            );
        }
    }
}
