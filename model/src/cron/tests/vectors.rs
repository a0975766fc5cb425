//! Expressions, instants and the fires that must follow.

use crate::cron::{Cron, DstRule, FixedZone, Gap, Overlap, Utc, Zone};
use crate::time::Timestamp;

use super::{Place, Table, at, cron, fires};

/// Checks that the fires after `from` are those listed, in the default way over clock changes.
fn check(zone: &dyn Zone, expr: &str, from: &str, wanted: &[&str]) {
    let found = fires(expr, from, zone, DstRule::default(), wanted.len());
    assert_eq!(found, wanted, "{expr} after {from}");
}

fn check_in(zone: &str, expr: &str, from: &str, wanted: &[&str]) {
    check(&Place::named(zone), expr, from, wanted);
}

fn rule(gap: Gap, overlap: Overlap) -> DstRule {
    DstRule { gap, overlap }
}

#[test]
fn either_day_field_is_enough_when_both_are_restricted() {
    check(
        &Utc,
        "30 0 1 * 1",
        "2026-01-01T00:30:00Z",
        &[
            "2026-01-05T00:30",
            "2026-01-12T00:30",
            "2026-01-19T00:30",
            "2026-01-26T00:30",
            "2026-02-01T00:30",
            "2026-02-02T00:30",
        ],
    );
    check(
        &Utc,
        "0 4 1 * 1-5",
        "2019-10-02T12:00:00Z",
        &[
            "2019-10-03T04:00",
            "2019-10-04T04:00",
            "2019-10-07T04:00",
            "2019-10-08T04:00",
            "2019-10-09T04:00",
        ],
    );
    check(
        &Utc,
        "0 0 1-7,14-21 * Wed",
        "2022-05-18T12:00:00Z",
        &[
            "2022-05-19T00:00",
            "2022-05-20T00:00",
            "2022-05-21T00:00",
            "2022-05-25T00:00",
            "2022-06-01T00:00",
        ],
    );
    check(
        &Utc,
        "0 0 13 * 5",
        "2026-01-01T00:00:00Z",
        &[
            "2026-01-02T00:00",
            "2026-01-09T00:00",
            "2026-01-13T00:00",
            "2026-01-16T00:00",
        ],
    );
}

#[test]
fn a_day_field_that_begins_with_a_star_asks_for_both() {
    check(
        &Utc,
        "0 0 */3 * 1-5",
        "2024-04-03T12:00:00Z",
        &[
            "2024-04-04T00:00",
            "2024-04-10T00:00",
            "2024-04-16T00:00",
            "2024-04-19T00:00",
            "2024-04-22T00:00",
            "2024-04-25T00:00",
        ],
    );
    check(
        &Utc,
        "0 0 * * */2",
        "2026-01-02T00:00:00Z",
        &[
            "2026-01-03T00:00",
            "2026-01-04T00:00",
            "2026-01-06T00:00",
            "2026-01-08T00:00",
        ],
    );
}

#[test]
fn an_open_step_of_weekdays_ends_on_saturday() {
    check(
        &Utc,
        "0 9 * * 2/2",
        "2026-06-01T00:00:00Z",
        &[
            "2026-06-02T09:00",
            "2026-06-04T09:00",
            "2026-06-06T09:00",
            "2026-06-09T09:00",
            "2026-06-11T09:00",
        ],
    );
}

#[test]
fn months_without_the_day_are_passed_over() {
    check(
        &Utc,
        "0 0 31 4,5 *",
        "2029-03-26T09:22:30Z",
        &["2029-05-31T00:00"],
    );
    check(
        &Utc,
        "0 0 30 1-6 *",
        "2026-01-01T00:00:00Z",
        &[
            "2026-01-30T00:00",
            "2026-03-30T00:00",
            "2026-04-30T00:00",
            "2026-05-30T00:00",
            "2026-06-30T00:00",
        ],
    );
}

