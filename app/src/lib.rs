//! The dashboard: drawn on the server, then brought to life in the browser from the same code.
//!
//! # How a page is made, twice
//! The server answers a GET by running [`App`] inside [`shell`] and waiting until everything is
//! loaded, so that the HTML is complete for a reader without scripts. The browser then loads the
//! same `App` as WebAssembly and attaches to that HTML ([`hydrate`](crate#modules)). Both runs must
//! make the same tree: what differs between them (the time now, the reader's zone, the live stream)
//! is only put in by an `Effect`, which never runs on the server.
//!
//! # Where things are
//! - [`context`]: what the server tells a page about the visit: [`Prefs`](context::Prefs), the
//!   counts of the frame, the outcome of the last action.
//! - [`paths`]: the address of every page. No page writes an address by hand.
//! - `i18n`: every text in English and Russian, side by side; numbers, lengths and plurals.
//! - [`rpc`]: the server functions.
//! - `live`: the event stream; `keyboard`: shortcuts.
//! - `parts`: what pages are made of; `pages`: one file a page (and a folder when it grows).
//!
//! # Conventions
//! - **The URL is the state**: filters, range and cursor are read by `use_query_map`.
//! - **A page** is `PageHead` (title, one `h1`, the sentence below it, buttons on the right) and
//!   panels. It reads data by `parts::Load`, which draws the thing itself, the refusal, or the
//!   skeleton, sets the HTTP status, and reads again when the topics it names change.
//! - **Texts**: `let lang = use_lang();` then `text::jobs(lang)`. The language never changes while a
//!   page lives, so texts are plain values, not signals. A new text is a line in `i18n/<page>.rs`.
//! - **Times**: `<When at/>` for "3 min ago", `<Moment at/>` for the clock; never a formatted string.
//! - **Actions**: `let retry = use_action::<Act>();` once a page (outside of `Load`), then `<ActionButton action=retry …>`
//!   for each button: a form of its own with hidden fields, `return_to` included. Outcomes and
//!   refusals are told in the notice area by themselves.
//! - **Live**: `use_live().revision(&[Topic::…])` is a number that grows when such a thing changed,
//!   at most once a second, and stays while rows are held (`use_live().hold(true)`).
//! - **Style**: one class a part, named as its Rust file; variants by `data-…` or `aria-…`
//!   attributes; no `style=` (the security policy refuses it), no ids but where a label needs one.
//! - A page, and every part that is more than a few elements, ends in `.into_any()`: the type of a
//!   view holds the types of all that is in it, and grows until the compiler gives up.
//! - Rows of a list carry `data-row`, their main link `data-open`, for the keys `j`, `k` and Enter.
//! - Tables have `<caption>`, `<thead>`, `<tbody>` and `data-label` on every cell: on a phone a row
//!   is a card and the label is shown before the value.

#![recursion_limit = "1024"]
#![allow(
    unreachable_pub,
    clippy::needless_pass_by_value,
    reason = "the component macro makes public structs of properties, which own what they hold"
)]

mod app;
pub mod context;
#[cfg(feature = "hydrate")]
mod hydrate;
mod i18n;
mod keyboard;
mod live;
mod pages;
#[cfg(test)]
mod palette;
mod parts;
pub mod paths;
mod query;
pub mod rpc;

pub use app::{App, shell};
