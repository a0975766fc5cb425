//! Notes, in both languages.

use crate::cron::{Cron, CronPreviewRequest, DstRule, Gap, Overlap, Utc, Zone};
use crate::lang::Lang;

use super::{Place, at, cron};

fn notes(expr: &str, from: &str, zone: &dyn Zone, dst: DstRule, lang: Lang) -> Vec<String> {
    cron(expr).preview(at(from), 5, zone, dst, lang).notes
}

fn always(expr: &str, lang: Lang) -> Vec<String> {
    notes(expr, "2026-06-01T00:00:00Z", &Utc, DstRule::default(), lang)
}

#[test]
fn ordinary_expressions_need_no_note() {
    for expr in [
        "*/5 * * * *",
        "0 9 * * 1-5",
        "0 0 1 * *",
        "@every 10s",
        "*/10 * * * * *",
        "0 */6 * * *",
    ] {
        assert_eq!(always(expr, Lang::En), [""; 0], "{expr}");
    }
}

#[test]
fn surprises_of_an_expression_are_named() {
    for (expr, en, ru) in [
        (
            "*/7 * * * *",
            "The step 7 in the minute field starts anew every hour, so the gap across that border \
             can be of another length.",
            "Шаг 7 в поле «минуты» каждый раз начинается заново с новым часом, поэтому промежуток \
             на этом стыке может быть другим.",
        ),
        (
            "*/60 * * * *",
            "The step 60 in the minute field is as long as the field itself: it reaches only 0.",
            "Шаг 60 в поле «минуты» не короче самого поля: подходит только значение 0.",
        ),
        (
            "0 0 13 * 5",
            "The day of the month and the day of the week are both set: it fires when either matches.",
            "Заданы и день месяца, и день недели: запуск будет, если совпадёт хотя бы один из них.",
        ),
        (
            "0 0 29 2 *",
            "29 February exists only in leap years.",
            "29 февраля бывает только в високосные годы.",
        ),
        (
            "0 0 31 * *",
            "Months without such a day are left out.",
            "Месяцы, в которых нет такого дня, пропускаются.",
        ),
        (
            "0 0 * * 5#5",
            "Not every month has a fifth one of a weekday.",
            "Пятый по счёту день недели есть не в каждом месяце.",
        ),
        (
            "*/5 * * * * *",
            "It fires more often than every 10 seconds.",
            "Запускается чаще, чем раз в 10 секунд.",
        ),
    ] {
        assert_eq!(always(expr, Lang::En), [en], "{expr}");
        assert_eq!(always(expr, Lang::Ru), [ru], "{expr}");
    }
    for expr in ["@every 9s", "5,55 * * * * *", "0,59 59,0 * * * *"] {
        let often = always(expr, Lang::En)
            .iter()
            .any(|note| note.contains("10 seconds"));
        assert_eq!(often, expr != "5,55 * * * * *", "{expr}");
    }
    let both = always("0 0 */2 * 1-5", Lang::En);
    assert_eq!(
        both[1],
        "One of the day fields begins with *, so a day must match both of them."
    );
    let ru = always("0 0 */2 * 1-5", Lang::Ru);
    assert_eq!(
        ru[1],
        "Одно из полей дня начинается с *, поэтому день должен подходить под оба поля."
    );
}

#[test]
fn moves_of_the_clock_are_told_with_their_date() {
    let zone = Place::named("America/New_York");
    let (spring, autumn) = ("2026-03-07T12:00:00Z", "2026-10-31T12:00:00Z");
    let rule = |gap, overlap| DstRule { gap, overlap };
    let plain = DstRule::default();
    let skip = rule(Gap::Skip, Overlap::First);
    for (expr, from, dst, en, ru) in [
        (
            "30 2 * * *",
            spring,
            plain,
            "On 2026-03-08 the clock jumps from 02:00 to 03:00: what was due in between fires once, at 03:00.",
            "2026-03-08 часы переводят вперёд с 02:00 на 03:00: вместо запусков в этом промежутке будет один, в 03:00.",
        ),
        (
            "30 2 * * *",
            spring,
            skip,
            "On 2026-03-08 the clock jumps from 02:00 to 03:00: what was due in between is skipped.",
            "2026-03-08 часы переводят вперёд с 02:00 на 03:00: запуски в этом промежутке будут пропущены.",
        ),
        (
            "0 * * * *",
            "2026-03-08T05:30:00Z",
            plain,
            "On 2026-03-08 the clock jumps from 02:00 to 03:00: the times in between do not exist, nothing fires for them.",
            "2026-03-08 часы переводят вперёд с 02:00 на 03:00: времени между ними не существует, и запусков за него не будет.",
        ),
        (
            "30 1 * * *",
            autumn,
            plain,
            "On 2026-11-01 the clock goes back from 02:00 to 01:00: the times in between come twice and fire only the first time.",
            "2026-11-01 часы переводят назад с 02:00 на 01:00: время между ними наступает дважды, а запуск будет только в первый раз.",
        ),
        (
            "30 1 * * *",
            autumn,
            rule(Gap::After, Overlap::Last),
            "On 2026-11-01 the clock goes back from 02:00 to 01:00: the times in between come twice and fire only the second time.",
            "2026-11-01 часы переводят назад с 02:00 на 01:00: время между ними наступает дважды, а запуск будет только во второй раз.",
        ),
        (
            "*/30 * * * *",
            "2026-11-01T04:50:00Z",
            plain,
            "On 2026-11-01 the clock goes back from 02:00 to 01:00: the times in between come twice and fire both times.",
            "2026-11-01 часы переводят назад с 02:00 на 01:00: время между ними наступает дважды, а запуск будет оба раза.",
        ),
    ] {
        assert_eq!(notes(expr, from, &zone, dst, Lang::En), [en], "{expr}");
        assert_eq!(notes(expr, from, &zone, dst, Lang::Ru), [ru], "{expr}");
    }
}

