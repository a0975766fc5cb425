//! The shape of the time of day: single times, a steady pulse, or marks on each hour or minute.

use crate::cron::calendar::Calendar;
use crate::cron::field::{at_or_after, values};

use super::Clock;

/// The most elements a sentence lists.
const LONG_LIST: usize = 12;
/// The most times of day that are better listed than described.
const SHORT_LIST: usize = 6;
/// The most stretches of hours in a sentence.
const WINDOWS: usize = 3;

/// How often within the day.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Beat {
    /// At these times.
    At(Vec<Clock>),
    /// Every so many hours; in all of the day, then from midnight on, or in stretches.
    Hours { step: u8, windows: Windows },
    /// Every so many seconds or minutes.
    Pulse {
        unit: Unit,
        step: u8,
        windows: Windows,
        start: u8,
        second: u8,
    },
    /// At marks of each minute (in seconds) or hour (in minutes).
    Marks {
        unit: Unit,
        marks: Marks,
        windows: Windows,
    },
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Second,
    Minute,
    Hour,
}

/// Numbers of seconds or minutes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// Each of them.
    List(Vec<u8>),
    /// All from the first to the last.
    Range(u8, u8),
}

/// In which part of the day.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Windows {
    /// All of it.
    All,
    /// From the first fire to the last fire of each stretch.
    Spans(Vec<(Clock, Clock)>),
    /// While the hour is one of these.
    Hours(Vec<u8>),
}

/// The shape of the three clock fields.
pub(crate) fn beat(calendar: &Calendar) -> Option<Beat> {
    let times = Times {
        seconds: values(calendar.second.set).collect(),
        minutes: values(calendar.minute.set).collect(),
        hours: values(calendar.hour.set).collect(),
    };
    match times.seconds.as_slice() {
        [second] => times.by_minute(*second),
        _ => times.by_second(),
    }
}

struct Times {
    seconds: Vec<u8>,
    minutes: Vec<u8>,
    hours: Vec<u8>,
}

impl Times {
    /// One second of the minute.
    fn by_minute(&self, second: u8) -> Option<Beat> {
        if let [minute] = self.minutes.as_slice() {
            return self.by_hour(*minute, second);
        }
        let pulse = pulse(&self.minutes);
        let count = self.minutes.len() * self.hours.len();
        let steady = self.minutes.len() > 2 || self.hours.len() > 2;
        if count <= SHORT_LIST && !(pulse.is_some() && steady) {
            return Some(self.at());
        }
        let windows = self.windows()?;
        if let Some((step, start)) = pulse {
            // A stretch shows the second in its ends; all of the day has no ends to show it in.
            return match (&windows, step, second, start) {
                (Windows::Spans(_), ..) | (_, _, 0, _) => Some(Beat::Pulse {
                    unit: Unit::Minute,
                    step,
                    windows,
                    start,
                    second: 0,
                }),
                (Windows::All, 1, ..) => Some(Beat::Marks {
                    unit: Unit::Second,
                    marks: Marks::List(vec![second]),
                    windows,
                }),
                (Windows::All, _, _, 0) => Some(Beat::Pulse {
                    unit: Unit::Minute,
                    step,
                    windows,
                    start,
                    second,
                }),
                (Windows::All | Windows::Hours(_), ..) => None,
            };
        }
        let marks = marks(&self.minutes).filter(|_| second == 0)?;
        Some(Beat::Marks {
            unit: Unit::Minute,
            marks,
            windows,
        })
    }

    /// One second of one minute.
    fn by_hour(&self, minute: u8, second: u8) -> Option<Beat> {
        let even = minute == 0 && second == 0;
        let hours = self.hours.as_slice();
        let step = progression(hours);
        let ends = || {
            vec![(
                self.clock(hours[0], true),
                self.clock(hours[hours.len() - 1], false),
            )]
        };
        match (hours.len(), step) {
            (24, _) if even => Some(Beat::Hours {
                step: 1,
                windows: Windows::All,
            }),
            (24, _) if second == 0 => {
                let marks = Marks::List(vec![minute]);
                Some(Beat::Marks {
                    unit: Unit::Minute,
                    marks,
                    windows: Windows::All,
                })
            }
            (3.., Some(step)) if even && hours[0] == 0 && usize::from(step) * hours.len() == 24 => {
                Some(Beat::Hours {
                    step,
                    windows: Windows::All,
                })
            }
            (3.., Some(step @ 1)) | (4.., Some(step)) => Some(Beat::Hours {
                step,
                windows: Windows::Spans(ends()),
            }),
            (..=LONG_LIST, _) => Some(self.at()),
            _ => match self.windows()? {
                windows @ Windows::Spans(_) if self.runs().iter().all(|(a, b)| a < b) => {
                    Some(Beat::Hours { step: 1, windows })
                }
                Windows::All | Windows::Spans(_) | Windows::Hours(_) => None,
            },
        }
    }

