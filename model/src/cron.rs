//! Cron: from an expression to its next fire, to words, and to warnings.
//!
//! One parsed structure feeds all three, so the words cannot say something else than what fires. The
//! reader is `parse` (fields) and `item` (what stands in one); `calendar` knows the wall clock,
//! `next` how it runs in a zone; `words` and `notes` speak.

mod calendar;
mod dst;
mod error;
mod every;
mod field;
mod hash;
mod item;
mod next;
mod notes;
mod parse;
mod preview;
mod words;
mod zone;

#[cfg(test)]
mod tests;

use std::fmt;

use crate::lang::Lang;
use crate::time::{Span, Timestamp};

use calendar::Budget;
use parse::Plan;

pub use dst::{DstRule, Gap, Overlap};
pub use error::CronError;
pub use preview::{CronPreview, CronPreviewRequest};
pub use zone::{FixedZone, Transition, Utc, Zone};

/// A cron expression that names at least one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cron {
    text: String,
    plan: Plan,
}

impl Cron {
    /// Reads `text`; `seed`, the schedule's name, is what `H` is hashed from.
    ///
    /// Five fields, or six with seconds first, or an `@` word. The error says where the first fault
    /// is; a date that never comes is one.
    pub fn parse(text: &str, seed: &str) -> Result<Self, CronError> {
        let plan = parse::parse(text, seed)?;
        Ok(Cron {
            text: text.to_owned(),
            plan,
        })
    }

    /// The text it was read from.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The first fire strictly after `from` on the clock of `zone`; `None` for never, which is to
    /// say not up to [`Timestamp::MAX`].
    ///
    /// `anchor` matters to `@every` only: its fires are whole lengths of real time after it. The
    /// work is bounded whatever the expression and the zone.
    pub fn next_after(
        &self,
        from: Timestamp,
        zone: &dyn Zone,
        dst: DstRule,
        anchor: Timestamp,
    ) -> Option<Timestamp> {
        match &self.plan {
            Plan::Every(span) => every::next(*span, from, anchor),
            Plan::Calendar(calendar) => next::next(calendar, from, zone, dst, &mut Budget::full()),
        }
    }

    /// The first `n` fires after `from`, in order; fewer when there are no more.
    pub fn upcoming(
        &self,
        from: Timestamp,
        n: usize,
        zone: &dyn Zone,
        dst: DstRule,
        anchor: Timestamp,
    ) -> Vec<Timestamp> {
        let next = |at: &Timestamp| self.next_after(*at, zone, dst, anchor);
        std::iter::successors(next(&from), next).take(n).collect()
    }

    /// What it means, as a phrase without a full stop; the expression itself when its shape has no
    /// sure wording.
    pub fn describe(&self, lang: Lang) -> String {
        words::describe(&self.plan, lang).unwrap_or_else(|| self.text.trim().to_owned())
    }

    /// What a person should know about it: sentences on steps that come out uneven, on how the day
    /// fields go together, and on what a change of the clock does to the fires in `next`.
    pub fn notes(
        &self,
        next: &[Timestamp],
        zone: &dyn Zone,
        dst: DstRule,
        lang: Lang,
    ) -> Vec<String> {
        let from = next
            .first()
            .map_or(Timestamp::MAX, |first| first.minus(Span::from_secs(1)));
        notes::notes(&self.plan, (from, next), zone, dst, lang)
    }

    /// Whether `H` is in it, so that its fires depend on the schedule's name.
    pub fn is_hashed(&self) -> bool {
        self.text.split([' ', '\t', ',']).any(|item| {
            item.strip_prefix(['H', 'h'])
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['(', '/']))
        })
    }

    /// What a person should know who asks for the fires of a schedule: that they are those of another
    /// name (`named` is whether one was given), or that there are none (`any`).
    pub fn notes_on_asking(&self, named: bool, any: bool, lang: Lang) -> Vec<String> {
        notes::asked(self.is_hashed(), named, any, lang)
    }

    /// Words, the first `n` fires after `from` and notes together; `@every` counts from `from`.
    pub fn preview(
        &self,
        from: Timestamp,
        n: usize,
        zone: &dyn Zone,
        dst: DstRule,
        lang: Lang,
    ) -> CronPreview {
        let next = self.upcoming(from, n, zone, dst, from);
        let notes = notes::notes(&self.plan, (from, &next), zone, dst, lang);
        CronPreview {
            description: self.describe(lang),
            offsets: next.iter().map(|at| zone.offset_at(*at)).collect(),
            next,
            notes,
        }
    }
}

impl fmt::Display for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
