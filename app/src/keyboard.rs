//! Shortcuts. They go by the physical key, so that they work whatever layout is active, and do
//! nothing while a person types.

use leptos::ev;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, NodeList};

use crate::i18n::frame;
use crate::live::use_live;
use crate::paths;

/// A letter that goes to a page after `g`.
pub(crate) struct Jump {
    /// The letter as it is printed.
    pub(crate) letter: char,
    /// The physical key.
    code: &'static str,
    /// The page.
    path: &'static str,
    /// Its name.
    pub(crate) name: fn(conveyor_model::lang::Lang) -> &'static str,
}

/// Every page that has a letter.
pub(crate) const JUMPS: [Jump; 6] = [
    jump('o', "KeyO", paths::OVERVIEW, frame::overview),
    jump('j', "KeyJ", paths::JOBS, frame::jobs),
    jump('q', "KeyQ", paths::QUEUES, frame::queues),
    jump('s', "KeyS", paths::SCHEDULES, frame::schedules),
    jump('w', "KeyW", paths::WORKERS, frame::workers),
    jump('d', "KeyD", paths::DEAD, frame::dead),
];

const fn jump(
    letter: char,
    code: &'static str,
    path: &'static str,
    name: fn(conveyor_model::lang::Lang) -> &'static str,
) -> Jump {
    Jump {
        letter,
        code,
        path,
        name,
    }
}

/// After `g`, the letter must come within this time.
const PATIENCE_MS: f64 = 1500.0;

/// Listens to the keyboard as long as the page lives. `show_help` opens the list of shortcuts.
pub(crate) fn listen(show_help: impl Fn() + Clone + 'static) {
    let live = use_live();
    let navigate = use_navigate();
    let after_g = StoredValue::new(0.0_f64);
    let go = move |path: &str| navigate(path, NavigateOptions::default());
    Effect::new(move |_| {
        let (go, show_help) = (go.clone(), show_help.clone());
        let listener = window_event_listener(ev::keydown, move |event| {
            if is_for_someone_else(&event) {
                return;
            }
            let started = after_g.try_get_value().unwrap_or_default();
            after_g.try_set_value(0.0);
            let code = event.code();
            if js_sys::Date::now() - started < PATIENCE_MS {
                if let Some(jump) = JUMPS.iter().find(|jump| jump.code == code) {
                    event.prevent_default();
                    go(jump.path);
                }
                return;
            }
            let slash = code == "Slash";
            match code.as_str() {
                _ if event.key() == "?" || (slash && event.shift_key()) => show_help(),
                _ if event.key() == "/" || slash => focus("[data-search]"),
                "KeyG" => {
                    after_g.try_set_value(js_sys::Date::now());
                    return;
                }
                "KeyJ" => step(1),
                "KeyK" => step(-1),
                "KeyO" => return open_row(),
                "KeyX" => click_in_row("[data-pick]"),
                "Escape" => return unpick(),
                "KeyE" => go(paths::NEW_JOB),
                "KeyL" => live.pause(!live.paused().get_untracked()),
                _ => return,
            }
            event.prevent_default();
        });
        on_cleanup(move || listener.remove());
    });
}

/// Whether the key belongs to the browser, to a field, or to an open dialog.
fn is_for_someone_else(event: &KeyboardEvent) -> bool {
    if event.default_prevented() || event.ctrl_key() || event.meta_key() || event.alt_key() {
        return true;
    }
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|target| {
        takes_text(&target)
            || target.is_content_editable()
            || target
                .closest("dialog[open]")
                .is_ok_and(|dialog| dialog.is_some())
    })
}

/// Whether letters typed there are for the element; a box to tick has no use for them.
pub(crate) fn takes_text(target: &Element) -> bool {
    match target.tag_name().as_str() {
        "INPUT" => !matches!(
            target.get_attribute("type").as_deref(),
            Some("checkbox" | "radio" | "submit" | "button")
        ),
        name => matches!(name, "TEXTAREA" | "SELECT"),
    }
}

fn focus(selector: &str) {
    if let Ok(Some(element)) = document().query_selector(selector)
        && let Ok(element) = element.dyn_into::<HtmlElement>()
    {
        let _ = element.focus();
    }
}

/// Moves the focus to the link of the next or the previous row.
fn step(by: i32) {
    let Ok(rows) = document().query_selector_all("[data-row] [data-open]") else {
        return;
    };
    let at = focused_row(&rows).map_or(if by > 0 { 0 } else { -1 }, |at| at + by);
    let last = i32::try_from(rows.length()).unwrap_or(0) - 1;
    if let Ok(at) = u32::try_from(at.clamp(0, last.max(0)))
        && let Some(link) = rows.item(at)
        && let Ok(link) = link.dyn_into::<HtmlElement>()
    {
        let _ = link.focus();
    }
}

fn focused_row(rows: &NodeList) -> Option<i32> {
    let row = |element: &Element| element.closest("[data-row]").ok().flatten();
    let focused = row(&document().active_element()?)?;
    (0..rows.length())
        .find(|at| {
            rows.item(*at)
                .and_then(|link| link.dyn_into::<Element>().ok())
                .and_then(|link| row(&link))
                .is_some_and(|row| row == focused)
        })
        .and_then(|at| i32::try_from(at).ok())
}

/// Follows the link of the row that has the focus. Enter does so by itself on the link.
fn open_row() {
    click_in_row("[data-open]");
}

/// Clicks something in the row that has the focus.
fn click_in_row(selector: &str) {
    if let Some(active) = document().active_element()
        && let Ok(Some(row)) = active.closest("[data-row]")
    {
        click(row.query_selector(selector));
    }
}

/// Lets go what is picked, unless the key closes something that lies over the page.
fn unpick() {
    let open = document().query_selector("[popover]:popover-open, dialog[open]");
    if open.is_ok_and(|open| open.is_none()) {
        click(document().query_selector("[data-unpick]"));
    }
}

fn click<E>(found: Result<Option<Element>, E>) {
    if let Ok(Some(element)) = found
        && let Ok(element) = element.dyn_into::<HtmlElement>()
    {
        element.click();
    }
}
