//! Fires where the clock is moved.

use crate::cron::{Cron, DstRule, Gap, Overlap, Utc};

use super::{Place, Table, at, check, fires};

fn check_in(zone: &str, expr: &str, from: &str, wanted: &[&str]) {
    check(&Place::named(zone), expr, from, wanted);
}

fn rule(gap: Gap, overlap: Overlap) -> DstRule {
    DstRule { gap, overlap }
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
