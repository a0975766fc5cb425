//! The numbers of a chart as a table.

use conveyor_model::lang::Lang;
use leptos::prelude::*;

use super::Chart;
use crate::i18n::chart;
use crate::parts::Moment;

/// Newest first, as people read it.
pub(super) fn table(chart: &Chart, lang: Lang) -> impl IntoView + use<> {
    let head = chart
        .lines
        .iter()
        .map(|line| view! { <th scope="col" class="number">{line.name.clone()}</th> })
        .collect_view();
    let rows = chart
        .times
        .iter()
        .enumerate()
        .rev()
        .map(|(index, at)| {
            let cells = chart
                .lines
                .iter()
                .map(|line| {
                    let value = line.values.get(index).copied().flatten();
                    let text = value
                        .map_or_else(|| "–".to_owned(), |value| chart.measure.write(lang, value));
                    view! { <td class="number">{text}</td> }
                })
                .collect_view();
            view! {
                <tr>
                    <th scope="row">
                        <Moment at=*at short=true/>
                    </th>
                    {cells}
                </tr>
            }
        })
        .collect_view();
    view! {
        <table class="numbers">
            <caption class="unseen">{chart.title.clone()}</caption>
            <thead>
                <tr>
                    <th scope="col">{chart::time(lang)}</th>
                    {head}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}
