//! From one field's text to its sets: lists, ranges, steps, names and the special letters.

use super::error::CronError;
use super::field::{Caution, Field, Place, span};
use super::hash::pick;
use super::parse::Token;

/// The longest step that is looked at; every one above 59 reaches a single value anyway.
const LONGEST_STEP: u16 = 9_999;

/// The most digits of a number that a fault shows.
const MOST_QUOTED: usize = 40;

/// Reads one field.
pub(crate) fn field(place: Place, token: Token<'_>, seed: &str) -> Result<Field, CronError> {
    let mut field = Field {
        star: token.text.starts_with('*'),
        ..Field::default()
    };
    let mut position = token.position;
    for text in token.text.split(',') {
        if text.is_empty() {
            let fault = CronError::new(position, format!("{}: a value is missing", place.name()));
            return Err(fault.hint("a comma stands between two values"));
        }
        let mut item = Item {
            place,
            seed,
            text,
            start: position,
            at: 0,
        };
        field.add(&item.read()?);
        position += text.len() + 1;
    }
    Ok(field)
}

/// One element of a list while it is read.
struct Item<'a> {
    place: Place,
    seed: &'a str,
    text: &'a str,
    /// The position of its first character in the expression.
    start: usize,
    /// How many of its characters were read.
    at: usize,
}

impl<'a> Item<'a> {
    fn read(&mut self) -> Result<Field, CronError> {
        let start = self.at;
        if self.eat("*") {
            return self.stepped(self.place.min(), self.place.max(), true);
        }
        let letters = self.run(u8::is_ascii_alphabetic);
        if letters.eq_ignore_ascii_case("h") {
            return self.hashed();
        }
        if letters.eq_ignore_ascii_case("l") && self.place == Place::Day {
            return self.before_last();
        }
        if let (Place::Weekday, Some(day)) = (self.place, last_suffix(letters)) {
            let last = self.place.named(day).map(|day| 1 << day);
            let last = last.ok_or_else(|| self.not_a_value(start))?;
            return self.end(Field {
                last,
                ..Field::default()
            });
        }
        self.at = start;
        let low = self.value()?;
        if self.eat("-") {
            let high = self.range_end()?;
            return if low <= high {
                self.stepped(low, high, false)
            } else {
                Err(self.reversed(low, high))
            };
        }
        match (self.place, self.peek()) {
            (_, Some('/')) => self.stepped(low, self.place.max().max(low), true),
            (Place::Day, Some('W' | 'w')) => {
                self.at += 1;
                self.end(Field {
                    nearest: 1 << low,
                    ..Field::default()
                })
            }
            (Place::Weekday, Some('L' | 'l')) => {
                self.at += 1;
                self.end(Field {
                    last: 1 << (low % 7),
                    ..Field::default()
                })
            }
            (Place::Weekday, Some('#')) => self.nth(low % 7),
            _ => self.end(Field::of(self.fold(span(low, low)))),
        }
    }

    /// An optional `/step` after the values `low` to `high`; `open` when no end was written.
    fn stepped(&mut self, low: u8, high: u8, open: bool) -> Result<Field, CronError> {
        let mut field = Field::of(self.fold(span(low, high)));
        if self.eat("/") {
            let step = self.step()?;
            field.set = self.fold(every_nth(low, high, step));
            field.caution = if open {
                self.caution(low, high, step)
            } else {
                None
            };
        }
        self.end(field)
    }

    /// What `H` stands for, with its bounds and step.
    fn hashed(&mut self) -> Result<Field, CronError> {
        // Not every month has days after the 28th, and `H` promises one fire in each.
        let mut low = self.place.min();
        let mut high = if self.place == Place::Day {
            28
        } else {
            self.place.max()
        };
        if self.eat("(") {
            low = self.value()?;
            self.expect("-")?;
            high = self.range_end()?;
            self.expect(")")?;
            if low > high {
                return Err(self.reversed(low, high));
            }
        }
        if !self.eat("/") {
            let value = pick(self.seed, self.place, low, high);
            return self.end(Field::of(self.fold(span(value, value))));
        }
        let step = self.step()?;
        let reach = u8::try_from(step).map_or(high, |step| high.min(low.saturating_add(step - 1)));
        let first = pick(self.seed, self.place, low, reach);
        self.end(Field::of(self.fold(every_nth(first, high, step))))
    }

