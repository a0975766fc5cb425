//! What an action did, or why it did not: told once, on top of the page after a plain form, in the
//! corner when scripts run.

use std::time::Duration;

use conveyor_model::state::Action;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_location;

use super::each::Each;
use super::spoken::spoken;
use super::{Icon, Sign};
use crate::context::{use_lang, with_visit};
use crate::i18n::{outcome, word};
use crate::paths;
use crate::rpc::{Outcome, RpcError};

/// How long good news stays in the corner.
const STAY: Duration = Duration::from_secs(8);
/// The most notices at once.
const MOST: usize = 4;

/// Everything that is told at the moment.
#[derive(Clone, Copy)]
pub(crate) struct Notices {
    told: RwSignal<Vec<Told>>,
    count: StoredValue<u64>,
}

#[derive(Clone)]
struct Told {
    id: u64,
    result: Result<Outcome, RpcError>,
}

/// Makes the notices and tells everything below of them.
pub(crate) fn provide_notices() {
    provide_context(Notices {
        told: RwSignal::new(Vec::new()),
        count: StoredValue::new(0),
    });
}

/// The notices of the page.
#[expect(
    clippy::expect_used,
    reason = "the root of the app provides them to all that is below"
)]
pub(crate) fn use_notices() -> Notices {
    use_context().expect("below the root of the app")
}

impl Notices {
    /// Tells an outcome in the corner. Good news goes by itself, a refusal stays until it is closed.
    pub(crate) fn tell(self, result: Result<Outcome, RpcError>) {
        let good = result.is_ok();
        let id = self.count.get_value() + 1;
        self.count.set_value(id);
        self.told.update(|told| {
            told.push(Told { id, result });
            if told.len() > MOST {
                told.remove(0);
            }
        });
        if good {
            set_timeout(move || self.close(id), STAY);
        }
    }

    fn close(self, id: u64) {
        self.told
            .try_update(|told| told.retain(|notice| notice.id != id));
    }
}

/// The notice of the last plain form, on top of its page; it goes with the page.
#[component]
pub(crate) fn FlashNotice() -> impl IntoView {
    let flash = RwSignal::new(with_visit(|visit| visit.flash.clone()));
    let path = use_location().pathname;
    Effect::new(move |before: Option<()>| {
        path.track();
        if before.is_some() {
            flash.set(None);
        }
    });
    view! {
        <div class="notices">
            {move || {
                flash
                    .get()
                    .map(|flash_now| {
                        view! { <Notice result=flash_now.0 close=move || flash.set(None)/> }
                    })
            }}
        </div>
    }
    .into_any()
}

/// The corner in which outcomes appear.
#[component]
pub(crate) fn Toasts() -> impl IntoView {
    let notices = use_notices();
    view! {
        <div class="toasts" role="status">
            <Each each=move || notices.told.get() key=|told| told.id.to_string() let:told>
                <Notice result=told.result close=move || notices.close(told.id)/>
            </Each>
        </div>
    }
    .into_any()
}

/// One notice.
#[component]
fn Notice(
    result: Result<Outcome, RpcError>,
    close: impl Fn() + Send + Sync + 'static,
) -> impl IntoView {
    let lang = use_lang();
    let here = use_location().pathname;
    let (text, tone, sign, role) = match &result {
        Ok(done) => (outcome::done(lang, done), "done", Sign::Check, None),
        Err(error) => (
            outcome::refused(lang, error),
            "refused",
            Sign::Alert,
            Some("alert"),
        ),
    };
    let link = match &result {
        Ok(done) => leads_to(done),
        Err(RpcError::SignedOut) => Some(paths::LOGIN.to_owned()),
        Err(_) => None,
    };
    view! {
        <div class="notice" data-tone=tone role=role>
            <Icon sign=sign/>
            <p>
                {spoken(&text)}
                {move || {
                    // It would lead to where the reader is.
                    let path = link.clone().filter(|path| *path != here.get())?;
                    Some(
                        view! {
                            " "
                            <A href=path>{word::open(lang)}</A>
                        },
                    )
                }}
            </p>
            <button
                type="button"
                class="icon-button"
                aria-label=word::close(lang)
                on:click=move |_| close()
            >
                <Icon sign=Sign::Cross/>
            </button>
        </div>
    }
    .into_any()
}

/// The page that shows what an action left behind.
fn leads_to(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Enqueued { id, .. }
        | Outcome::ScheduleRun { id, .. }
        | Outcome::Acted {
            action: Action::Duplicate,
            result: id,
            ..
        } => Some(paths::job(*id)),
        Outcome::Acted { .. }
        | Outcome::ActedOn { .. }
        | Outcome::Edited { .. }
        | Outcome::Paused { .. }
        | Outcome::Resumed { .. }
        | Outcome::Purged { .. }
        | Outcome::ScheduleSaved { .. }
        | Outcome::ScheduleDeleted { .. }
        | Outcome::SchedulePaused { .. }
        | Outcome::GroupRetried { .. }
        | Outcome::GroupDeleted { .. }
        | Outcome::WorkerTold { .. } => None,
    }
}
