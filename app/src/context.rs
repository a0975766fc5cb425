//! What the server tells a page about the visit, the same while it is drawn and when it comes alive.
//!
//! The server puts a [`Visit`] into the context before it draws; `provide_visit` carries it to the
//! browser inside the page, so that both sides start from equal values.

mod prefs;
mod visit;

pub use prefs::{Prefs, Theme, Zone};
pub use visit::{About, Visit};

#[cfg(feature = "ssr")]
pub use crate::rpc::FLASH_COOKIE;

use conveyor_model::lang::Lang;
use leptos::prelude::*;

/// Makes the visit known to everything below. Called once, at the root of the app.
pub(crate) fn provide_visit() -> Visit {
    let visit = SharedValue::new(|| use_context::<Visit>().unwrap_or_default()).into_inner();
    provide_context(visit.prefs);
    provide_context(StoredValue::new(visit.clone()));
    visit
}

/// The reader's choices.
pub(crate) fn use_prefs() -> Prefs {
    use_context().unwrap_or_default()
}

/// The language of the page; it never changes while the page lives.
pub(crate) fn use_lang() -> Lang {
    use_prefs().lang
}

/// One look at the visit.
pub(crate) fn with_visit<T>(look: impl FnOnce(&Visit) -> T) -> T {
    match use_context::<StoredValue<Visit>>() {
        Some(visit) => visit.with_value(look),
        None => look(&Visit::default()),
    }
}

/// Gives the answer a status while a page is drawn; in the browser there is none to give.
pub(crate) fn set_status(status: u16) {
    #[cfg(feature = "ssr")]
    if let (Some(response), Ok(status)) = (
        use_context::<leptos_axum::ResponseOptions>(),
        http::StatusCode::from_u16(status),
    ) {
        response.set_status(status);
    }
    #[cfg(not(feature = "ssr"))]
    let _ = status;
}