    /// Several seconds of the minute.
    fn by_second(&self) -> Option<Beat> {
        let pulse = pulse(&self.seconds);
        let count = self.seconds.len() * self.minutes.len() * self.hours.len();
        if count <= SHORT_LIST && !(pulse.is_some() && self.seconds.len() > 2) {
            return Some(self.at());
        }
        let windows = if self.minutes.len() == 60 {
            self.windows()?
        } else if self.hours.len() == 1 && progression(&self.minutes).unwrap_or(1) == 1 {
            Windows::Spans(vec![(
                self.clock(self.hours[0], true),
                self.clock(self.hours[0], false),
            )])
        } else {
            return None;
        };
        Some(match pulse {
            Some((step, start)) => Beat::Pulse {
                unit: Unit::Second,
                step,
                windows,
                start,
                second: 0,
            },
            None => Beat::Marks {
                unit: Unit::Second,
                marks: marks(&self.seconds)?,
                windows,
            },
        })
    }

    /// Every single time; only for few.
    fn at(&self) -> Beat {
        let mut times = Vec::new();
        for hour in &self.hours {
            for minute in &self.minutes {
                let seconds = self.seconds.iter();
                times.extend(seconds.map(|second| self.time(*hour, *minute, *second)));
            }
        }
        Beat::At(times)
    }

    fn windows(&self) -> Option<Windows> {
        if self.hours.len() == 24 {
            return Some(Windows::All);
        }
        let runs = self.runs();
        if runs.len() <= WINDOWS {
            let ends = |(a, b): &(u8, u8)| (self.clock(*a, true), self.clock(*b, false));
            return Some(Windows::Spans(runs.iter().map(ends).collect()));
        }
        (self.hours.len() <= LONG_LIST).then(|| Windows::Hours(self.hours.clone()))
    }

    /// The hours as stretches without a hole.
    fn runs(&self) -> Vec<(u8, u8)> {
        runs(&self.hours)
    }

    /// The first or the last fire within an hour.
    fn clock(&self, hour: u8, first: bool) -> Clock {
        let end = |all: &[u8]| if first { all[0] } else { all[all.len() - 1] };
        self.time(hour, end(&self.minutes), end(&self.seconds))
    }

    fn time(&self, hour: u8, minute: u8, second: u8) -> Clock {
        Clock {
            hour,
            minute,
            second: (self.seconds != [0]).then_some(second),
        }
    }
}

/// The step and the first value, when the values come evenly round the whole minute or hour.
fn pulse(all: &[u8]) -> Option<(u8, u8)> {
    let step = progression(all)?;
    (usize::from(step) * all.len() == 60).then_some((step, all[0]))
}

/// The step between values that are equally far from each other.
fn progression(all: &[u8]) -> Option<u8> {
    let step = all.get(1)?.checked_sub(all[0])?;
    all.windows(2)
        .all(|pair| pair[1] - pair[0] == step)
        .then_some(step)
}

/// Values grouped into stretches without a hole.
pub(crate) fn runs(all: &[u8]) -> Vec<(u8, u8)> {
    let set = all.iter().fold(0_u64, |set, n| set | 1 << n);
    let mut runs = Vec::new();
    let mut next = at_or_after(set, 0);
    while let Some(first) = next {
        let end = at_or_after(!set, first).unwrap_or(64);
        runs.push((first, end - 1));
        next = at_or_after(set, end);
    }
    runs
}

fn marks(all: &[u8]) -> Option<Marks> {
    match (all, progression(all)) {
        ([first, _, .., last], Some(1)) => Some(Marks::Range(*first, *last)),
        _ => (all.len() <= LONG_LIST).then(|| Marks::List(all.to_vec())),
    }
}