#[test]
fn moves_that_touch_no_fire_are_not_mentioned() {
    let zone = Place::named("America/New_York");
    for (expr, from) in [
        ("0 9 * * *", "2026-03-07T12:00:00Z"),
        ("0 3 * * *", "2026-03-07T12:00:00Z"),
        ("30 1 * * *", "2026-03-07T12:00:00Z"),
        ("30 2 * * *", "2026-03-08T12:00:00Z"),
        ("30 2 * * *", "2026-10-30T12:00:00Z"),
        ("*/5 * * * *", "2026-03-08T03:00:00Z"),
        ("@every 2h", "2026-03-08T03:00:00Z"),
    ] {
        assert_eq!(
            notes(expr, from, &zone, DstRule::default(), Lang::En),
            [""; 0],
            "{expr}"
        );
    }
}

#[test]
fn a_jump_over_midnight_shows_both_dates() {
    let zone = Place::named("Pacific/Apia");
    let said = notes(
        "0 12 * * *",
        "2011-12-29T12:00:00Z",
        &zone,
        DstRule::default(),
        Lang::En,
    );
    assert_eq!(
        said,
        [
            "On 2011-12-30 the clock jumps from 00:00 to 2011-12-31 00:00: what was due in between fires \
         once, at 2011-12-31 00:00.",
        ]
    );
}

#[test]
fn notes_can_be_made_for_fires_at_hand() {
    let zone = Place::named("America/New_York");
    let daily = Cron::parse("30 2 * * *", "x").unwrap();
    let next = [at("2026-03-08T07:00:00Z"), at("2026-03-09T06:30:00Z")];
    assert_eq!(
        daily
            .notes(&next, &zone, DstRule::default(), Lang::En)
            .len(),
        1
    );
    assert_eq!(
        daily
            .notes(&next[1..], &zone, DstRule::default(), Lang::En)
            .len(),
        0
    );
    assert_eq!(
        daily.notes(&[], &zone, DstRule::default(), Lang::En).len(),
        0
    );
}

#[test]
fn a_preview_request_has_defaults_and_no_unknown_fields() {
    let request: CronPreviewRequest = serde_json::from_str(r#"{"cron": "@daily"}"#).unwrap();
    assert_eq!(
        (request.timezone.as_str(), request.n, request.lang),
        ("UTC", 10, Lang::En)
    );
    assert!(
        serde_json::from_str::<CronPreviewRequest>(r#"{"cron": "@daily", "tz": "UTC"}"#).is_err()
    );
    let full = concat!(
        r#"{"cron":"@daily","timezone":"UTC","from":"2026-01-01T00:00:00Z","n":2,"lang":"ru","#,
        r#""name":"nightly","dst":{"gap":"skip","overlap":"both"},"#,
        r#""starts_at":"2026-01-02T00:00:00Z","ends_at":"2026-01-03T00:00:00Z"}"#
    );
    let request: CronPreviewRequest = serde_json::from_str(full).unwrap();
    assert_eq!(serde_json::to_string(&request).unwrap(), full);
    let rule: DstRule = serde_json::from_str(r#"{"overlap": "both"}"#).unwrap();
    assert_eq!(
        rule,
        DstRule {
            gap: Gap::After,
            overlap: Overlap::Both
        }
    );
    for overlap in Overlap::ALL {
        assert_eq!(overlap.to_string().parse(), Ok(overlap));
        assert_eq!(
            serde_json::to_string(&overlap).unwrap(),
            format!("\"{overlap}\"")
        );
    }
    for gap in Gap::ALL {
        assert_eq!(gap.to_string().parse(), Ok(gap));
        assert_eq!(serde_json::to_string(&gap).unwrap(), format!("\"{gap}\""));
    }
    assert!("both".parse::<Gap>().is_err());
}
