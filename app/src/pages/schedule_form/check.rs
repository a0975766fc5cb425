//! The live check of an expression: asks what it means a moment after the last key.

use std::time::Duration;

use conveyor_model::cron::CronPreview;
use conveyor_model::error::{Invalid, OperatorError};
use leptos::prelude::*;
use leptos::web_sys::{Element, Event};
use wasm_bindgen::JsCast;

use crate::context::use_lang;
use crate::rpc::RpcError;
use crate::rpc::call::Call;
use crate::rpc::schedule_values::Timing;
use crate::rpc::schedules::ReadCronPreview;

/// How long the keys must rest.
const REST: Duration = Duration::from_millis(250);

/// What is being typed, and what it means.
#[derive(Clone, Copy)]
pub(super) struct Check {
    /// The expression.
    pub(super) cron: RwSignal<String>,
    /// The zone.
    pub(super) zone: RwSignal<String>,
    /// What else decides when it fires.
    rest: RwSignal<Timing>,
    /// What they mean, or what is wrong with them.
    pub(super) preview: RwSignal<Result<CronPreview, RpcError>>,
    ask: Action<Timing, Result<Result<CronPreview, Invalid>, RpcError>>,
}

impl Check {
    /// Starts from what the server knows already.
    pub(super) fn new(first: Timing, preview: Result<CronPreview, RpcError>) -> Self {
        let lang = use_lang();
        let ask = Action::new(move |timing: &Timing| {
            let call = Call::of(ReadCronPreview {
                timing: timing.clone(),
                lang: lang.tag().to_owned(),
            });
            async move { call.ask().await?.read() }
        });
        let check = Check {
            cron: RwSignal::new(first.cron.clone()),
            zone: RwSignal::new(first.timezone.clone()),
            rest: RwSignal::new(first),
            preview: RwSignal::new(preview),
            ask,
        };
        check.follow();
        check
    }

    /// Asks at once.
    pub(super) fn now(self) {
        self.ask.dispatch(untrack(|| self.timing()));
    }

    /// Takes in a field of the form that was changed.
    pub(super) fn take(self, event: &Event) {
        let field = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())
            .and_then(|field| field.get_attribute("name"));
        let value = event_target_value(event);
        self.rest.update(|rest| match field.as_deref() {
            Some("schedule[name]") => rest.name = value,
            Some("schedule[gap]") => rest.gap = value,
            Some("schedule[twice]") => rest.twice = value,
            Some("schedule[starts_at]") => rest.starts_at = value,
            Some("schedule[ends_at]") => rest.ends_at = value,
            Some(_) | None => {}
        });
    }

    fn timing(self) -> Timing {
        Timing {
            cron: self.cron.get(),
            timezone: self.zone.get(),
            ..self.rest.get()
        }
    }

    fn follow(self) {
        let timer = StoredValue::new(None::<TimeoutHandle>);
        let stop = move || {
            if let Some(timer) = timer.try_update_value(Option::take).flatten() {
                timer.clear();
            }
        };
        Effect::new(move |before: Option<Timing>| {
            let typed = self.timing();
            if before.is_some_and(|before| before != typed) {
                stop();
                let asking = typed.clone();
                let later = move || {
                    self.ask.dispatch(asking);
                };
                timer.try_set_value(set_timeout_with_handle(later, REST).ok());
            }
            typed
        });
        on_cleanup(stop);
        Effect::new(move |_| match self.ask.value().get() {
            Some(Ok(answer)) => {
                let answer = answer.map_err(|invalid| OperatorError::Invalid(invalid).into());
                self.preview.set(answer);
            }
            Some(Err(error)) => self.preview.set(Err(error)),
            None => {}
        });
    }
}
