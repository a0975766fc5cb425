//! Which jobs a person has picked on the page.

use std::collections::BTreeMap;

use conveyor_model::job::JobRow;
use conveyor_model::name::JobId;
use conveyor_model::state::{Action, State};
use leptos::prelude::*;

use super::asked::Asked;
use crate::live::use_live;
use crate::parts::action::Deed;

/// The picked jobs, and what keeps the rows still.
#[derive(Clone, Copy)]
pub(super) struct Picks {
    picked: RwSignal<BTreeMap<JobId, State>>,
    /// The rows of the page, in their order.
    rows: StoredValue<Vec<(JobId, State)>>,
    /// The row that was clicked last: a click with Shift reaches from there.
    last: StoredValue<Option<JobId>>,
    /// Whether a pointer is over the rows.
    pointed: RwSignal<bool>,
}

impl Picks {
    /// Nothing is picked. Rows are held while something is, or while a pointer is over them.
    pub(super) fn new() -> Self {
        let picks = Picks {
            picked: RwSignal::new(BTreeMap::new()),
            rows: StoredValue::new(Vec::new()),
            last: StoredValue::new(None),
            pointed: RwSignal::new(false),
        };
        let live = use_live();
        Effect::new(move |_| {
            live.hold(picks.pointed.get() || picks.picked.with(|picked| !picked.is_empty()));
        });
        on_cleanup(move || live.hold(false));
        picks
    }

    /// Clears the selection when another list is asked for, and when an action has answered.
    pub(super) fn end_with(self, asked: Memo<Asked>, act: Deed) {
        Effect::new(move |before: Option<()>| {
            asked.track();
            let answered = act.outcome().is_some();
            if before.is_some() || answered {
                self.clear();
            }
        });
    }

    /// What has to be known of the rows that are shown.
    pub(super) fn rows(jobs: &[JobRow]) -> Vec<(JobId, State)> {
        jobs.iter().map(|job| (job.id, job.state)).collect()
    }

    /// Follows the rows that are shown. What is picked is held still, but an answer that was under
    /// way when the first row was picked may still change a state.
    pub(super) fn show(self, rows: Memo<Vec<(JobId, State)>>) {
        Effect::new(move |_| {
            let rows = rows.get();
            self.picked.update(|picked| {
                for (id, state) in &rows {
                    if let Some(known) = picked.get_mut(id) {
                        *known = *state;
                    }
                }
            });
            self.rows.set_value(rows);
        });
    }

    pub(super) fn point(self, pointed: bool) {
        self.pointed.set(pointed);
    }

    pub(super) fn has(self, id: JobId) -> bool {
        self.picked.with(|picked| picked.contains_key(&id))
    }

    pub(super) fn count(self) -> usize {
        self.picked.with(BTreeMap::len)
    }

    /// Whether every row of the page is picked.
    pub(super) fn is_whole(self) -> bool {
        let rows = self.rows.with_value(Vec::len);
        rows > 0 && self.count() >= rows
    }

    /// How many of the picked jobs allow an action.
    pub(super) fn allowing(self, action: Action) -> usize {
        let allows = |state: &&State| state.allows(action);
        self.picked
            .with(|picked| picked.values().filter(allows).count())
    }

    /// The picked jobs, for the request.
    pub(super) fn ids(self) -> Vec<i64> {
        let ids = |picked: &BTreeMap<JobId, State>| picked.keys().map(|id| id.get()).collect();
        self.picked.with_untracked(ids)
    }

    /// Picks a row or lets it go; with `reach`, every row from the one clicked last.
    pub(super) fn set(self, id: JobId, on: bool, reach: bool) {
        let from = self.last.get_value().filter(|_| reach).unwrap_or(id);
        self.last.set_value(Some(id));
        let rows = self.rows.with_value(|rows| between(rows, from, id));
        self.picked.update(|picked| {
            for (id, state) in rows {
                if on {
                    picked.insert(id, state);
                } else {
                    picked.remove(&id);
                }
            }
        });
    }

    /// Picks every row of the page.
    pub(super) fn set_all(self, on: bool) {
        let rows = self.rows.get_value();
        self.picked.set(if on {
            rows.into_iter().collect()
        } else {
            BTreeMap::new()
        });
    }

    pub(super) fn clear(self) {
        self.last.set_value(None);
        self.picked.update(BTreeMap::clear);
    }
}

/// The rows from one to another, whichever comes first.
fn between(rows: &[(JobId, State)], from: JobId, to: JobId) -> Vec<(JobId, State)> {
    let place = |id: JobId| rows.iter().position(|(row, _)| *row == id);
    match (place(from), place(to)) {
        (Some(from), Some(to)) => rows[from.min(to)..=from.max(to)].to_vec(),
        (None, Some(to)) => vec![rows[to]],
        (_, None) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_with_shift_reaches_from_the_last_one() {
        let id = |n: i64| JobId::try_from(n).unwrap();
        let rows: Vec<_> = [9, 7, 5, 3].map(|n| (id(n), State::Dead)).to_vec();
        let reached = |from, to| {
            let rows = between(&rows, id(from), id(to));
            rows.into_iter().map(|(id, _)| id.get()).collect::<Vec<_>>()
        };
        assert_eq!(reached(9, 5), [9, 7, 5]);
        assert_eq!(reached(3, 7), [7, 5, 3]);
        assert_eq!(reached(5, 5), [5]);
        assert_eq!(reached(8, 5), [5]);
        assert!(reached(9, 8).is_empty());
    }
}