    /// `L` or `L-3` in the day of the month.
    fn before_last(&mut self) -> Result<Field, CronError> {
        if !self.eat("-") {
            return self.end(Field {
                from_end: 1,
                ..Field::default()
            });
        }
        let position = self.position();
        let (days, written) = self.number("a number of days before the last one")?;
        if !(1..=30).contains(&days) {
            let detail = format!("day of month: L can go back by 1 to 30 days, not {written}");
            return Err(CronError::new(position, detail));
        }
        self.end(Field {
            from_end: 1 << days,
            ..Field::default()
        })
    }

    /// `#2` after a weekday.
    fn nth(&mut self, weekday: u8) -> Result<Field, CronError> {
        self.expect("#")?;
        let position = self.position();
        let (week, written) = self.number("which one of the month")?;
        let mut field = Field::default();
        let days = week
            .checked_sub(1)
            .and_then(|week| field.nth.get_mut(usize::from(week)));
        let Some(days) = days else {
            let detail = format!("day of week: # must be followed by 1 to 5, not {written}");
            let hint = "L after the day, as in 5L, is the last one of the month";
            return Err(CronError::new(position, detail).hint(hint));
        };
        *days = 1 << weekday;
        self.end(field)
    }

    /// The end of a range; there `sun` is 7, so that `fri-sun` goes up.
    fn range_end(&mut self) -> Result<u8, CronError> {
        let sunday_first = self
            .text
            .get(..3)
            .is_some_and(|start| start.eq_ignore_ascii_case("sun"));
        let named = self.peek().is_some_and(|c| c.is_ascii_alphabetic());
        let value = self.value()?;
        let sunday = self.place == Place::Weekday && value == 0 && named && !sunday_first;
        Ok(if sunday { 7 } else { value })
    }

    /// A number in the field's range, or one of its names.
    fn value(&mut self) -> Result<u8, CronError> {
        let (start, position) = (self.at, self.position());
        let name = self.run(u8::is_ascii_alphabetic);
        if !name.is_empty() {
            return self
                .place
                .named(name)
                .ok_or_else(|| self.not_a_value(start));
        }
        let (number, written) = self.number("a value")?;
        let (low, high) = (self.place.min(), self.place.limit());
        let value = u8::try_from(number)
            .ok()
            .filter(|value| (low..=high).contains(value));
        value.ok_or_else(|| {
            let detail = format!(
                "{} must be {low} to {high}, not {written}",
                self.place.name()
            );
            let fault = CronError::new(position, detail);
            match (self.place, number) {
                (Place::Hour, 24) => fault.hint("midnight is 0"),
                (Place::Second | Place::Minute, 60) => fault.hint("the full hour or minute is 0"),
                (Place::Weekday, _) => fault.hint("Sunday is 0 or 7, Monday is 1"),
                _ => fault,
            }
        })
    }

    fn step(&mut self) -> Result<u16, CronError> {
        let position = self.position();
        let (step, written) = self.number("a step")?;
        if (1..=LONGEST_STEP).contains(&step) {
            return Ok(step);
        }
        let detail = format!(
            "{}: a step must be 1 to {LONGEST_STEP}, not {written}",
            self.place.name()
        );
        Err(CronError::new(position, detail))
    }

    /// A run of digits; one too long to be of use reads as the greatest number there is. With it comes
    /// what was written, for the fault.
    fn number(&mut self, what: &str) -> Result<(u16, &'a str), CronError> {
        let position = self.position();
        let digits = self.run(u8::is_ascii_digit);
        if digits.is_empty() {
            let found = self
                .peek()
                .map_or_else(|| "nothing".to_owned(), |c| format!("{c:?}"));
            let detail = format!("{}: expected {what}, found {found}", self.place.name());
            let fault = CronError::new(position, detail);
            return Err(match self.peek() {
                Some('?') => fault.hint("write * for any"),
                Some('-') => fault.hint("values are never negative"),
                _ => fault,
            });
        }
        let digit = |n: u16, b: u8| n.saturating_mul(10).saturating_add(u16::from(b - b'0'));
        let number = digits.bytes().fold(0, digit);
        Ok((number, &digits[..digits.len().min(MOST_QUOTED)]))
    }

    /// Sunday has two numbers but one bit.
    fn fold(&self, set: u64) -> u64 {
        if self.place == Place::Weekday {
            set & 0x7f | set >> 7 & 1
        } else {
            set
        }
    }

