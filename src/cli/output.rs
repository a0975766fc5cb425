//! Writing for people and programs: data to standard output, messages to standard error. A reader that
//! has gone is no failure.

use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};

/// Writes text as it is.
pub(super) fn text(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a line.
pub(super) fn line(line: &str) -> anyhow::Result<()> {
    text(&format!("{line}\n"))
}

/// Writes a message to standard error. Where that is closed, nobody can be told.
pub(super) fn complain(message: &impl Display) {
    let _ = writeln!(io::stderr(), "conveyor: {message}");
}

/// Writes a line for the person at the terminal, to standard error.
pub(super) fn notice(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Whether the reader of standard output has gone.
pub(super) fn is_closed(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes rows in columns.
pub(super) fn table(heads: &[&str], rows: Vec<Vec<String>>) -> anyhow::Result<()> {
    let heads = heads.iter().map(|head| head.to_uppercase()).collect();
    let mut lines: Vec<Vec<String>> = vec![heads];
    lines.extend(
        rows.into_iter()
            .map(|row| row.iter().map(|cell| one_line(cell)).collect()),
    );
    let columns = lines.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|n| {
            let cells = lines.iter().filter_map(|row| row.get(n));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for row in lines {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            // Writing to a String does not fail.
            let _ = write!(line, "{cell:<width$}  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    text(&out)
}

/// Text from a job must not steer the terminal.
fn one_line(cell: &str) -> String {
    cell.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
