//! No question costs much, whatever the expression and the zone. Steps are counted, not time.

use crate::cron::calendar::{Budget, WORK};
use crate::cron::parse::Plan;
use crate::cron::{Cron, DstRule, Gap, Overlap, Transition, Utc, Zone, next};
use crate::time::Timestamp;

use super::{Place, at, cron};

fn cost(expr: &str, from: &str, zone: &dyn Zone, dst: DstRule) -> (Option<Timestamp>, u32) {
    let Plan::Calendar(calendar) = cron(expr).plan else {
        panic!("{expr}")
    };
    let mut budget = Budget::full();
    let found = next::next(&calendar, at(from), zone, dst, &mut budget);
    (found, budget.spent())
}

#[test]
fn ordinary_questions_cost_next_to_nothing() {
    let zone = Place::named("Europe/Berlin");
    for expr in [
        "* * * * *",
        "0 9 * * 1-5",
        "30 2 * * *",
        "0 0 1 1 *",
        "0 0 L * *",
        "0 0 13 * 5",
    ] {
        for from in [
            "2026-03-29T00:30:00Z",
            "2026-07-01T00:00:00Z",
            "2026-10-25T00:30:00Z",
        ] {
            let (found, cost) = cost(expr, from, &zone, DstRule::default());
            assert!(found.is_some() && cost < 150, "{expr} {from}: {cost}");
        }
    }
}

#[test]
fn rare_dates_are_found_cheaply() {
    let zone = Place::named("Europe/Berlin");
    let (found, cost) = cost(
        "0 0 29 2 */7",
        "2088-03-01T00:00:00Z",
        &zone,
        DstRule::default(),
    );
    assert_eq!(found, Some(at("2128-02-28T23:00:00Z")));
    assert!(cost < 300, "{cost}");
}

#[test]
fn a_time_that_is_skipped_every_year_ends_in_never() {
    // 02:30 on the last Sunday in March never exists there.
    let zone = Place::named("Europe/Berlin");
    let skip = DstRule {
        gap: Gap::Skip,
        overlap: Overlap::First,
    };
    let from = "2026-01-01T00:00:00Z";
    let (found, spent) = cost("30 2 * 3 sunL", from, &zone, skip);
    assert!(found.is_none() && spent <= WORK, "{found:?} {spent}");
    let (found, spent) = cost("*/5 2 * 3 sunL", from, &zone, DstRule::default());
    assert!(found.is_none() && spent <= WORK, "{found:?} {spent}");
    let (found, _) = cost("30 2 * 3 sunL", from, &zone, DstRule::default());
    assert_eq!(found, Some(at("2026-03-29T01:00:00Z")));
}

#[test]
fn a_mad_clock_cannot_hold_up_an_answer() {
    struct Mad(i64);
    impl Zone for Mad {
        fn offset_at(&self, utc: Timestamp) -> i32 {
            if utc.secs() % 2 == 0 { 50_000 } else { -50_000 }
        }
        fn next_transition(&self, after: Timestamp) -> Option<Transition> {
            let at = Timestamp::from_secs(after.secs() + self.0);
            let after = self.offset_at(at);
            Some(Transition {
                at,
                before: -after,
                after,
            })
        }
    }
    for step in [-1, 0, 1] {
        for overlap in Overlap::ALL {
            let dst = DstRule {
                gap: Gap::Skip,
                overlap,
            };
            for expr in ["0 0 29 2 *", "* * 29 2 *"] {
                let (_, spent) = cost(expr, "2026-01-01T00:00:00Z", &Mad(step), dst);
                assert!(spent <= WORK, "{expr} {step}: {spent}");
            }
        }
    }
}

#[test]
fn fires_of_one_question_are_as_many_as_asked_for() {
    let from = at("2026-01-01T00:00:00Z");
    let every_second = Cron::parse("* * * * * *", "").unwrap();
    assert_eq!(
        every_second
            .upcoming(from, 100, &Utc, DstRule::default(), from)
            .len(),
        100
    );
    assert_eq!(
        every_second.upcoming(Timestamp::MAX, 5, &Utc, DstRule::default(), from),
        []
    );
}
