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

/// Hears the lines of an output.
pub(super) trait Hear {
    /// Takes a line; `cut` says that its end was let go.
    fn line(&mut self, line: &[u8], cut: bool);
}

/// Reads an output line by line. What it has heard stands at any time: whoever waits for the end may
/// give up.
pub(super) struct Lines<H> {
    /// Bytes of a line that are kept.
    most: usize,
    /// The line so far.
    line: Vec<u8>,
    cut: bool,
    to: H,
}

impl<H: Hear> Lines<H> {
    /// Keeps `most` bytes of each line and tells them `to` somebody.
    pub(super) fn new(most: usize, to: H) -> Self {
        Lines {
            most,
            line: Vec::new(),
            cut: false,
            to,
        }
    }

    /// Reads until the end.
    pub(super) async fn read(&mut self, from: Option<impl AsyncRead + Unpin>) {
        let Some(from) = from else { return };
        let mut reader = BufReader::new(from);
        loop {
            let read = match reader.fill_buf().await {
                Ok(bytes) => bytes,
                Err(error) => {
                    tracing::debug!(%error, "the command's output could not be read");
                    &[]
                }
            };
            if read.is_empty() {
                return;
            }
            let used = self.take(read);
            reader.consume(used);
        }
    }

    /// Takes the first line of `read`, or all of it; answers how many bytes that were.
    fn take(&mut self, read: &[u8]) -> usize {
        let end = read.iter().position(|byte| *byte == b'\n');
        let part = &read[..end.unwrap_or(read.len())];
        let room = self.most - self.line.len();
        self.cut |= part.len() > room;
        self.line.extend_from_slice(&part[..part.len().min(room)]);
        if end.is_some() {
            self.tell();
        }
        end.map_or(read.len(), |end| end + 1)
    }

    fn tell(&mut self) {
        self.to.line(&self.line, self.cut);
        self.line.clear();
        self.cut = false;
    }

    /// Whoever heard it all. A last line without an end counts.
    pub(super) fn heard(mut self) -> H {
        if !self.line.is_empty() {
            self.tell();
        }
        self.to
    }
}

/// What a command puts out: the last line that is not blank is its result if it is JSON, every other
/// line goes to the log. A line that may be the result waits until another follows.
pub(super) struct Output<L> {
    last: LastLine,
    waiting: Vec<u8>,
    log: L,
}

impl<L: FnMut(&[u8])> Output<L> {
    /// Nothing yet.
    pub(super) fn new(log: L) -> Self {
        Output {
            last: LastLine::Other,
            waiting: Vec::new(),
            log,
        }
    }

    /// The last line.
    pub(super) fn last(self) -> LastLine {
        self.last
    }
}

impl<L: FnMut(&[u8])> Hear for Output<L> {
    fn line(&mut self, line: &[u8], cut: bool) {
        if line.trim_ascii().is_empty() {
            return;
        }
        if self.last != LastLine::Other {
            (self.log)(&self.waiting);
        }
        self.last = judge(line, cut);
        if self.last == LastLine::Other {
            (self.log)(line);
        } else {
            self.waiting.clear();
            self.waiting.extend_from_slice(line);
        }
    }
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

/// What a command says on its standard error: each line goes to the job's log.
pub(super) struct Complaints {
    /// The last line that is not blank.
    pub(super) last: String,
    log: Log,
}

impl Complaints {
    /// Nothing yet.
    pub(super) fn new(log: Log) -> Self {
        Complaints {
            last: String::new(),
            log,
        }
    }
}

impl Hear for Complaints {
    fn line(&mut self, line: &[u8], _: bool) {
        if !line.trim_ascii().is_empty() {
            String::from_utf8_lossy(line)
                .trim_end()
                .clone_into(&mut self.last);
        }
        self.log.line(line);
    }
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
        let mut lines = Lines::new(20, Output::new(log));
        lines.read(Some(text.as_bytes())).await;
        (lines.heard().last(), logged)
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