    /// Whether a step from `low` on does less, or something more uneven, than it seems to.
    fn caution(&self, low: u8, high: u8, step: u16) -> Option<Caution> {
        let only = step > u16::from(high - low);
        let uneven = match self.place {
            Place::Second | Place::Minute | Place::Hour | Place::Month => {
                !u16::from(self.place.size()).is_multiple_of(step)
            }
            Place::Day => step > 1,
            Place::Weekday => step > 1 && low == 0,
        };
        let odd = step > 1 && (only || uneven);
        odd.then_some(Caution {
            step,
            only: only.then_some(low),
        })
    }

    fn reversed(&self, low: u8, high: u8) -> CronError {
        let (min, max) = (self.place.min(), self.place.max());
        let range = |a: u8, b: u8| {
            if a == b {
                a.to_string()
            } else {
                format!("{a}-{b}")
            }
        };
        let detail = format!(
            "{}: the range {low}-{high} goes backwards",
            self.place.name()
        );
        let head = if low > max {
            String::new()
        } else {
            format!("{},", range(low, max))
        };
        CronError::new(self.start, detail).hint(format!("{head}{}", range(min, high)))
    }

    /// A word that is none of the field's names; it begins `start` characters into the item.
    fn not_a_value(&self, start: usize) -> CronError {
        let word: String = self.text[start..]
            .chars()
            .take_while(char::is_ascii_alphabetic)
            .take(40)
            .collect();
        let detail = format!("{}: {word} is not a value", self.place.name());
        let fault = CronError::new(self.start + start, detail);
        let upper = word.to_ascii_uppercase();
        let short = upper
            .get(..3)
            .filter(|short| self.place.named(short).is_some());
        match (short, upper.as_str(), self.place) {
            (Some(short), _, _) => fault.hint(format!("names have three letters: {short}")),
            (None, "LW" | "WL", Place::Day) => fault.hint("L and W cannot be combined"),
            (None, "L", Place::Weekday) => fault.hint("put a day before it: 5L is the last Friday"),
            (None, "L" | "W", _) => fault.hint("L and W belong in the day of month"),
            (None, "R", _) => fault.hint("H stands for a value hashed from the schedule's name"),
            (None, _, Place::Month) => fault.hint("write 1 to 12 or JAN to DEC"),
            (None, _, Place::Weekday) => fault.hint("write 0 to 7 or SUN to SAT"),
            (None, _, _) => fault,
        }
    }

    /// The field, if nothing of the item is left.
    fn end(&self, field: Field) -> Result<Field, CronError> {
        let Some(found) = self.peek() else {
            return Ok(field);
        };
        let detail = format!("{}: did not expect {found:?} here", self.place.name());
        let fault = CronError::new(self.position(), detail);
        Err(match found {
            '-' => fault.hint("a range is two values, as in 1-5; a comma begins another one"),
            '#' | 'L' | 'l' => fault.hint("# and L follow a single day of the week: 5#2, 5L"),
            'W' | 'w' => fault.hint("W follows a single day of the month: 15W"),
            _ => fault,
        })
    }

    fn expect(&mut self, mark: &str) -> Result<(), CronError> {
        if self.eat(mark) {
            return Ok(());
        }
        let detail = format!("{}: expected {mark:?}", self.place.name());
        let fault = CronError::new(self.position(), detail);
        Err(if mark == "#" {
            fault
        } else {
            fault.hint("bounds are written H(0-29)")
        })
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = self.text[self.at..].starts_with(mark);
        self.at += if found { mark.len() } else { 0 };
        found
    }

    /// Takes the longest run of such bytes, perhaps none.
    fn run(&mut self, wanted: impl Fn(&u8) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(wanted).count();
        self.at += length;
        &rest[..length]
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn position(&self) -> usize {
        self.start + self.at
    }
}

/// The day in `friL`.
fn last_suffix(letters: &str) -> Option<&str> {
    let day = letters.strip_suffix(['L', 'l'])?;
    (day.len() == 3).then_some(day)
}

/// `low` and every `step`-th value after it, up to `high`.
fn every_nth(low: u8, high: u8, step: u16) -> u64 {
    (low..=high)
        .step_by(usize::from(step))
        .fold(0, |set, n| set | 1 << n)
}
