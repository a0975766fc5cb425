//! Expressions, instants and the fires that must follow, where the clock is never moved.

use crate::cron::{DstRule, FixedZone, Utc};
use crate::time::Timestamp;

use super::{at, check, cron};

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
