//! A job's life cut into pieces: waits and attempts, one after the other.

use conveyor_model::job::{Attempt, Outcome};
use conveyor_model::operator::JobDetail;
use conveyor_model::state::State;
use conveyor_model::time::{Span, Timestamp};

/// What happened in a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// It waited for its first attempt.
    Waited,
    /// It waited for another attempt.
    Backoff,
    /// An attempt; without an outcome it is still running.
    Attempt(u32, Option<Outcome>),
}

/// A piece and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// What happened.
    pub(super) piece: Piece,
    /// When it began.
    pub(super) from: Timestamp,
    /// How long it lasted, up to now where it goes on.
    pub(super) length: Span,
}

/// The pieces of a job's life, oldest first; up to its end, or to now, or to when it is due.
pub(super) fn segments(detail: &JobDetail) -> Vec<Segment> {
    let row = &detail.job.row;
    let mut segments = Vec::new();
    let mut at = row.created_at;
    for attempt in &detail.attempts {
        let first = segments.is_empty();
        wait(&mut segments, first, at, attempt.started_at);
        let ended = attempt.finished_at.unwrap_or(detail.now);
        segments.push(Segment {
            piece: piece(attempt),
            from: attempt.started_at,
            length: ended.since(attempt.started_at),
        });
        at = ended;
    }
    let until = match row.state {
        State::Scheduled | State::Retrying => row.run_at.max(detail.now),
        State::Ready | State::Blocked => detail.now,
        State::Running | State::Succeeded | State::Dead | State::Cancelled => at,
    };
    let first = segments.is_empty();
    wait(&mut segments, first, at, until);
    segments
}

fn piece(attempt: &Attempt) -> Piece {
    Piece::Attempt(attempt.number, attempt.outcome)
}

fn wait(segments: &mut Vec<Segment>, first: bool, from: Timestamp, to: Timestamp) {
    if to > from {
        segments.push(Segment {
            piece: if first { Piece::Waited } else { Piece::Backoff },
            from,
            length: to.since(from),
        });
    }
}

/// Where each segment begins and how wide it is, in thousandths of the whole. A segment that would
/// be too small to see gets a least width, taken from the large ones.
pub(super) fn places(segments: &[Segment]) -> Vec<(f64, f64)> {
    const WIDTH: f64 = 1000.0;
    let count = f64::from(u32::try_from(segments.len()).unwrap_or(u32::MAX).max(1));
    let least = (WIDTH / count / 2.0).min(18.0);
    let all: f64 = segments
        .iter()
        .map(|segment| segment.length.secs_f64())
        .sum();
    let share = |segment: &Segment| {
        let part = if all > 0.0 {
            segment.length.secs_f64() / all
        } else {
            1.0 / count
        };
        least + part * (WIDTH - least * count)
    };
    let mut at = 0.0;
    let mut places = Vec::with_capacity(segments.len());
    for segment in segments {
        let width = share(segment);
        places.push((at, width));
        at += width;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(secs: i64) -> Segment {
        Segment {
            piece: Piece::Waited,
            from: Timestamp::MIN,
            length: Span::from_secs(secs),
        }
    }

    #[test]
    fn places_fill_the_width_and_none_vanishes() {
        for lengths in [vec![1, 100_000, 1], vec![0], vec![0, 0], vec![5; 200]] {
            let segments: Vec<_> = lengths.into_iter().map(segment).collect();
            let places = places(&segments);
            let (at, width) = places[places.len() - 1];
            assert!((at + width - 1000.0).abs() < 1e-6);
            assert!(places.iter().all(|(_, width)| *width > 1.0));
        }
        assert!(places(&[]).is_empty());
    }
}
