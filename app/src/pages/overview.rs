//! The overview: is it healthy, what changed, where to look.

mod attention;
mod charts;
mod first_run;
mod sentence;
mod tiles;

use conveyor_model::event::Topic;
use conveyor_model::stats::{Overview as Data, Range};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use crate::context::use_lang;
use crate::i18n::{frame, overview as text};
use crate::parts::PageHead;
use crate::parts::follow::{Follow, LoadLine};
use crate::parts::load::read;
use crate::parts::switch::Switch;
use crate::paths;
use crate::rpc::overview::ReadOverview;
use attention::{Helps, NeedsAttention, use_helps};
use charts::Charts;
use first_run::FirstRun;
use tiles::Tiles;

/// How often the figures are read again at most, in seconds.
const EVERY: u32 = 2;

/// The page.
#[component]
pub(crate) fn Overview() -> impl IntoView {
    let lang = use_lang();
    let query = use_query_map();
    let range: Memo<Range> = Memo::new(move |_| {
        let named = query.with(|query| query.get("range"));
        named
            .and_then(|range| range.parse().ok())
            .unwrap_or_default()
    });
    let reading = read(
        move || ReadOverview {
            range: range.get().as_str().to_owned(),
        },
        || {
            vec![
                Topic::Counts,
                Topic::Queues,
                Topic::Schedules,
                Topic::Workers,
            ]
        },
        EVERY,
    );
    let helps = use_helps();
    let ranges = Range::ALL
        .map(|range| {
            (
                text::range_name(lang, range).to_owned(),
                paths::overview(range),
            )
        })
        .to_vec();
    view! {
        <PageHead
            title=frame::overview(lang)
            lead=move || {
                view! { <LoadLine reading=reading draw=move |data| sentence::of(&data, lang)/> }
            }
        >
            <Switch
                label=text::range(lang)
                entries=ranges
                current=Signal::derive(move || paths::overview(range.get()))
            />
        </PageHead>
        <Follow
            reading=reading
            draw=move |data| view! { <Figures data=data range=range helps=helps/> }.into_any()
        />
    }
    .into_any()
}

#[component]
fn Figures(data: Signal<Data>, range: Memo<Range>, helps: Helps) -> impl IntoView {
    let first_run = Memo::new(move |_| data.with(|data| data.ever_enqueued == 0));
    view! {
        <Show
            when=move || first_run.get()
            fallback=move || {
                view! {
                    <Tiles data=data/>
                    <Charts data=data range=range/>
                    <NeedsAttention data=data helps=helps/>
                }
            }
        >
            <FirstRun/>
        </Show>
    }
}
