//! That every refusal there can be is told in Russian, and that no template is idle.

mod gathered;
mod server;

use std::cell::RefCell;
use std::collections::BTreeSet;

use conveyor_model::lang::Lang;

use super::*;

thread_local! {
    static USED: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

/// Called for each template that said something.
pub(super) fn note_use(english: &&'static str) {
    USED.with_borrow_mut(|used| used.insert(english));
}

/// Names that are the same in every language: of formats, of what a reader writes himself, and the
/// values a request has.
const NAMES: &[&str] = &[
    "cron",
    "dead",
    "letter",
    "lease",
    "Unicode",
    "Europe",
    "Moscow",
    "true",
    "false",
    "null",
    // An expression.
    "hourly",
    "daily",
    "midnight",
    "weekly",
    "monthly",
    "yearly",
    "annually",
    "every",
    // Values of a filter, of an action, of a worker, of a rule for the clock.
    "scheduled",
    "ready",
    "running",
    "retrying",
    "succeeded",
    "cancelled",
    "blocked",
    "run",
    "retry",
    "cancel",
    "discard",
    "edit",
    "duplicate",
    "delete",
    "newest",
    "oldest",
    "quiet",
    "stop",
    "after",
    "skip",
    "first",
    "last",
    "both",
    "en",
    "ru",
];

/// The words of a text that are not Russian, without what it quotes.
fn latin(text: &str) -> Vec<String> {
    let mut bare = text.to_owned();
    for quote in ['`', '"', '\''] {
        bare = bare.split(quote).step_by(2).collect::<Vec<_>>().join(" ");
    }
    bare.split(|c: char| !c.is_ascii_alphabetic())
        .filter(|word| word.len() > 1 && !word.bytes().all(|b| b.is_ascii_uppercase()))
        .filter(|word| !NAMES.contains(word))
        .map(str::to_owned)
        .collect()
}

fn all() -> BTreeSet<String> {
    let mut all = gathered::refusals();
    all.extend(server::REFUSALS.iter().map(|text| (*text).to_owned()));
    all.extend(server::PARSER.iter().map(|text| (*text).to_owned()));
    all
}

#[test]
fn every_refusal_is_told_in_russian() {
    let all = all();
    assert!(all.len() > 250, "only {} refusals were gathered", all.len());
    let mut english = Vec::new();
    for text in &all {
        let told = hint(Lang::Ru, text);
        assert_eq!(hint(Lang::En, text), *text);
        if is_expression(text) {
            continue;
        }
        // A list of fields or of their words is one of names.
        let lists = ["; есть ", " с полями ", "допустимо одно из "];
        let plain = lists.iter().fold(told.as_ref(), |plain, list| {
            plain.split(list).next().unwrap_or_default()
        });
        if told.contains(FOREIGN) || !latin(plain).is_empty() {
            english.push(format!("{text}\n    {told}"));
        }
    }
    assert!(english.is_empty(), "{}", english.join("\n"));
}

#[test]
fn every_template_is_used_and_fills_what_it_takes() {
    for text in all() {
        hint(Lang::Ru, &text);
    }
    let used = USED.with_borrow(Clone::clone);
    let holes = "thing time json found wanted place expected shape gone done instead";
    let mut idle = Vec::new();
    let inner = holes.split(' ').map(table);
    for (english, russian) in DETAILS.iter().copied().chain(inner).flatten() {
        let count = |text: &str| std::iter::successors(split(text), |at| split(at.2)).count();
        assert_eq!(count(english), count(russian), "{english}");
        assert_eq!(count(russian), russian.matches("{}").count(), "{russian}");
        if !used.contains(english) {
            idle.push(english);
        }
        for (_, hole, _) in std::iter::successors(split(english), |at| split(at.2)) {
            let known = matches!(hole, "" | "n" | "state") || !table(hole).is_empty();
            assert!(known, "{english}");
        }
    }
    assert!(idle.is_empty(), "nothing says {idle:#?}");
}

#[test]
fn what_nobody_translated_stays_english_and_is_marked() {
    let told = detail(Lang::Ru, "the moon is full");
    let shown = format!("Нельзя: {told}.");
    assert_eq!(
        parts(&shown),
        [
            ("Нельзя: ", false),
            ("the moon is full", true),
            (".", false)
        ]
    );
    assert_eq!(detail(Lang::En, "the moon is full"), "the moon is full");
    assert_eq!(parts("всё"), [("всё", false)]);
    assert!(detail(Lang::Ru, &"x".repeat(LONGEST + 1)).contains(FOREIGN));
}

#[test]
fn what_is_quoted_comes_through_as_it_is() {
    let ru = |text| hint(Lang::Ru, text).into_owned();
    assert_eq!(
        ru("a schedule named minute exists already exists already"),
        "расписание с именем minute exists already уже есть"
    );
    assert_eq!(
        ru("day of month: expected a value, found '?'"),
        "день месяца: ожидается значение, а стоит '?'"
    );
    assert_eq!(ru("no queue a {} b"), "нет очереди a {} b");
    assert_eq!(ru("22-23,0-2"), "22-23,0-2");
    assert_eq!(field(Lang::Ru, "payload"), "данные");
    assert_eq!(field(Lang::Ru, "colour"), "colour");
}
