//! One field of an expression, reduced to sets of bits.
//!
//! However long a list was, a field takes the same few bytes; everything after the parser works on
//! these sets and never on text.

/// Which field of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Second,
    Minute,
    Hour,
    Day,
    Month,
    Weekday,
}

/// The values one field allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    /// Bit n: the value n. Sunday is 0 only.
    pub(crate) set: u64,
    /// The field begins with `*`, whatever follows.
    pub(crate) star: bool,
    /// Days of the month only: bit n is the day n before the last one.
    pub(crate) from_end: u32,
    /// Days of the month only: bit n is the working day nearest to the n-th.
    pub(crate) nearest: u32,
    /// Weekdays only: `nth[0]` are the weekdays whose first one in the month counts, and so on.
    pub(crate) nth: [u8; 5],
    /// Weekdays only: those whose last one in the month counts.
    pub(crate) last: u8,
    /// The first step in the field that may not mean what it seems to.
    pub(crate) caution: Option<Caution>,
}

/// A step that starts anew before it comes out even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caution {
    /// The step as written.
    pub(crate) step: u16,
    /// The only value the step reaches, when it is as long as the field or longer.
    pub(crate) only: Option<u8>,
}

impl Place {
    /// The fields in the order they are written; the first is optional.
    pub(crate) const ALL: [Place; 6] = [
        Place::Second,
        Place::Minute,
        Place::Hour,
        Place::Day,
        Place::Month,
        Place::Weekday,
    ];

    /// The name used in errors.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Place::Second => "second",
            Place::Minute => "minute",
            Place::Hour => "hour",
            Place::Day => "day of month",
            Place::Month => "month",
            Place::Weekday => "day of week",
        }
    }

    /// The least value.
    pub(crate) const fn min(self) -> u8 {
        match self {
            Place::Second | Place::Minute | Place::Hour | Place::Weekday => 0,
            Place::Day | Place::Month => 1,
        }
    }

    /// The greatest value that `*` and an open step reach.
    pub(crate) const fn max(self) -> u8 {
        match self {
            Place::Second | Place::Minute => 59,
            Place::Hour => 23,
            Place::Day => 31,
            Place::Month => 12,
            Place::Weekday => 6,
        }
    }

    /// The greatest value that may be written: 7 is Sunday, too.
    pub(crate) const fn limit(self) -> u8 {
        match self {
            Place::Weekday => 7,
            Place::Second | Place::Minute | Place::Hour | Place::Day | Place::Month => self.max(),
        }
    }

    /// How many different values there are.
    pub(crate) const fn size(self) -> u8 {
        self.max() - self.min() + 1
    }

    /// The names its values have, in order from `first_name`.
    pub(crate) const fn names(self) -> &'static [&'static str] {
        match self {
            Place::Month => &[
                "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
            ],
            Place::Weekday => &["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
            Place::Second | Place::Minute | Place::Hour | Place::Day => &[],
        }
    }

    /// The value a name stands for, in any case.
    pub(crate) fn named(self, name: &str) -> Option<u8> {
        let index = self
            .names()
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))?;
        u8::try_from(index).ok().map(|index| index + self.min())
    }

    /// The set of every value.
    pub(crate) fn full(self) -> u64 {
        span(self.min(), self.max())
    }
}

impl Field {
    /// A field with nothing but these values.
    pub(crate) fn of(set: u64) -> Self {
        Field {
            set,
            ..Field::default()
        }
    }

    /// A field that is `*`.
    pub(crate) fn every(place: Place) -> Self {
        Field {
            set: place.full(),
            star: true,
            ..Field::default()
        }
    }

    /// Whether it lets every value of `place` through.
    pub(crate) fn is_full(&self, place: Place) -> bool {
        self.set == place.full()
    }

    /// Whether it counts days within their month: `5#2` or `5L`.
    pub(crate) fn counts_weekdays(&self) -> bool {
        self.last != 0 || self.nth != [0; 5]
    }

    /// Takes in what another item of the list allows.
    pub(crate) fn add(&mut self, other: &Field) {
        self.set |= other.set;
        self.from_end |= other.from_end;
        self.nearest |= other.nearest;
        self.last |= other.last;
        for (mine, theirs) in self.nth.iter_mut().zip(other.nth) {
            *mine |= theirs;
        }
        self.caution = self.caution.or(other.caution);
    }
}

/// The bits `low` to `high`, both at most 63; none when `low` is above `high`.
pub(crate) fn span(low: u8, high: u8) -> u64 {
    u64::MAX << low & u64::MAX >> (63 - high)
}

/// The values in a set, in order.
pub(crate) fn values(set: u64) -> impl Iterator<Item = u8> + Clone {
    std::iter::successors(at_or_after(set, 0), move |n| at_or_after(set, n + 1))
}

/// The least value in a set that is `n` or more.
pub(crate) fn at_or_after(set: u64, n: u8) -> Option<u8> {
    let rest = set.checked_shr(u32::from(n))?;
    let skip = u8::try_from(rest.trailing_zeros()).ok()?;
    (rest != 0).then_some(n + skip)
}