#[test]
fn leap_days_are_found_over_eight_years_and_there_is_no_last_year() {
    check(
        &Utc,
        "0 0 29 2 *",
        "2096-02-29T00:00:00Z",
        &["2104-02-29T00:00"],
    );
    check(
        &Utc,
        "0 0 29 2 0#5",
        "2026-01-01T00:00:00Z",
        &["2028-02-29T00:00", "2032-02-29T00:00"],
    );
    // Both at once, on Sundays only: 28 years apart, 40 over the year 2100.
    check(
        &Utc,
        "0 0 29 2 */7",
        "2026-01-01T00:00:00Z",
        &["2032-02-29T00:00", "2060-02-29T00:00"],
    );
    check(
        &Utc,
        "0 0 29 2 */7",
        "2088-03-01T00:00:00Z",
        &["2128-02-29T00:00"],
    );
    check(
        &Utc,
        "0 0 1 1 *",
        "9998-06-01T00:00:00Z",
        &["9999-01-01T00:00"],
    );
    check(
        &Utc,
        "59 59 23 31 12 *",
        "9999-01-01T00:00:00Z",
        &["9999-12-31T23:59:59Z"],
    );
    let after_the_last = cron("0 0 1 1 *").next_after(
        at("9999-06-01T00:00:00Z"),
        &Utc,
        DstRule::default(),
        Timestamp::MIN,
    );
    assert_eq!(after_the_last, None);
}

#[test]
fn every_instant_has_an_answer_or_none() {
    for micros in [i64::MIN, -1, 0, 1, Timestamp::MAX.micros(), i64::MAX] {
        for expr in ["* * * * *", "* * * * * *", "@every 1s", "0 0 29 2 *"] {
            for zone in [FixedZone(0), FixedZone(93_600), FixedZone(-93_600)] {
                let from = Timestamp::from_micros(micros);
                let next = cron(expr).next_after(from, &zone, DstRule::default(), Timestamp::MIN);
                assert!(
                    next.is_none_or(|next| next > from && next >= Timestamp::MIN),
                    "{expr} {micros}"
                );
                assert_eq!(
                    next.is_none(),
                    micros >= Timestamp::MAX.micros(),
                    "{expr} {micros}"
                );
            }
        }
    }
}

#[test]
fn the_search_starts_strictly_after_any_fraction_of_a_second() {
    check(
        &Utc,
        "* * * * * *",
        "2026-01-01T00:00:00.000001Z",
        &["2026-01-01T00:00:01Z"],
    );
    check(
        &Utc,
        "* * * * * *",
        "2026-01-01T00:00:00Z",
        &["2026-01-01T00:00:01Z"],
    );
    check(
        &Utc,
        "0 0 * * *",
        "2025-12-31T23:59:59.999999Z",
        &["2026-01-01T00:00"],
    );
}

#[test]
fn steps_begin_anew_in_each_hour_and_day() {
    let from = "2026-01-01T00:50:00Z";
    check(
        &Utc,
        "*/7 * * * *",
        from,
        &["2026-01-01T00:56", "2026-01-01T01:00", "2026-01-01T01:07"],
    );
    check(
        &Utc,
        "*/40 * * * *",
        from,
        &["2026-01-01T01:00", "2026-01-01T01:40", "2026-01-01T02:00"],
    );
    check(
        &Utc,
        "5/15 * * * *",
        from,
        &[
            "2026-01-01T01:05",
            "2026-01-01T01:20",
            "2026-01-01T01:35",
            "2026-01-01T01:50",
        ],
    );
    check(
        &Utc,
        "0 1/8 * * *",
        from,
        &["2026-01-01T01:00", "2026-01-01T09:00", "2026-01-01T17:00"],
    );
    check(
        &Utc,
        "*/60 * * * *",
        from,
        &["2026-01-01T01:00", "2026-01-01T02:00"],
    );
    check(
        &Utc,
        "10-40/10 * * * *",
        from,
        &[
            "2026-01-01T01:10",
            "2026-01-01T01:20",
            "2026-01-01T01:30",
            "2026-01-01T01:40",
            "2026-01-01T02:10",
        ],
    );
}

