//! What the queue refuses, in Russian.
//!
//! The model tells faults in English, the language of REST and the command line. Here each of its
//! texts stands as a template beside the Russian one. In the English half a hole takes what varies:
//! `{}` anything, `{n}` a whole number, `{state}` a state of a job; the name of another hole is that
//! of a table whose texts it takes. The Russian half has as many `{}`, filled in the same order.

mod cron;
mod fields;
mod filter;
mod hint;
mod json;
mod name;
mod number;
mod operator;

use std::borrow::Cow;

use conveyor_model::lang::Lang;
use conveyor_model::state::State;

use super::word;

/// An English text of the model, and what it is in Russian.
type Template = (&'static str, &'static str);

/// Where a text that has no Russian begins and ends: characters that are never seen, which keep the
/// direction of what is between them to itself.
const FOREIGN: [char; 2] = ['\u{2068}', '\u{2069}'];

/// A text longer than this is no message of the model's.
const LONGEST: usize = 4096;

/// The texts that stand by themselves.
const DETAILS: &[&[Template]] = &[
    name::NAMES,
    number::NUMBERS,
    json::BODIES,
    json::PLACED,
    fields::FIELDS,
    filter::FILTERS,
    cron::FIELDS,
    cron::WHOLE,
    cron::LENGTHS,
    hint::HINTS,
    operator::REFUSALS,
];

/// The texts a hole takes.
fn table(hole: &str) -> &'static [Template] {
    match hole {
        "thing" => name::THINGS,
        "time" => number::TIMES,
        "json" => json::FAULTS,
        "place" => cron::PLACES,
        "expected" => cron::EXPECTED,
        "shape" => cron::SHAPES,
        "gone" => operator::GONE,
        "done" => operator::DONE,
        "instead" => operator::INSTEAD,
        "field" => operator::FIELDS,
        _ => &[],
    }
}

/// A text of a refusal in the reader's language. One that nobody has translated stays English between
/// two marks, by which [`parts`] finds it.
pub(crate) fn detail(lang: Lang, text: &str) -> Cow<'_, str> {
    match lang {
        Lang::En => Cow::Borrowed(text),
        Lang::Ru => Cow::Owned(russian(text).unwrap_or_else(|| {
            let [begin, end] = FOREIGN;
            format!("{begin}{text}{end}")
        })),
    }
}

/// What to write instead, which is the same in every language, or a word of advice.
pub(crate) fn hint(lang: Lang, text: &str) -> Cow<'_, str> {
    if is_expression(text) {
        return Cow::Borrowed(text);
    }
    detail(lang, text)
}

/// Whether a hint is an expression or a part of one: advice has small letters.
pub(crate) fn is_expression(hint: &str) -> bool {
    let plain = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || "*/,-#?() ".contains(c);
    hint.starts_with('@') && hint.split(' ').count() <= 2 || hint.chars().all(plain)
}

/// The name of a field as the forms have it; one they do not have stays.
pub(crate) fn field(lang: Lang, name: &str) -> &str {
    let known = operator::FIELDS.iter().find(|(known, _)| *known == name);
    match (lang, known) {
        (Lang::Ru, Some((_, field))) => field,
        (Lang::En, _) | (Lang::Ru, None) => name,
    }
}

/// The parts of a text in their order, each with whether it is English amid another language.
pub(crate) fn parts(text: &str) -> Vec<(&str, bool)> {
    let [begin, end] = FOREIGN;
    let mut parts = Vec::new();
    for (n, part) in text.split(begin).enumerate() {
        match part.split_once(end).filter(|_| n > 0) {
            Some((foreign, rest)) => parts.extend([(foreign, true), (rest, false)]),
            None => parts.push((part, false)),
        }
    }
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

fn russian(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    DETAILS.iter().find_map(|table| find(table, text))
}

/// The Russian of the first template that `text` fits.
fn find(table: &[Template], text: &str) -> Option<String> {
    table.iter().find_map(|(english, russian)| {
        let mut taken = Vec::new();
        fits(english, text, &mut taken).then(|| {
            #[cfg(all(test, feature = "ssr"))]
            tests::note_use(english);
            fill(russian, &taken)
        })
    })
}

/// A template at its first hole: what is before it, its name, and what is behind it.
fn split(template: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = template.split_once('{')?;
    let (hole, behind) = rest.split_once('}')?;
    Some((before, hole, behind))
}

/// Whether `text` has the form of a template; `taken` gets what its holes take, in Russian.
fn fits(template: &str, text: &str, taken: &mut Vec<String>) -> bool {
    let Some((before, hole, behind)) = split(template) else {
        return template == text;
    };
    let Some(rest) = text.strip_prefix(before) else {
        return false;
    };
    let mark = split(behind).map_or(behind, |(mark, _, _)| mark);
    let mut ends: Vec<usize> = rest.match_indices(mark).map(|(end, _)| end).collect();
    if split(behind).is_none() {
        ends = rest.strip_suffix(mark).map(str::len).into_iter().collect();
    }
    ends.into_iter().any(|end| {
        let Some(said) = said(hole, &rest[..end]) else {
            return false;
        };
        taken.push(said);
        let fitting = fits(behind, &rest[end..], taken);
        if !fitting {
            taken.pop();
        }
        fitting
    })
}

/// What a hole takes, in Russian, if it takes it at all.
fn said(hole: &str, text: &str) -> Option<String> {
    match hole {
        "" => Some(text.to_owned()),
        "n" => {
            let whole = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            whole.then(|| text.to_owned())
        }
        "state" => {
            let state = text.parse::<State>().ok()?;
            Some(word::state(Lang::Ru, state).to_lowercase())
        }
        _ => find(table(hole), text),
    }
}

fn fill(template: &str, taken: &[String]) -> String {
    let mut out = String::new();
    let mut pieces = template.split("{}");
    out.push_str(pieces.next().unwrap_or_default());
    for (piece, taken) in pieces.zip(taken) {
        out.push_str(taken);
        out.push_str(piece);
    }
    out
}

// The forms that refuse something are read on the server.
#[cfg(test)]
#[cfg(feature = "ssr")]
mod tests;
