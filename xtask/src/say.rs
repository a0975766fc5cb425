//! What the commands tell the person at the terminal: progress on stderr, results on stdout.

use std::time::Instant;

use anyhow::Result;

/// A line of progress.
pub(crate) fn note(text: &str) {
    eprintln!("xtask: {text}");
}

/// A result line, for people and for the programs that read this output.
#[expect(clippy::print_stdout, reason = "results belong on stdout")]
pub(crate) fn result(text: &str) {
    println!("{text}");
}

/// Says what starts, runs it, and says how long it took.
pub(crate) fn timed<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    note(&format!("{what} …"));
    let started = Instant::now();
    let outcome = work();
    let seconds = started.elapsed().as_secs_f32();
    match &outcome {
        Ok(_) => note(&format!("{what}: done in {seconds:.1} s")),
        Err(error) => note(&format!("{what}: FAILED after {seconds:.1} s: {error:#}")),
    }
    outcome
}
