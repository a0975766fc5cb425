//! What holds for every expression, zone and instant.

use std::collections::HashMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::cron::calendar::Calendar;
use crate::cron::parse::Plan;
use crate::cron::{Cron, DstRule, Gap, Overlap, Utc, Zone};
use crate::lang::Lang;
use crate::time::{Civil, Timestamp};

use super::{Place, at, cron};

const ZONES: [&str; 30] = [
    "UTC",
    "Europe/Berlin",
    "Europe/London",
    "Europe/Dublin",
    "Europe/Moscow",
    "Europe/Istanbul",
    "Europe/Lisbon",
    "America/New_York",
    "America/Los_Angeles",
    "America/Toronto",
    "America/St_Johns",
    "America/Havana",
    "America/Santiago",
    "America/Sao_Paulo",
    "America/Caracas",
    "America/Nuuk",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Africa/Monrovia",
    "Asia/Kathmandu",
    "Asia/Kolkata",
    "Asia/Tehran",
    "Asia/Gaza",
    "Asia/Pyongyang",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Australia/Adelaide",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Antarctica/Troll",
];

fn rules() -> impl Strategy<Value = DstRule> {
    let gap = prop::sample::select(Gap::ALL.as_slice());
    let overlap = prop::sample::select(Overlap::ALL.as_slice());
    (gap, overlap).prop_map(|(gap, overlap)| DstRule { gap, overlap })
}

/// One field: mostly stars and values, sometimes lists, ranges and steps.
fn field(min: u8, max: u8) -> impl Strategy<Value = String> {
    let value = move || min..=max;
    let item = prop_oneof![
        4 => Just("*".to_owned()),
        4 => value().prop_map(|n| n.to_string()),
        1 => (value(), value()).prop_map(|(a, b)| format!("{}-{}", a.min(b), a.max(b))),
        1 => (1u8..=20).prop_map(|n| format!("*/{n}")),
        1 => (value(), 1u8..=20).prop_map(|(a, n)| format!("{a}/{n}")),
    ];
    prop::collection::vec(item, 1..3).prop_map(|items| items.join(","))
}

/// An expression whose hours are often those in which clocks are moved.
fn expressions() -> impl Strategy<Value = String> {
    let hour = prop_oneof![
        field(0, 23),
        prop::sample::select(&["0", "1", "2", "1,2", "0-3", "23"][..]).prop_map(str::to_owned)
    ];
    let day = prop_oneof![
        6 => Just("*".to_owned()),
        2 => field(1, 31),
        1 => prop::sample::select(&["L", "L-2", "15W", "1W,L"][..]).prop_map(str::to_owned),
    ];
    let weekday = prop_oneof![
        6 => Just("*".to_owned()),
        2 => field(0, 7),
        1 => prop::sample::select(&["0L", "7#1", "6#2,0", "fri-sun"][..]).prop_map(str::to_owned),
    ];
    let month = prop_oneof![6 => Just("*".to_owned()), 1 => field(1, 12)];
    let second = prop_oneof![8 => Just(String::new()), 1 => field(0, 59).prop_map(|s| s + " ")];
    (second, field(0, 59), hour, day, month, weekday)
        .prop_map(|(s, m, h, d, mo, w)| format!("{s}{m} {h} {d} {mo} {w}"))
}

/// The thirty zones with the moves of their clocks.
static CLOCKS: LazyLock<Vec<(Place, Vec<Timestamp>)>> = LazyLock::new(|| {
    let clocks = ZONES.into_iter().map(Place::named);
    clocks
        .map(|zone| {
            let moves = moves(&zone);
            (zone, moves)
        })
        .collect()
});

/// No clock in use repeats more than this, in seconds.
const LONGEST_OVERLAP: i64 = 4 * 3600;

/// Every move of a zone's clock in the years before and after today.
fn moves(zone: &dyn Zone) -> Vec<Timestamp> {
    let next = |from: Timestamp| zone.next_transition(from).map(|change| change.at);
    let all = std::iter::successors(next(at("1970-01-02T00:00:00Z")), |from| next(*from));
    all.take_while(|at| at.civil().year < 2040).collect()
}

fn shifted(at: Timestamp, secs: i64) -> Timestamp {
    Timestamp::from_micros(at.micros() + secs * 1_000_000)
}

/// The wall clock's field values at an instant, tested one by one: slow and simple.
fn matches(calendar: &Calendar, wall: i64) -> bool {
    let civil = Civil::from_epoch_secs(wall);
    let has = |set: u64, n: u8| set & 1 << n != 0;
    has(calendar.second.set, civil.second)
        && has(calendar.minute.set, civil.minute)
        && has(calendar.hour.set, civil.hour)
        && has(calendar.month.set, civil.month)
        && has(calendar.days(civil.year, civil.month), civil.day)
}

/// The fires in `(from, to]` by looking at every second that ends a minute or is asked for. It knows
/// the clock only through the offset at each instant.
fn scan(calendar: &Calendar, zone: &dyn Zone, dst: DstRule, from: i64, to: i64) -> Vec<i64> {
    let step = if calendar.second.set == 1 { 60 } else { 1 };
    let wall = |utc: i64| utc + i64::from(zone.offset_at(Timestamp::from_secs(utc)));
    // Long enough before to know what the clock has shown already.
    let early = from.div_euclid(60) * 60 - LONGEST_OVERLAP;
    let interval = calendar.minute.star || calendar.hour.star;
    let mut fires = Vec::new();
    let mut shown = i64::MIN;
    let mut utc = early;
    while utc <= to {
        let here = wall(utc);
        // The wall clock before this step; more than a step away means it was moved.
        let jumped = shown != i64::MIN && here - shown > step;
        let again = here <= shown;
        let later = || (1..=LONGEST_OVERLAP / step).any(|n| wall(utc + n * step) == here);
        let fires_here = matches(calendar, here)
            && (interval
                || match dst.overlap {
                    Overlap::First => !again,
                    Overlap::Last => !later(),
                    Overlap::Both => true,
                });
        let lost = || (1..(here - shown) / step).any(|n| matches(calendar, shown + n * step));
        let fires_late = jumped && !interval && dst.gap == Gap::After && lost();
        if utc > from && (fires_here || fires_late) {
            fires.push(utc);
        }
        shown = shown.max(here);
        utc += step;
    }
    fires
}

