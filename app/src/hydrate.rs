//! The way into the app in the browser.

use wasm_bindgen::prelude::wasm_bindgen;

/// Attaches the app to the page that the server drew.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(crate::App);
}
