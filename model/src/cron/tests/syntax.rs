//! What is read and what is refused, where and with which advice.

use crate::cron::Cron;

use super::cron;

fn fault(text: &str) -> (usize, String, Option<String>) {
    match Cron::parse(text, "x") {
        Ok(_) => panic!("{text:?} was accepted"),
        Err(fault) => (fault.position, fault.detail, fault.hint),
    }
}

#[test]
fn faults_are_found_where_they_are() {
    for (text, position) in [
        ("", 1),
        ("   ", 1),
        ("* * * *", 8),
        ("* * * * * * * *", 13),
        ("* * * * * * 2026", 13),
        ("60 * * * *", 1),
        ("* 24 * * *", 3),
        ("* * 0 * *", 5),
        ("* * 32 * *", 5),
        ("* * * 0 *", 7),
        ("* * * 13 *", 7),
        ("* * * * 8", 9),
        ("60 * * * * *", 1),
        ("*/0 * * * *", 3),
        ("*/-5 * * * *", 3),
        ("*/ * * * *", 3),
        ("5-1 * * * *", 1),
        ("1-5-7 * * * *", 4),
        (", * * * *", 1),
        ("1,,2 * * * *", 3),
        ("1, * * * *", 3),
        ("-1 * * * *", 1),
        ("+5 * * * *", 1),
        ("1.5 * * * *", 2),
        ("٥ * * * *", 1),
        ("５ * * * *", 1),
        ("0 0 1 JANUARY *", 7),
        ("0 0 * * MONDAY", 9),
        ("0 0 1 MON *", 7),
        ("99999999999999999999 * * * *", 1),
        ("*/99999999999999999999 * * * *", 3),
        ("0 0 * * *; rm -rf /", 10),
        ("0\u{a0}0 * * *", 2),
        ("0 0 * * *\n", 10),
        ("0 0 * * \0", 9),
        ("0 22-2 * * *", 3),
        ("0 0 ? * *", 5),
        ("R * * * *", 1),
        ("0 0 LW * *", 5),
        ("0 0 L-0 * *", 7),
        ("0 0 L-31 * *", 7),
        ("0 0 32W * *", 5),
        ("0 0 1-5W * *", 8),
        ("0 0 * * 5#0", 11),
        ("0 0 * * 5#6", 11),
        ("0 0 * * 1-5#2", 12),
        ("0 0 * * L", 9),
        ("L * * * *", 1),
        ("5L * * * *", 2),
        ("0 0 * * sat-mon", 9),
        ("0 0 * * 5#", 11),
        ("H(0-60) * * * *", 5),
        ("H(9-3) * * * *", 1),
        ("H(1-3 * * * *", 6),
        ("H- * * * *", 2),
        ("H5 * * * *", 2),
        ("1/2/3 * * * *", 4),
        ("** * * * *", 2),
        ("*5 * * * *", 2),
        ("/5 * * * *", 1),
        ("5- * * * *", 3),
        ("1@ * * * *", 2),
        ("@", 1),
        ("@reboot", 1),
        ("@dailyx", 1),
        ("@daily 5", 8),
        ("@every", 7),
        ("@every 5", 9),
        ("@every 0s", 8),
        ("@every 1m2h", 11),
        ("@every 1h1h", 11),
        ("@every 2h 30m", 11),
        ("@every 1.5h", 9),
        ("@every h", 8),
        ("@every 367d", 8),
        ("@every 99999999999999999999h", 8),
        ("é 0 60 * *", 1),
        ("0 0 1–5 * *", 6),
        ("0 0 30 2 *", 5),
        ("0 0 31 4 *", 5),
        ("0 0 31 2,4,6,9,11 *", 5),
        ("0 0 0 30 2 *", 7),
        ("0 0 L-30 4 *", 5),
        ("0 0 31W 6 *", 5),
        ("0 0 30-31/1 2 */2", 5),
    ] {
        assert_eq!(fault(text).0, position, "{text:?}: {}", fault(text).1);
    }
}

