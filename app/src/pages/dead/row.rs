//! One cause in the dead letter.

use conveyor_model::dead::DeadGroup;
use conveyor_model::filter::JobFilter;
use conveyor_model::name::JobId;
use conveyor_model::state::{Action, State};
use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::use_lang;
use crate::i18n::{dead as text, number};
use crate::parts::act_sheet::ActSheet;
use crate::parts::action::{ActionButton, ActionForm, Deed};
use crate::parts::same_row::same_row;
use crate::parts::switch::ReturnTo;
use crate::parts::{Icon, Sign, When};
use crate::paths;

/// A trial: enough to see whether the cause is gone, few enough to do no harm.
const TRIAL: u64 = 5;

/// What can be done with a cause.
#[derive(Clone, Copy)]
pub(super) struct Verbs {
    pub(super) retry: Deed,
    pub(super) delete: Deed,
    pub(super) act: Deed,
}

/// The row; it follows its group as the list is read again.
#[component]
pub(super) fn Row(groups: Signal<Vec<DeadGroup>>, first: DeadGroup, verbs: Verbs) -> impl IntoView {
    let lang = use_lang();
    let fingerprint = first.fingerprint.clone();
    let jobs = jobs_of(&fingerprint);
    let kind = first.kind.as_str().to_owned();
    let class = first.class.clone();
    let group = same_row(groups, first, |one, other| {
        one.fingerprint == other.fingerprint
    });
    let message = Memo::new(move |_| group.with(|group| group.message.clone()));
    let count = Memo::new(move |_| group.with(|group| group.count));
    // A row without jobs is about to go, and keeps its height until then.
    let many = Memo::new(move |before: Option<&bool>| match count.get() {
        0 => before.is_some_and(|many| *many),
        count => count > TRIAL,
    });
    // Only what is in its cells goes out of reach: were the row itself inert, the mouse would count as
    // having left the list.
    let gone = move || count.get() == 0;
    let first_at = Memo::new(move |_| group.with(|group| group.first_at));
    let last_at = Memo::new(move |_| group.with(|group| group.last_at));
    let shown = move || {
        let message = message.get();
        if message.trim().is_empty() {
            text::no_message(lang).to_owned()
        } else {
            message
        }
    };
    view! {
        <tr data-row="" data-gone=move || gone().then_some("")>
            <th scope="row" class="wide-cell cause">
                <span class="state-mark" data-state="dead">
                    <Icon sign=Sign::Octagon/>
                </span>
                <div inert=gone>
                    <A href=jobs.clone() attr:class="title" attr:data-open="">
                        {shown}
                    </A>
                    <div class="second">
                        <code>{kind}</code> {(!class.is_empty()).then(|| format!(" · {class}"))}
                        <Sample group=group action=verbs.act/>
                    </div>
                </div>
            </th>
            <td class="number" data-label=text::jobs(lang)>
                <A href=jobs attr:class="some figure">
                    {move || number::whole(count.get())}
                </A>
            </td>
            <td class="when" data-label=text::first(lang)>
                {move || view! { <When at=first_at.get()/> }}
            </td>
            <td class="when" data-label=text::last(lang)>
                {move || view! { <When at=last_at.get()/> }}
            </td>
            <td class="wide-cell">
                <div class="buttons row-buttons" inert=gone>
                    <Show when=move || many.get()>
                        <RetryForm fingerprint=fingerprint_of(group) most=TRIAL action=verbs.retry/>
                    </Show>
                    <RetryForm fingerprint=fingerprint_of(group) most=0 action=verbs.retry/>
                    <DeleteForm fingerprint=fingerprint count=count action=verbs.delete/>
                </div>
            </td>
        </tr>
    }
}

/// A group keeps its fingerprint as long as its row lives.
fn fingerprint_of(group: Memo<DeadGroup>) -> String {
    group.with_untracked(|group| group.fingerprint.clone())
}

/// One of the jobs, with the retry of it alone.
#[component]
fn Sample(group: Memo<DeadGroup>, action: Deed) -> impl IntoView {
    let lang = use_lang();
    let sample = Memo::new(move |_| group.with(|group| group.sample));
    move || {
        sample.get().map(|id: JobId| {
            view! {
                <span class="sample">
                    " · " {text::sample(lang)} " "
                    <A href=paths::job(id) attr:class="id">
                        {format!("#{}", id.get())}
                    </A> " "
                    <ActionForm action=action attr:class="inline">
                        <input type="hidden" name="id" value=id.get().to_string()/>
                        <input type="hidden" name="action" value=Action::Retry.as_str()/>
                        <ReturnTo/>
                        <button
                            type="submit"
                            class="link-button"
                            aria-label=text::retry_one_of(lang, &id.get())
                        >
                            {text::retry_one(lang)}
                        </button>
                    </ActionForm>
                </span>
            }
        })
    }
}

/// Retries up to `most` jobs, or all when it is 0.
#[component]
fn RetryForm(fingerprint: String, most: u64, action: Deed) -> impl IntoView {
    let lang = use_lang();
    let label = match most {
        0 => text::retry_all(lang).to_owned(),
        most => text::retry_some(lang, &most),
    };
    view! {
        <ActionButton
            action=action
            label=label
            small=true
            fields=vec![("fingerprint", fingerprint), ("most", most.to_string())]
        />
    }
}

/// Deletes all jobs of the cause, after a second thought.
#[component]
fn DeleteForm(fingerprint: String, count: Memo<u64>, action: Deed) -> impl IntoView {
    let lang = use_lang();
    view! {
        <ActSheet
            id=format!("delete-{fingerprint}")
            label=text::delete(lang)
            title=text::delete_title(lang)
            class="bare"
        >
            <p class="quiet">{move || text::delete_text(lang, count.get())}</p>
            <ActionForm action=action attr:class="stack">
                <input type="hidden" name="fingerprint" value=fingerprint/>
                <ReturnTo/>
                <button type="submit" class="button danger">
                    {move || text::delete_do(lang, count.get())}
                </button>
            </ActionForm>
        </ActSheet>
    }
}

/// The jobs of a cause in the list of jobs.
fn jobs_of(fingerprint: &str) -> String {
    let filter = JobFilter {
        states: vec![State::Dead],
        dead_group: Some(fingerprint.to_owned()),
        ..JobFilter::default()
    };
    format!("{}?{}", paths::JOBS, filter.to_query())
}
