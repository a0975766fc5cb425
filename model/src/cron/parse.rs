//! From text to fields: splitting, `@` words, and the checks that span several fields.

use crate::time::Span;

use super::calendar::Calendar;
use super::error::CronError;
use super::field::{Field, Place, span};
use super::{every, item};

/// The longest text that is looked at, in bytes.
const LONGEST: usize = 32 * 1024;

const SHAPE: &str = "[second] minute hour day-of-month month day-of-week";

/// What an expression means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Times of the wall clock.
    Calendar(Calendar),
    /// Real time elapsed since an anchor.
    Every(Span),
}

/// A run of characters between blanks, all of them ASCII.
#[derive(Clone, Copy)]
pub(crate) struct Token<'a> {
    /// Where it begins, counted from 1.
    pub(crate) position: usize,
    pub(crate) text: &'a str,
}

/// Reads an expression; `seed` is what `H` is hashed from.
pub(crate) fn parse(text: &str, seed: &str) -> Result<Plan, CronError> {
    if text.len() > LONGEST {
        let position = text
            .char_indices()
            .take_while(|(byte, _)| *byte < LONGEST)
            .count()
            + 1;
        return Err(CronError::new(
            position,
            "the expression must be at most 32 KiB long",
        ));
    }
    let trimmed = text.trim_matches([' ', '\t']);
    if trimmed.is_empty() {
        let fault = CronError::new(1, format!("the expression is empty; write {SHAPE}"));
        return Err(fault.hint("0 9 * * 1-5"));
    }
    if let Some(fault) = stray_character(text) {
        return Err(fault);
    }
    let tokens = tokens(text);
    match tokens.as_slice() {
        [first, rest @ ..] if first.text.starts_with('@') => word(*first, rest, text),
        [minute, hour, day, month, weekday] => {
            let at_zero = Field::of(1);
            calendar([*minute, *hour, *day, *month, *weekday], at_zero, seed)
        }
        [second, minute, hour, day, month, weekday] => {
            let second = item::field(Place::Second, *second, seed)?;
            calendar([*minute, *hour, *day, *month, *weekday], second, seed)
        }
        [_, _, _, _, _, _, extra, ..] => {
            let fault = CronError::new(extra.position, format!("too many fields; write {SHAPE}"));
            Err(fault.hint("leave out everything from here on; there is no field for years"))
        }
        few => {
            let detail = format!("{} of at least 5 fields; write {SHAPE}", few.len());
            Err(CronError::new(text.len() + 1, detail))
        }
    }
}

/// The runs between blanks; those after the seventh do not matter.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut position = 1;
    let mut tokens = Vec::with_capacity(7);
    for run in text.split([' ', '\t']) {
        if !run.is_empty() {
            tokens.push(Token {
                position,
                text: run,
            });
        }
        if tokens.len() == 7 {
            break;
        }
        position += run.len() + 1;
    }
    tokens
}

/// The first character that can stand nowhere in an expression. What passes is ASCII, so from here
/// on bytes and characters are the same.
fn stray_character(text: &str) -> Option<CronError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || " \t*/,-#()@?".contains(c);
    let (index, stray) = text.chars().enumerate().find(|(_, c)| !allowed(*c))?;
    let detail = format!("{stray:?} has no place in a cron expression");
    let fault = CronError::new(index + 1, detail);
    Some(match stray {
        c if c.is_whitespace() => fault.hint("separate fields by plain blanks or tabs"),
        c if c.is_numeric() => fault.hint("write numbers with the digits 0 to 9"),
        '+' => fault.hint("write numbers without a sign"),
        '.' => fault.hint("write whole numbers"),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => fault.hint("write a range with a plain hyphen: -"),
        _ => fault,
    })
}

/// The fields from the minute on, and what only all of them together can tell.
fn calendar(tokens: [Token<'_>; 5], second: Field, seed: &str) -> Result<Plan, CronError> {
    let [minute, hour, day, month, weekday] = tokens;
    let calendar = Calendar {
        second,
        minute: item::field(Place::Minute, minute, seed)?,
        hour: item::field(Place::Hour, hour, seed)?,
        day: item::field(Place::Day, day, seed)?,
        month: item::field(Place::Month, month, seed)?,
        weekday: item::field(Place::Weekday, weekday, seed)?,
    };
    if calendar.has_date() {
        return Ok(Plan::Calendar(calendar));
    }
    let detail = "no such date exists: none of the chosen months has such a day";
    let hint = if calendar.month.set == span(2, 2) {
        "February has 28 or 29 days; L is its last day"
    } else {
        "April, June, September and November have 30 days; L is a month's last day"
    };
    Err(CronError::new(day.position, detail).hint(hint))
}

/// An expression that begins with `@`.
fn word(word: Token<'_>, rest: &[Token<'_>], text: &str) -> Result<Plan, CronError> {
    let is = |names: &[&str]| {
        names
            .iter()
            .any(|name| word.text.eq_ignore_ascii_case(name))
    };
    if is(&["@every"]) {
        let length = rest.first().copied();
        let length = length.unwrap_or(Token {
            position: text.len() + 1,
            text: "",
        });
        let span = every::parse(length.text, length.position)?;
        return nothing_more(rest.get(1)).map(|()| Plan::Every(span));
    }
    let hourly = Calendar {
        second: Field::of(1),
        minute: Field::of(1),
        hour: Field::every(Place::Hour),
        day: Field::every(Place::Day),
        month: Field::every(Place::Month),
        weekday: Field::every(Place::Weekday),
    };
    let daily = Calendar {
        hour: Field::of(1),
        ..hourly
    };
    let monthly = Calendar {
        day: Field::of(span(1, 1)),
        ..daily
    };
    let plan = if is(&["@hourly"]) {
        hourly
    } else if is(&["@daily", "@midnight"]) {
        daily
    } else if is(&["@weekly"]) {
        Calendar {
            weekday: Field::of(1),
            ..daily
        }
    } else if is(&["@monthly"]) {
        monthly
    } else if is(&["@yearly", "@annually"]) {
        Calendar {
            month: Field::of(span(1, 1)),
            ..monthly
        }
    } else {
        let detail = "unknown word; write @hourly, @daily, @midnight, @weekly, @monthly, @yearly, \
                      @annually or @every";
        let fault = CronError::new(word.position, detail);
        let reboot = is(&["@reboot"]);
        return Err(if reboot {
            fault.hint("a schedule knows times only, no starts")
        } else {
            fault
        });
    };
    nothing_more(rest.first()).map(|()| Plan::Calendar(plan))
}

fn nothing_more(token: Option<&Token<'_>>) -> Result<(), CronError> {
    match token {
        None => Ok(()),
        Some(extra) => Err(CronError::new(extra.position, "nothing may follow here")),
    }
}