#[test]
fn special_days_count_within_their_month() {
    let from = "2026-01-01T00:00:00Z";
    check(
        &Utc,
        "0 0 L * *",
        from,
        &["2026-01-31T00:00", "2026-02-28T00:00", "2026-03-31T00:00"],
    );
    check(
        &Utc,
        "0 0 L-3 * *",
        from,
        &["2026-01-28T00:00", "2026-02-25T00:00"],
    );
    check(
        &Utc,
        "0 0 L-30 * *",
        from,
        &["2026-03-01T00:00", "2026-05-01T00:00"],
    );
    // 15 February and 15 March are Sundays, 15 August is a Saturday.
    check(
        &Utc,
        "0 0 15W 1,2,8 *",
        from,
        &["2026-01-15T00:00", "2026-02-16T00:00", "2026-08-14T00:00"],
    );
    // 1 February is a Sunday, 1 August a Saturday: never into the month before.
    check(
        &Utc,
        "0 0 1W 2,8 *",
        from,
        &["2026-02-02T00:00", "2026-08-03T00:00"],
    );
    // 31 January is a Saturday, 31 May a Sunday: never into the month after.
    check(
        &Utc,
        "0 0 31w * *",
        from,
        &["2026-01-30T00:00", "2026-03-31T00:00", "2026-05-29T00:00"],
    );
    check(
        &Utc,
        "0 0 * * 5#2",
        from,
        &["2026-01-09T00:00", "2026-02-13T00:00"],
    );
    check(
        &Utc,
        "0 0 * * fri#5",
        from,
        &["2026-01-30T00:00", "2026-05-29T00:00"],
    );
    check(
        &Utc,
        "0 0 * * 5L",
        from,
        &["2026-01-30T00:00", "2026-02-27T00:00"],
    );
    check(
        &Utc,
        "0 0 * * sunL,7#1",
        from,
        &["2026-01-04T00:00", "2026-01-25T00:00"],
    );
    check(
        &Utc,
        "0 0 15,L * *",
        from,
        &["2026-01-15T00:00", "2026-01-31T00:00"],
    );
}

#[test]
fn words_stand_for_fields() {
    for (word, fields) in [
        ("@hourly", "0 * * * *"),
        ("@DAILY", "0 0 * * *"),
        ("@midnight", "0 0 * * *"),
        ("@weekly", "0 0 * * 0"),
        ("@Monthly", "0 0 1 * *"),
        ("@yearly", "0 0 1 1 *"),
        ("@annually", "0 0 1 1 *"),
    ] {
        assert_eq!(cron(word).plan, cron(fields).plan, "{word}");
    }
}

#[test]
fn a_fixed_time_in_a_gap_fires_once_after_it() {
    let zone = "America/New_York";
    let from = "2026-03-08T00:00:00Z";
    check_in(
        zone,
        "30 2 * * *",
        from,
        &["2026-03-08T07:00", "2026-03-09T06:30"],
    );
    check_in(
        zone,
        "0 2 * * *",
        from,
        &["2026-03-08T07:00", "2026-03-09T06:00"],
    );
    check_in(
        zone,
        "0 3 * * *",
        from,
        &["2026-03-08T07:00", "2026-03-09T07:00"],
    );
    check_in(
        zone,
        "0,30 2,3 * * *",
        from,
        &["2026-03-08T07:00", "2026-03-08T07:30", "2026-03-09T06:00"],
    );
    check_in(
        zone,
        "*/10 30 2 * * *",
        from,
        &["2026-03-08T07:00", "2026-03-09T06:30"],
    );
    check_in(
        zone,
        "30 2 8 3 *",
        from,
        &["2026-03-08T07:00", "2027-03-08T07:30"],
    );
    check_in(
        zone,
        "15 * * * *",
        "2026-03-08T06:00:00Z",
        &["2026-03-08T06:15", "2026-03-08T07:15", "2026-03-08T08:15"],
    );
}

