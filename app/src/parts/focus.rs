//! Where the focus goes after a navigation without a page load.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::keyboard::takes_text;

/// Which page's heading had the focus last, so that a new page gets it once, and on which page a field
/// was entered last, so that nobody is taken out of it.
#[derive(Clone, Copy)]
pub(crate) struct Focused {
    heading: StoredValue<Option<String>>,
    field: StoredValue<Option<String>>,
}

impl Focused {
    /// Nobody's yet.
    pub(crate) fn new() -> Self {
        Focused {
            heading: StoredValue::new(None),
            field: StoredValue::new(None),
        }
    }

    /// Whether the focus is to move to the heading of the page at `path`. The first page was loaded
    /// by the browser, which has put the focus where it belongs; a page that was long in coming may
    /// find the person in a field already.
    pub(crate) fn moves_to(self, path: &str) -> bool {
        let before = self
            .heading
            .try_update_value(|focused| focused.replace(path.to_owned()))
            .flatten();
        before.is_some_and(|before| before != path) && !self.types_on(path)
    }

    fn types_on(self, path: &str) -> bool {
        let entered_here = self.field.with_value(|at| at.as_deref() == Some(path));
        entered_here
            && document()
                .active_element()
                .is_some_and(|element| takes_text(&element))
    }
}

/// Notes on which page a field is entered, as long as the page lives.
pub(crate) fn follow_fields() {
    let Some(focused) = use_context::<Focused>() else {
        return;
    };
    Effect::new(move |_| {
        let listener = window_event_listener(ev::focusin, move |event| {
            if let Some(target) = event.target()
                && let Ok(element) = target.dyn_into::<Element>()
                && takes_text(&element)
                && let Ok(path) = window().location().pathname()
            {
                focused.field.try_set_value(Some(path));
            }
        });
        on_cleanup(move || listener.remove());
    });
}
