//! When an expression fires next, on the schedule's clock and on the reader's.

use conveyor_model::cron::CronPreview;
use conveyor_model::time::{Civil, Timestamp};
use leptos::either::Either;
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::schedule_form as text;
use crate::parts::{Moment, When};

/// A table of the next fires, with what may surprise below it.
#[component]
pub(crate) fn Fires(preview: CronPreview, zone: String) -> impl IntoView {
    let lang = use_lang();
    let CronPreview {
        next,
        offsets,
        notes,
        ..
    } = preview;
    // A clock that shows UTC would say the same twice.
    let own = offsets.iter().any(|offset| *offset != 0);
    let heading = if own {
        text::on_both_clocks(lang, &zone)
    } else {
        text::fire_time(lang).to_owned()
    };
    let rows = next
        .into_iter()
        .enumerate()
        .map(|(at, fire)| {
            let offset = offsets.get(at).copied().unwrap_or_default();
            view! {
                <tr>
                    <td>
                        {if own {
                            Either::Left(
                                view! {
                                    <span class="own-clock">{on_clock(fire, offset)}</span>
                                    <span class="second-clock">
                                        <Moment at=fire/>
                                    </span>
                                },
                            )
                        } else {
                            Either::Right(view! { <Moment at=fire/> })
                        }}
                    </td>
                    <td class="when">
                        <When at=fire/>
                    </td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <Notes notes=notes/>
        <table class="fires">
            <caption class="unseen">{text::next_caption(lang)}</caption>
            <thead>
                <tr>
                    <th scope="col">{heading}</th>
                    <th scope="col">
                        <span class="unseen">{text::fire(lang)}</span>
                    </th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

/// What may surprise, one sentence each.
#[component]
fn Notes(notes: Vec<String>) -> impl IntoView {
    (!notes.is_empty()).then(|| {
        view! {
            <ul class="cron-notes">
                {notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}
            </ul>
        }
    })
}

/// Date, time of day and offset on a clock so many seconds east of UTC.
fn on_clock(at: Timestamp, offset: i32) -> String {
    let local = Civil::from_epoch_secs(at.secs() + i64::from(offset));
    let minutes = offset.unsigned_abs() / 60;
    let sign = if offset < 0 { '−' } else { '+' };
    format!("{local} {sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fire_is_shown_on_the_clock_it_follows() {
        let at: Timestamp = "2026-03-08T07:00:00Z".parse().unwrap();
        assert_eq!(on_clock(at, -14_400), "2026-03-08 03:00:00 −04:00");
        assert_eq!(on_clock(at, 20_700), "2026-03-08 12:45:00 +05:45");
    }
}
