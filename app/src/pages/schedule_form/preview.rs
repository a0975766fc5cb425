//! What the expression means: in words, with its next fires; or where it is wrong.

use conveyor_model::error::{FieldError, OperatorError};
use leptos::prelude::*;

use super::check::Check;
use crate::context::use_lang;
use crate::i18n::{outcome, refusal, schedule_form as text, schedules};
use crate::pages::schedules::fires::Fires;
use crate::parts::spoken::spoken;
use crate::parts::{Icon, Sign};
use crate::rpc::RpcError;

/// The panel beside the form.
#[component]
pub(super) fn Preview(check: Check) -> impl IntoView {
    let lang = use_lang();
    let shown = move || match check.preview.get() {
        Ok(preview) => {
            let zone = check.zone.get_untracked();
            let never = preview.next.is_empty();
            view! {
                <p class="meaning">{schedules::unbroken(&preview.description)}</p>
                {if never {
                    view! { <p class="quiet">{text::preview_never(lang)}</p> }.into_any()
                } else {
                    view! {
                        <h3>{text::next_ten(lang)}</h3>
                        <Fires preview=preview zone=zone/>
                    }
                        .into_any()
                }}
            }
            .into_any()
        }
        Err(RpcError::Operator(OperatorError::Invalid(invalid))) => invalid
            .errors
            .into_iter()
            .map(|fault| {
                let cron = check.cron.get_untracked();
                view! { <Fault fault=fault cron=cron check=check/> }
            })
            .collect_view()
            .into_any(),
        Err(error) => {
            view! { <p class="refusal">{spoken(&outcome::refused(lang, &error))}</p> }.into_any()
        }
    };
    view! {
        <section class="panel preview" aria-labelledby="preview-title">
            <div class="panel-head">
                <h2 id="preview-title">{text::preview(lang)}</h2>
            </div>
            <div aria-live="polite">{shown}</div>
            <p class="quiet scripted">{text::preview_hint(lang)}</p>
            <p class="quiet unscripted">{text::preview_hint_plain(lang)}</p>
        </section>
    }
}

/// One fault: the expression with the place marked, what is wrong, and what to write instead.
#[component]
fn Fault(fault: FieldError, cron: String, check: Check) -> impl IntoView {
    let lang = use_lang();
    let FieldError {
        pointer,
        detail,
        position,
        hint,
    } = fault;
    let place = position.filter(|_| pointer == "/cron").map(|position| {
        let (before, at, after) = split(&cron, position);
        view! {
            <pre class="code cron-fault">
                <code>{before}<mark>{at}</mark>{after}</code>
            </pre>
        }
    });
    let detail = refusal::detail(lang, &detail);
    let said = match position {
        Some(position) => format!("{}: {detail}", text::at_character(lang, &position)),
        None => detail.into_owned(),
    };
    // Advice and a part of an expression cannot be taken over.
    let hint = hint.map(|hint| {
        let taken = hint.clone();
        if is_whole(&hint) {
            view! {
                <button
                    type="button"
                    class="button small"
                    on:click=move |_| check.cron.set(taken.clone())
                >
                    {text::try_instead(lang, &hint)}
                </button>
            }
            .into_any()
        } else {
            view! { <p>{spoken(&refusal::hint(lang, &hint))}</p> }.into_any()
        }
    });
    view! {
        {place}
        <p class="refusal">
            <Icon sign=Sign::Alert/>
            <span>{spoken(&said)}</span>
        </p>
        {hint}
    }
}

/// Whether a hint is an expression with all its fields.
fn is_whole(hint: &str) -> bool {
    let fields = hint.split_whitespace().count();
    refusal::is_expression(hint) && (hint.starts_with('@') || (5..=6).contains(&fields))
}

/// The text before, at and after a character counted from 1; a place past the end is shown as a
/// blank.
fn split(text: &str, position: usize) -> (String, String, String) {
    let mut characters = text.chars();
    let before: String = characters
        .by_ref()
        .take(position.saturating_sub(1))
        .collect();
    let at = characters
        .next()
        .map_or_else(|| "\u{a0}".to_owned(), String::from);
    (before, at, characters.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_no_expression() {
        for whole in ["0 9 * * 1-5", "0 0 L * *", "@every 2h30m", "@daily"] {
            assert!(is_whole(whole), "{whole}");
        }
        for advice in [
            "February has 28 or 29 days; L is its last day",
            "JAN to DEC",
            "1-5",
        ] {
            assert!(!is_whole(advice), "{advice}");
        }
    }

    #[test]
    fn the_place_of_a_fault_is_counted_in_characters() {
        let parts = |before: &str, at: &str, after: &str| {
            (before.to_owned(), at.to_owned(), after.to_owned())
        };
        assert_eq!(split("60 * *", 1), parts("", "6", "0 * *"));
        assert_eq!(split("жж ж", 4), parts("жж ", "ж", ""));
        assert_eq!(split("* *", 4), parts("* *", "\u{a0}", ""));
        assert_eq!(split("", 1), parts("", "\u{a0}", ""));
    }
}
