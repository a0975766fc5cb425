//! A schedule made ready to say when it fires: its expression read, its zone found.

use conveyor_model::cron::{Cron, CronError, CronPreview, CronPreviewRequest, DstRule, Zone};
use conveyor_model::error::{FieldError, Invalid};
use conveyor_model::lang::Lang;
use conveyor_model::schedule::{Schedule, ScheduleSpec};
use conveyor_model::time::{Span, Timestamp};

use super::{IanaZone, zone};

/// When a schedule fires.
#[derive(Clone, Debug)]
pub struct Plan {
    cron: Cron,
    zone: IanaZone,
    dst: DstRule,
    anchor: Timestamp,
    starts_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
}

impl Plan {
    /// Reads an expression in a zone. `seed` is what `H` is hashed from, `anchor` what `@every`
    /// counts from. Both faults are told together, at `/cron` and `/timezone`.
    pub fn read(
        cron: &str,
        timezone: &str,
        seed: &str,
        anchor: Timestamp,
    ) -> Result<Self, Invalid> {
        match (Cron::parse(cron, seed), zone(timezone)) {
            (Ok(cron), Ok(zone)) => Ok(Plan {
                cron,
                zone,
                dst: DstRule::default(),
                anchor,
                starts_at: None,
                ends_at: None,
            }),
            (cron, zone) => {
                let mut invalid = zone.err().unwrap_or_default();
                invalid.errors.splice(0..0, cron.err().map(at_cron));
                Err(invalid)
            }
        }
    }

    /// The plan a preview asks about, whose `@every` counts from `anchor` unless it says from when.
    pub fn asked(request: &CronPreviewRequest, anchor: Timestamp) -> Result<Self, Invalid> {
        let anchor = request.anchor.map_or(anchor, |stored| stored.min(anchor));
        Ok(Plan {
            dst: request.dst,
            starts_at: request.starts_at,
            ends_at: request.ends_at,
            ..Plan::read(&request.cron, &request.timezone, &request.name, anchor)?
        })
    }

    /// The plan of a whole schedule of that name.
    pub fn of(name: &str, spec: &ScheduleSpec, anchor: Timestamp) -> Result<Self, Invalid> {
        Ok(Plan {
            dst: spec.dst,
            starts_at: spec.starts_at,
            ends_at: spec.ends_at,
            ..Plan::read(&spec.cron, &spec.timezone, name, anchor)?
        })
    }

    /// The plan of a stored schedule, as seen at `now`. A beginning of `@every` that lies in the future
    /// is from before the clock was set back and does not count.
    pub fn of_stored(schedule: &Schedule, now: Timestamp) -> Result<Self, Invalid> {
        let anchor = schedule.anchor.min(now);
        Plan::of(schedule.name.as_str(), &schedule.spec, anchor)
    }

    /// The first slot strictly after `from`, within the schedule's start and end.
    pub fn next_after(&self, from: Timestamp) -> Option<Timestamp> {
        // A slot at the very start is in, so the search begins just before.
        let before_start = self
            .starts_at
            .map_or(from, |starts| starts.minus(Span::from_micros(1)));
        self.cron
            .next_after(from.max(before_start), &self.zone, self.dst, self.anchor)
            .filter(|next| self.ends_at.is_none_or(|ends| *next < ends))
    }

    /// The expression in words.
    pub fn words(&self, lang: Lang) -> String {
        self.cron.describe(lang)
    }

    /// Words, the next `n` slots after `from`, and what may surprise. `named` is whether the plan was
    /// asked with the schedule's name.
    pub fn preview(&self, from: Timestamp, n: usize, named: bool, lang: Lang) -> CronPreview {
        let next: Vec<Timestamp> =
            std::iter::successors(self.next_after(from), |at| self.next_after(*at))
                .take(n)
                .collect();
        let mut notes = self.cron.notes(&next, &self.zone, self.dst, lang);
        notes.extend(self.cron.notes_on_asking(named, !next.is_empty(), lang));
        CronPreview {
            description: self.words(lang),
            offsets: next.iter().map(|at| self.zone.offset_at(*at)).collect(),
            notes,
            next,
        }
    }
}

fn at_cron(error: CronError) -> FieldError {
    FieldError {
        pointer: "/cron".to_owned(),
        detail: error.detail,
        position: Some(error.position),
        hint: error.hint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conveyor_model::name::Kind;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn slots_lie_within_start_and_end() {
        let mut spec = ScheduleSpec::new("0 * * * *", Kind::new("a").unwrap());
        spec.starts_at = Some(at("2026-01-02T00:00:00Z"));
        spec.ends_at = Some(at("2026-01-02T02:00:00Z"));
        let plan = Plan::of("s", &spec, Timestamp::MIN).unwrap();
        let slots = plan
            .preview(at("2026-01-01T00:00:00Z"), 5, true, Lang::En)
            .next;
        assert_eq!(
            slots,
            [at("2026-01-02T00:00:00Z"), at("2026-01-02T01:00:00Z")]
        );
    }

    #[test]
    fn both_faults_are_told_with_their_place() {
        let faults = Plan::read("61 * * * *", "Nowhere", "", Timestamp::MIN)
            .unwrap_err()
            .errors;
        assert_eq!(faults[0].pointer, "/cron");
        assert_eq!(faults[0].position, Some(1));
        assert_eq!(faults[1].pointer, "/timezone");
    }
}