fn calendar(cron: &Cron) -> Option<Calendar> {
    match cron.plan {
        Plan::Calendar(calendar) => Some(calendar),
        Plan::Every(_) => None,
    }
}

#[test]
fn the_next_fire_is_always_later_around_every_move_of_thirty_clocks() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut cases = 0;
    for (index, (name, (zone, changes))) in ZONES.into_iter().zip(CLOCKS.iter()).enumerate() {
        for (n, change) in changes.iter().copied().enumerate() {
            for skip in 0..8 {
                let expr = expressions().new_tree(&mut runner).unwrap().current();
                let dst = rules().new_tree(&mut runner).unwrap().current();
                let offset =
                    i64::try_from((index * 7919 + n * 104_729 + skip * 1_299_709) % 15_000)
                        .unwrap()
                        - 7_500;
                let Ok(cron) = Cron::parse(&expr, name) else {
                    continue;
                };
                let mut from = shifted(change, offset);
                for _ in 0..3 {
                    let Some(next) = cron.next_after(from, zone, dst, from) else {
                        break;
                    };
                    assert!(next > from, "{expr} in {name} after {from}: {next}");
                    from = next;
                    cases += 1;
                }
            }
        }
    }
    assert!(cases > 10_000, "{cases}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        max_shrink_iters: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_fires_are_those_a_clock_watcher_sees(
        expr in expressions(),
        dst in rules(),
        zone in 0..ZONES.len(),
        pick in any::<prop::sample::Index>(),
        offset in -5_400i64..5_400,
    ) {
        // Monrovia's clock was moved by a part of a minute, which a watcher of minutes cannot see.
        prop_assume!(ZONES[zone] != "Africa/Monrovia");
        let Ok(cron) = Cron::parse(&expr, "x") else { return Ok(()) };
        let Some(calendar) = calendar(&cron) else { return Ok(()) };
        let (zone, changes) = &CLOCKS[zone];
        let near = if changes.is_empty() { at("2026-06-01T00:00:00Z") } else { *pick.get(changes) };
        let from = near.secs() + offset;
        let length = if calendar.second.set == 1 { 30 * 3600 } else { 2 * 3600 };
        let wanted = scan(&calendar, zone, dst, from, from + length);
        let mut found = Vec::new();
        let mut at = Timestamp::from_secs(from);
        while let Some(next) = cron.next_after(at, zone, dst, at) {
            prop_assert!(next > at);
            if next.secs() > from + length { break; }
            found.push(next.secs());
            at = next;
        }
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn no_text_makes_the_reader_stumble(text in "[ \t0-9*/,LWHhw#@()a-z٥-]{0,40}", seed in ".{0,8}") {
        match Cron::parse(&text, &seed) {
            Ok(cron) => {
                for lang in Lang::ALL {
                    prop_assert!(!cron.describe(lang).is_empty());
                    cron.notes(&[at("2026-01-01T00:00:00Z")], &Utc, DstRule::default(), lang);
                }
                prop_assert!(cron.next_after(Timestamp::MIN, &Utc, DstRule::default(), Timestamp::MIN).is_some());
            }
            Err(fault) => prop_assert!((1..=text.chars().count() + 1).contains(&fault.position)),
        }
    }
}

#[test]
fn the_same_words_never_stand_for_different_times() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut said: HashMap<String, (String, Vec<Timestamp>)> = HashMap::new();
    let from = at("2026-01-15T10:07:30Z");
    let (mut worded, mut twins) = (0, 0);
    for _ in 0..6_000 {
        let expr = expressions().new_tree(&mut runner).unwrap().current();
        let Ok(cron) = Cron::parse(&expr, "x") else {
            continue;
        };
        let fires = cron.upcoming(from, 40, &Utc, DstRule::default(), from);
        for lang in Lang::ALL {
            let words = cron.describe(lang);
            if words == expr {
                continue;
            }
            worded += 1;
            if let Some((other, others)) = said.get(&words) {
                assert_eq!(&fires, others, "{expr} and {other}: {words}");
                twins += usize::from(*other != expr);
            } else {
                said.insert(words, (expr.clone(), fires.clone()));
            }
        }
    }
    assert!(worded > 3_000 && twins > 100, "{worded} {twins}");
}

#[test]
fn a_scanner_would_notice_a_wrong_answer() {
    let zone = Place::named("America/New_York");
    let calendar = calendar(&cron("30 1 * * *")).unwrap();
    let from = at("2026-11-01T00:00:00Z").secs();
    let both = DstRule {
        gap: Gap::After,
        overlap: Overlap::Both,
    };
    assert_eq!(scan(&calendar, &zone, both, from, from + 86_400).len(), 2);
    assert_eq!(
        scan(&calendar, &zone, DstRule::default(), from, from + 86_400).len(),
        1
    );
}
