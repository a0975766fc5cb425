//! The rest of what is known of the job.

use conveyor_model::job::Job;
use conveyor_model::lang::Lang;
use conveyor_model::retry::{Backoff, Growth};
use conveyor_model::time::Span;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::use_lang;
use crate::i18n::{job as text, length, number, word};
use crate::parts::{Moment, Panel};
use crate::paths;

/// The panel.
#[component]
pub(super) fn Facts(job: Job) -> impl IntoView {
    let lang = use_lang();
    let row = job.row;
    let none = move || view! { <span class="quiet">{word::none(lang)}</span> }.into_any();
    let code = |text: String| view! { <code>{text}</code> }.into_any();
    let timeout = match job.timeout_s {
        Span::ZERO => text::no_limit(lang).to_owned(),
        timeout => length::length(lang, timeout),
    };
    let tags = if row.tags.is_empty() {
        none()
    } else {
        let chip = |tag: &conveyor_model::name::Tag| {
            view! {
                <span class="chip">{tag.to_string()}</span>
                " "
            }
        };
        row.tags.iter().map(chip).collect_view().into_any()
    };
    let key = match row.idempotency_key {
        Some(key) if is_of_form(key.as_str()) => {
            let title = key.to_string();
            view! { <span class="quiet" title=title>{text::key_of_form(lang)}</span> }.into_any()
        }
        Some(key) => code(key.to_string()),
        None => none(),
    };
    let schedule = match row.schedule {
        Some(schedule) => {
            let path = paths::schedule(&schedule);
            view! { <A href=path>{schedule.to_string()}</A> }.into_any()
        }
        None => none(),
    };
    let moment = |name: &'static str, at: Option<conveyor_model::time::Timestamp>| {
        at.map(|at| fact(name, view! { <Moment at=at/> }))
    };
    let meta = job.meta.into_iter().map(|(name, value)| {
        view! {
            <dt>
                <code>{name}</code>
            </dt>
            <dd>{value}</dd>
        }
    });
    let crashes =
        (job.crash_count > 0).then(|| fact(text::crashes(lang), job.crash_count.to_string()));
    view! {
        <Panel title=text::details(lang)>
            <dl class="facts">
                {fact(text::queue(lang), view! { <A href=paths::jobs_of_queue(&row.queue)>{row.queue.to_string()}</A> })}
                {fact(text::priority(lang), row.priority.to_string())}
                {moment(text::due_at(lang), Some(row.run_at))}
                {moment(text::started(lang), row.started_at)}
                {moment(text::finished(lang), row.finished_at)}
                {fact(text::timeout(lang), timeout)}
                {fact(text::delays(lang), delays(lang, &job.backoff))}
                {fact(text::key(lang), key)}
                {fact(text::schedule(lang), schedule)}
                {fact(text::tags(lang), tags)}
                {crashes}
                {meta.collect_view()}
                {fact(text::version(lang), row.version.to_string())}
            </dl>
        </Panel>
    }
}

fn fact(name: &'static str, value: impl IntoView + 'static) -> AnyView {
    view! {
        <dt>{name}</dt>
        <dd>{value}</dd>
    }
    .into_any()
}

/// Whether the form that enqueued the job made its key, so that sending it twice does no harm: nobody
/// chose it, and nobody looks for it.
fn is_of_form(key: &str) -> bool {
    let rest = key
        .strip_prefix("form-")
        .and_then(|key| key.rsplit_once('-'));
    rest.is_some_and(|(_, hash)| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// `2 s × 2ⁿ, at most 1 h, ± 25 %`.
fn delays(lang: Lang, backoff: &Backoff) -> String {
    let base = length::length(lang, backoff.base_s);
    let mut out = match backoff.kind {
        Growth::Exponential => format!(
            "{base} × {}ⁿ",
            number::short(lang, backoff.factor)
                .trim_end_matches(".0")
                .trim_end_matches(",0")
        ),
        Growth::Linear => format!("{base} × n"),
        Growth::Fixed => base,
    };
    if backoff.kind != Growth::Fixed {
        out.push_str(&format!(" ≤ {}", length::length(lang, backoff.max_s)));
    }
    if backoff.jitter > 0.0 {
        out.push_str(&format!(
            " ± {} %",
            number::decimal(lang, backoff.jitter * 100.0, 0)
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_somebody_chose_is_shown() {
        assert!(is_of_form("form-I4B7Dy3hNs65KlpmaCN-fQ-eac8992593ebeffa"));
        for own in [
            "invoice-7",
            "form-7",
            "form-a-b",
            "",
            "form-x-eac8992593ebeff",
        ] {
            assert!(!is_of_form(own), "{own}");
        }
    }
}