#[test]
fn a_fixed_time_in_a_gap_can_be_skipped() {
    let zone = Place::named("America/New_York");
    let skip = rule(Gap::Skip, Overlap::First);
    let found = fires("30 2 * * *", "2026-03-07T12:00:00Z", &zone, skip, 2);
    assert_eq!(found, ["2026-03-09T06:30", "2026-03-10T06:30"]);
    let found = fires("30 2,4 * * *", "2026-03-07T12:00:00Z", &zone, skip, 2);
    assert_eq!(found, ["2026-03-08T08:30", "2026-03-09T06:30"]);
}

#[test]
fn a_rhythm_follows_real_time_over_a_repeated_hour() {
    check_in(
        "America/New_York",
        "*/30 * * * *",
        "2026-11-01T05:10:00Z",
        &[
            "2026-11-01T05:30",
            "2026-11-01T06:00",
            "2026-11-01T06:30",
            "2026-11-01T07:00",
            "2026-11-01T07:30",
            "2026-11-01T08:00",
        ],
    );
    check_in(
        "America/New_York",
        "0 * * * *",
        "2026-11-01T04:30:00Z",
        &[
            "2026-11-01T05:00",
            "2026-11-01T06:00",
            "2026-11-01T07:00",
            "2026-11-01T08:00",
        ],
    );
    check_in(
        "America/Los_Angeles",
        "* * * * *",
        "2025-11-02T08:58:30Z",
        &[
            "2025-11-02T08:59",
            "2025-11-02T09:00",
            "2025-11-02T09:01",
            "2025-11-02T09:02",
        ],
    );
    check_in(
        "America/New_York",
        "* * * * *",
        "2026-11-01T06:30:15Z",
        &["2026-11-01T06:31"],
    );
    // The minute begins with a star, the hour is fixed: nothing extra, and both passes.
    check_in(
        "America/New_York",
        "*/20 1 * * *",
        "2026-11-01T05:30:00Z",
        &[
            "2026-11-01T05:40",
            "2026-11-01T06:00",
            "2026-11-01T06:20",
            "2026-11-01T06:40",
            "2026-11-02T06:00",
        ],
    );
    check_in(
        "America/New_York",
        "*/20 2 * * *",
        "2026-03-07T12:00:00Z",
        &["2026-03-09T06:00"],
    );
}

#[test]
fn a_fixed_time_that_comes_twice_fires_once() {
    let zone = "America/New_York";
    check_in(
        zone,
        "30 1 * * *",
        "2026-11-01T00:00:00Z",
        &["2026-11-01T05:30", "2026-11-02T06:30"],
    );
    check_in(
        "Europe/Berlin",
        "5 2 * * *",
        "2024-10-26T12:00:00Z",
        &["2024-10-27T00:05", "2024-10-28T01:05"],
    );
    check_in(
        zone,
        "0 6 * * MON",
        "2021-11-07T12:00:00Z",
        &["2021-11-08T11:00", "2021-11-15T11:00"],
    );
    check_in(
        zone,
        "30 1,2 * * *",
        "2026-11-01T00:00:00Z",
        &["2026-11-01T05:30", "2026-11-01T07:30", "2026-11-02T06:30"],
    );
    // Asked in the middle of either pass.
    check_in(
        zone,
        "30,45 1 * * *",
        "2026-11-01T05:40:00Z",
        &["2026-11-01T05:45", "2026-11-02T06:30"],
    );
    check_in(
        zone,
        "30,45 1 * * *",
        "2026-11-01T06:20:00Z",
        &["2026-11-02T06:30"],
    );
}

