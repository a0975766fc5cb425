//! Shortcuts, and what the words mean.

use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::help;
use crate::keyboard::JUMPS;
use crate::parts::{PageHead, Panel};

/// The page.
#[component]
pub(crate) fn Help() -> impl IntoView {
    let lang = use_lang();
    let words = [
        (help::job(lang), help::job_text(lang)),
        (help::attempt(lang), help::attempt_text(lang)),
        (help::lease(lang), help::lease_text(lang)),
        (help::dead(lang), help::dead_text(lang)),
        (help::schedule(lang), help::schedule_text(lang)),
        (help::worker(lang), help::worker_text(lang)),
    ];
    view! {
        <PageHead title=help::title(lang) lead=move || help::lead(lang)/>
        <div class="columns">
            <Panel title=help::keys(lang)>
                <Keys/>
            </Panel>
            <Panel title=help::words(lang)>
                <dl class="words">
                    {words
                        .into_iter()
                        .map(|(word, text)| {
                            view! {
                                <dt>{word}</dt>
                                <dd>{text}</dd>
                            }
                        })
                        .collect_view()}
                </dl>
            </Panel>
        </div>
    }
    .into_any()
}

/// The list of shortcuts.
#[component]
pub(crate) fn Keys() -> impl IntoView {
    let lang = use_lang();
    let single = [
        ("/", help::focus_search(lang)),
        ("j", help::next_row(lang)),
        ("k", help::previous_row(lang)),
        ("Enter", help::open_row(lang)),
        ("x", help::pick_row(lang)),
        ("Esc", help::unpick(lang)),
        ("e", help::new_job(lang)),
        ("l", help::toggle_live(lang)),
        ("?", help::this_help(lang)),
    ];
    view! {
        <dl class="keys">
            {single
                .into_iter()
                .map(|(key, does)| {
                    view! {
                        <dt>
                            <kbd>{key}</kbd>
                        </dt>
                        <dd>{does}</dd>
                    }
                })
                .collect_view()}
            {JUMPS
                .iter()
                .map(|jump| {
                    view! {
                        <dt>
                            <kbd>"g"</kbd>
                            <span class="quiet">{help::then(lang)}</span>
                            <kbd>{jump.letter.to_string()}</kbd>
                        </dt>
                        <dd>{help::go_to(lang, &(jump.name)(lang))}</dd>
                    }
                })
                .collect_view()}
        </dl>
        <p class="quiet">{help::keys_note(lang)}</p>
    }
    .into_any()
}
