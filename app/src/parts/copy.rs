//! A button that copies a text. Without scripts it is not shown.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlDocument, HtmlTextAreaElement};

use super::{Icon, Sign};
use crate::context::use_lang;
use crate::i18n::word;

/// Copies `text`, exactly. `label` says what, for screen readers.
#[component]
pub(crate) fn CopyButton(
    #[prop(into)] text: Signal<String>,
    #[prop(into)] label: String,
) -> impl IntoView {
    let lang = use_lang();
    let done = RwSignal::new(false);
    let copy = move |_| {
        spawn_local(async move {
            if put_on_clipboard(&text.get_untracked()).await {
                done.try_set(true);
                // The page may be gone by then.
                let undo = move || {
                    let _ = done.try_set(false);
                };
                set_timeout(undo, Duration::from_secs(2));
            }
        });
    };
    view! {
        <button type="button" class="button bare small copy" aria-label=label on:click=copy>
            {move || {
                let sign = if done.get() { Sign::Check } else { Sign::Copy };
                view! { <Icon sign=sign/> }
            }}
            <span role="status">
                {move || if done.get() { word::copied(lang) } else { word::copy(lang) }}
            </span>
        </button>
    }
    .into_any()
}

/// Browsers offer a clipboard only over TLS and on this machine; elsewhere the old way still works.
async fn put_on_clipboard(text: &str) -> bool {
    let navigator = window().navigator();
    let offered = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard"))
        .is_ok_and(|clipboard| !clipboard.is_undefined());
    if offered
        && JsFuture::from(navigator.clipboard().write_text(text))
            .await
            .is_ok()
    {
        return true;
    }
    by_selection(text).unwrap_or(false)
}

fn by_selection(text: &str) -> Option<bool> {
    let area = document().create_element("textarea").ok()?;
    let area = area.dyn_into::<HtmlTextAreaElement>().ok()?;
    area.set_class_name("unseen");
    area.set_value(text);
    document().body()?.append_child(&area).ok()?;
    area.select();
    let page = document().dyn_into::<HtmlDocument>().ok()?;
    let copied = page.exec_command("copy").unwrap_or(false);
    area.remove();
    Some(copied)
}