#[test]
fn advice_says_what_to_write() {
    for (text, advice) in [
        ("0 22-2 * * *", "22-23,0-2"),
        ("50-10 * * * *", "50-59,0-10"),
        ("0 0 * 12-1 *", "12,1"),
        ("0 0 * * sat-mon", "6,0-1"),
        ("0 0 * * 7-2", "0-2"),
        ("* 24 * * *", "midnight is 0"),
        ("* * * * 8", "Sunday is 0 or 7, Monday is 1"),
        ("0 0 ? * *", "write * for any"),
        ("0 0 1 JANUARY *", "names have three letters: JAN"),
        ("0 0 * * tues", "names have three letters: TUE"),
        (
            "0 0 30 2 *",
            "February has 28 or 29 days; L is its last day",
        ),
        ("0\u{a0}0 * * *", "separate fields by plain blanks or tabs"),
        ("٥ * * * *", "write numbers with the digits 0 to 9"),
        ("0 0 1–5 * *", "write a range with a plain hyphen: -"),
        ("0 0 LW * *", "L and W cannot be combined"),
        ("*/-5 * * * *", "values are never negative"),
    ] {
        assert_eq!(fault(text).2.as_deref(), Some(advice), "{text:?}");
    }
    let (_, detail, _) = fault("0 0 31 2,4,6,9,11 *");
    assert_eq!(
        detail,
        "no such date exists: none of the chosen months has such a day"
    );
    let (_, detail, _) = fault("* 24 * * *");
    assert_eq!(detail, "hour must be 0 to 23, not 24");
}

#[test]
fn other_writings_mean_the_same() {
    for (text, plain) in [
        ("05 * * * *", "5 * * * *"),
        ("\t0  9 *\t* *  ", "0 9 * * *"),
        ("0 0 1 JAN *", "0 0 1 1 *"),
        ("0 0 1 jan-mar *", "0 0 1 1-3 *"),
        ("0 0 * * MON-FRI", "0 0 * * 1-5"),
        ("0 0 * * SUN-SAT", "0 0 * * 0-6"),
        ("0 0 * * fri-sun", "0 0 * * 5-7"),
        ("0 0 * * 5-7", "0 0 * * 5,6,0"),
        ("0 0 * * 7", "0 0 * * 0"),
        ("0 0 * * Sun", "0 0 * * 0"),
        ("0 0 * * sun-sun", "0 0 * * 0"),
        ("0 0 * * 5-7/2", "0 0 * * 5,7"),
        ("0 0 * * friL", "0 0 * * 5L"),
        ("0 0 l-3 * *", "0 0 L-3 * *"),
        ("0 9 * * *", "0 0 9 * * *"),
        ("0 1-3,2-4 * * *", "0 1-4 * * *"),
        ("0 0007 * * *", "0 7 * * *"),
        ("@EVERY 1H30M", "@every 5400s"),
        ("@every\t \t1d", "@every 24h"),
    ] {
        assert_eq!(cron(text).plan, cron(plain).plan, "{text:?}");
        assert_eq!(cron(text).to_string(), text);
    }
}

#[test]
fn a_hashed_value_depends_on_the_name_alone() {
    let minute = |text: &str, seed: &str| match Cron::parse(text, seed).unwrap().plan {
        crate::cron::parse::Plan::Calendar(calendar) => calendar.minute.set,
        crate::cron::parse::Plan::Every(_) => 0,
    };
    // Fixed for ever: a release that changed this would move everybody's schedules.
    assert_eq!(minute("H * * * *", "nightly-report").trailing_zeros(), 53);
    assert_eq!(minute("H * * * *", "cleanup").trailing_zeros(), 3);
    let mut met = 0;
    for n in 0..600 {
        let seed = format!("schedule-{n}");
        let one = minute("H * * * *", &seed);
        assert_eq!(one.count_ones(), 1);
        met |= one;
        let some = minute("H/15 * * * *", &seed);
        assert_eq!(some.count_ones(), 4);
        assert!(some.trailing_zeros() < 15);
        assert!(minute("H(0-29) * * * *", &seed).trailing_zeros() < 30);
        let some = minute("H(10-29)/10 * * * *", &seed);
        assert_eq!((some.count_ones(), some & 0x3ff), (2, 0));
        let both = minute("0,H(30-31) * * * *", &seed);
        assert_eq!((both.count_ones(), both & 1), (2, 1));
        Cron::parse("H H H 2 H", &seed).unwrap();
    }
    assert_eq!(met.count_ones(), 60, "every minute gets its share");
}

#[test]
fn a_long_text_is_read_or_refused_by_its_length() {
    let list = vec!["5"; 4000].join(",") + " * * * *";
    assert_eq!(cron(&list).plan, cron("5 * * * *").plan);
    let most = format!("0 0 * * *{}", " ".repeat(32 * 1024 - 9));
    cron(&most);
    assert_eq!(fault(&(most + " ")).0, 32 * 1024 + 1);
    assert_eq!(fault(&"٥".repeat(40_000)).0, 16 * 1024 + 1);
}

#[test]
fn a_number_too_large_is_told_as_it_was_written() {
    for (text, written) in [
        ("99999999999999999999 * * * *", "not 99999999999999999999"),
        ("*/99999999999999999999 * * * *", "not 99999999999999999999"),
        ("0 0 L-70000 * *", "not 70000"),
    ] {
        let fault = Cron::parse(text, "").unwrap_err();
        assert!(fault.detail.ends_with(written), "{}", fault.detail);
    }
}
