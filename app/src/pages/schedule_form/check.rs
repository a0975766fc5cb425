//! The live check of an expression: asks what it means a moment after the last key.

use std::time::Duration;

use conveyor_model::cron::CronPreview;
use leptos::prelude::*;

use crate::context::use_lang;
use crate::rpc;
use crate::rpc::RpcError;

/// How long the keys must rest.
const REST: Duration = Duration::from_millis(250);

/// What is being typed, and what it means.
#[derive(Clone, Copy)]
pub(super) struct Check {
    /// The expression.
    pub(super) cron: RwSignal<String>,
    /// The zone.
    pub(super) zone: RwSignal<String>,
    /// What they mean, or what is wrong with them.
    pub(super) preview: RwSignal<Result<CronPreview, RpcError>>,
    ask: Action<(String, String), Result<CronPreview, RpcError>>,
}

impl Check {
    /// Starts from what the server knows already.
    pub(super) fn new(cron: String, zone: String, preview: Result<CronPreview, RpcError>) -> Self {
        let lang = use_lang();
        let ask = Action::new(move |(cron, zone): &(String, String)| {
            rpc::meaning(cron.clone(), zone.clone(), lang)
        });
        let check = Check {
            cron: RwSignal::new(cron),
            zone: RwSignal::new(zone),
            preview: RwSignal::new(preview),
            ask,
        };
        check.follow();
        check
    }

    /// Asks at once.
    pub(super) fn now(self) {
        let (cron, zone) = (self.cron.get_untracked(), self.zone.get_untracked());
        self.ask.dispatch((cron, zone));
    }

    fn follow(self) {
        let timer = StoredValue::new(None::<TimeoutHandle>);
        let stop = move || {
            if let Some(timer) = timer.try_update_value(Option::take).flatten() {
                timer.clear();
            }
        };
        Effect::new(move |before: Option<(String, String)>| {
            let typed = (self.cron.get(), self.zone.get());
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
        Effect::new(move |_| {
            if let Some(answer) = self.ask.value().get() {
                self.preview.set(answer);
            }
        });
    }
}