#[test]
fn the_pass_of_a_time_that_comes_twice_can_be_chosen() {
    let zone = Place::named("America/New_York");
    let last = rule(Gap::After, Overlap::Last);
    let both = rule(Gap::After, Overlap::Both);
    for (dst, from, wanted) in [
        (
            last,
            "2026-11-01T00:00:00Z",
            ["2026-11-01T06:30", "2026-11-02T06:30"],
        ),
        (
            last,
            "2026-11-01T05:45:00Z",
            ["2026-11-01T06:30", "2026-11-02T06:30"],
        ),
        (
            both,
            "2026-11-01T00:00:00Z",
            ["2026-11-01T05:30", "2026-11-01T06:30"],
        ),
        (
            both,
            "2026-11-01T05:30:00Z",
            ["2026-11-01T06:30", "2026-11-02T06:30"],
        ),
    ] {
        assert_eq!(
            fires("30 1 * * *", from, &zone, dst, 2),
            wanted,
            "{dst:?} {from}"
        );
    }
}

#[test]
fn the_offset_of_the_day_itself_counts() {
    check_in(
        "America/Los_Angeles",
        "* * * 5 *",
        "2022-02-22T18:39:51Z",
        &["2022-05-01T07:00"],
    );
    check_in(
        "America/Toronto",
        "0 9 * * *",
        "2026-03-07T15:00:00Z",
        &["2026-03-08T13:00"],
    );
    check_in(
        "Asia/Kathmandu",
        "0 9 * * *",
        "2026-03-07T15:00:00Z",
        &["2026-03-08T03:15"],
    );
}

#[test]
fn elapsed_time_knows_no_wall_clock() {
    let zone = Place::named("America/New_York");
    let found = fires(
        "@every 2h",
        "2026-03-08T04:00:00Z",
        &zone,
        DstRule::default(),
        3,
    );
    assert_eq!(
        found,
        ["2026-03-08T06:00", "2026-03-08T08:00", "2026-03-08T10:00"]
    );
    let next = |from: &str, anchor: &str| {
        let every = Cron::parse("@every 1h30m", "").unwrap();
        every
            .next_after(at(from), &Utc, DstRule::default(), at(anchor))
            .unwrap()
            .to_string()
    };
    assert_eq!(
        next("2026-01-01T03:10:00Z", "2026-01-01T00:10:00Z"),
        "2026-01-01T04:40:00Z"
    );
    assert_eq!(
        next("2026-01-01T03:09:59Z", "2026-01-01T00:10:00Z"),
        "2026-01-01T03:10:00Z"
    );
    // The anchor itself is no fire, not even when it is still to come.
    assert_eq!(
        next("2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        "2026-01-01T01:30:00Z"
    );
}

#[test]
fn unusual_moves_of_a_clock_are_followed() {
    // Half an hour, both ways.
    check_in(
        "Australia/Lord_Howe",
        "45 1 * * *",
        "2026-04-04T00:00:00Z",
        &["2026-04-04T14:45", "2026-04-05T15:15"],
    );
    check_in(
        "Australia/Lord_Howe",
        "15 2 * * *",
        "2026-10-03T00:00:00Z",
        &["2026-10-03T15:30", "2026-10-04T15:15"],
    );
    // Midnight does not exist.
    check_in(
        "Africa/Cairo",
        "0 0 * * *",
        "2026-04-23T12:00:00Z",
        &["2026-04-23T22:00", "2026-04-24T21:00"],
    );
    // A whole day does not exist: 30 December 2011.
    check_in(
        "Pacific/Apia",
        "0 12 * * *",
        "2011-12-29T12:00:00Z",
        &["2011-12-29T22:00", "2011-12-30T10:00", "2011-12-30T22:00"],
    );
    // Midnight comes twice, the second time on the date before.
    let zone = Table {
        first: 7200,
        moves: vec![(at("2026-10-24T22:00:00Z"), 3600)],
    };
    check(
        &zone,
        "30 23 * * *",
        "2026-10-24T12:00:00Z",
        &["2026-10-24T21:30", "2026-10-25T22:30"],
    );
    check(
        &zone,
        "0 0 * * *",
        "2026-10-24T12:00:00Z",
        &["2026-10-24T23:00", "2026-10-25T23:00"],
    );
}
