//! Expressions and their words in both languages.

use crate::lang::Lang;

use super::cron;

const TABLE: &[(&str, &str, &str)] = &[
    ("* * * * *", "every minute", "каждую минуту"),
    ("*/1 * * * *", "every minute", "каждую минуту"),
    ("*/5 * * * *", "every 5 minutes", "каждые 5 минут"),
    ("*/2 * * * *", "every 2 minutes", "каждые 2 минуты"),
    ("0 * * * *", "every hour", "каждый час"),
    ("0 */2 * * *", "every 2 hours", "каждые 2 часа"),
    ("0 */6 * * *", "every 6 hours", "каждые 6 часов"),
    (
        "15 * * * *",
        "at 15 minutes past every hour",
        "на 15-й минуте каждого часа",
    ),
    (
        "1 * * * *",
        "at 1 minute past every hour",
        "на 1-й минуте каждого часа",
    ),
    (
        "5,40 * * * *",
        "at 5 and 40 minutes past every hour",
        "на 5-й и 40-й минуте каждого часа",
    ),
    (
        "*/7 * * * *",
        "at 0, 7, 14, 21, 28, 35, 42, 49 and 56 minutes past every hour",
        "на 0-й, 7-й, 14-й, 21-й, 28-й, 35-й, 42-й, 49-й и 56-й минуте каждого часа",
    ),
    (
        "5/15 * * * *",
        "every 15 minutes starting at minute 5 of each hour",
        "каждые 15 минут, начиная с 5-й минуты каждого часа",
    ),
    (
        "2/20 * * * *",
        "every 20 minutes starting at minute 2 of each hour",
        "каждые 20 минут, начиная со 2-й минуты каждого часа",
    ),
    (
        "0-29 * * * *",
        "every minute from 0 to 29 past every hour",
        "каждую минуту с 0-й по 29-ю каждого часа",
    ),
    ("0 9 * * *", "every day at 09:00", "каждый день в 09:00"),
    (
        "0 9,17 * * *",
        "every day at 09:00 and 17:00",
        "каждый день в 09:00 и 17:00",
    ),
    (
        "0,30 9 * * *",
        "every day at 09:00 and 09:30",
        "каждый день в 09:00 и 09:30",
    ),
    (
        "0 1/8 * * *",
        "every day at 01:00, 09:00 and 17:00",
        "каждый день в 01:00, 09:00 и 17:00",
    ),
    (
        "0 9-17 * * *",
        "every hour from 09:00 to 17:00",
        "каждый час с 09:00 до 17:00",
    ),
    (
        "30 9-17/2 * * *",
        "every 2 hours from 09:30 to 17:30",
        "каждые 2 часа с 09:30 до 17:30",
    ),
    (
        "*/15 9-17 * * 1-5",
        "every 15 minutes from 09:00 to 17:45, Monday to Friday",
        "каждые 15 минут с 09:00 до 17:45, с понедельника по пятницу",
    ),
    (
        "* 8-11,14 * * *",
        "every minute from 08:00 to 11:59 and from 14:00 to 14:59",
        "каждую минуту с 08:00 до 11:59 и с 14:00 до 14:59",
    ),
    (
        "* */6 * * *",
        "every minute, while the hour is 0, 6, 12 or 18",
        "каждую минуту, пока час равен 0, 6, 12 или 18",
    ),
    (
        "5,10 9-17 * * *",
        "at 5 and 10 minutes past every hour from 09:05 to 17:10",
        "на 5-й и 10-й минуте каждого часа, с 09:05 до 17:10",
    ),
    (
        "0 9 * * 1",
        "every Monday at 09:00",
        "каждый понедельник в 09:00",
    ),
    (
        "0 9 * * tue",
        "every Tuesday at 09:00",
        "каждый вторник в 09:00",
    ),
    (
        "0 9 * * 3",
        "every Wednesday at 09:00",
        "каждую среду в 09:00",
    ),
    (
        "0 9 * * 4",
        "every Thursday at 09:00",
        "каждый четверг в 09:00",
    ),
    (
        "0 9 * * 5",
        "every Friday at 09:00",
        "каждую пятницу в 09:00",
    ),
    (
        "0 9 * * 6",
        "every Saturday at 09:00",
        "каждую субботу в 09:00",
    ),
    (
        "@weekly",
        "every Sunday at 00:00",
        "каждое воскресенье в 00:00",
    ),
    (
        "0 9 * * 1,3,5",
        "every Monday, Wednesday and Friday at 09:00",
        "по понедельникам, средам и пятницам в 09:00",
    ),
    (
        "0 9 * * 6,0",
        "every Saturday and Sunday at 09:00",
        "по субботам и воскресеньям в 09:00",
    ),
    (
        "0 9 * * 2-4",
        "Tuesday to Thursday at 09:00",
        "со вторника по четверг в 09:00",
    ),
    (
        "0 9 * * fri-sun",
        "Friday to Sunday at 09:00",
        "с пятницы по воскресенье в 09:00",
    ),
    (
        "*/10 * * * 1",
        "every 10 minutes, on Mondays",
        "каждые 10 минут, по понедельникам",
    ),
    (
        "0 0 1 * *",
        "on the 1st of every month at 00:00",
        "1-го числа каждого месяца в 00:00",
    ),
    (
        "0 0 1,15 * *",
        "on the 1st and the 15th of every month at 00:00",
        "1-го и 15-го числа каждого месяца в 00:00",
    ),
    (
        "0 0 2-7 * *",
        "from the 2nd to the 7th of every month at 00:00",
        "со 2-го по 7-е число каждого месяца в 00:00",
    ),
    (
        "0 0 1,5,10-15 * *",
        "on the 1st and the 5th and from the 10th to the 15th of every month at 00:00",
        "1-го и 5-го числа и с 10-го по 15-е число каждого месяца в 00:00",
    ),
    (
        "0 0 */2 * *",
        "on odd days of every month at 00:00",
        "по нечётным числам каждого месяца в 00:00",
    ),
    (
        "0 0 2/2 * *",
        "on even days of every month at 00:00",
        "по чётным числам каждого месяца в 00:00",
    ),
    (
        "0 0 L * *",
        "on the last day of every month at 00:00",
        "в последний день каждого месяца в 00:00",
    ),
    (
        "0 0 L-1 * *",
        "on the second-to-last day of every month at 00:00",
        "в предпоследний день каждого месяца в 00:00",
    ),
    (
        "0 0 L-3 * *",
        "3 days before the last day of every month at 00:00",
        "за 3 дня до последнего дня каждого месяца в 00:00",
    ),
    (
        "0 9 15W * *",
        "on the weekday nearest to the 15th of every month at 09:00",
        "в ближайший к 15-му числу будний день каждого месяца в 09:00",
    ),
    (
        "0 9 * * 5#2",
        "on the second Friday of every month at 09:00",
        "во вторую пятницу каждого месяца в 09:00",
    ),
    (
        "0 9 * * mon#1",
        "on the first Monday of every month at 09:00",
        "в первый понедельник каждого месяца в 09:00",
    ),
    (
        "0 9 * * 0#3",
        "on the third Sunday of every month at 09:00",
        "в третье воскресенье каждого месяца в 09:00",
    ),
    (
        "0 9 * * 5L",
        "on the last Friday of every month at 09:00",
        "в последнюю пятницу каждого месяца в 09:00",
    ),
    (
        "@yearly",
        "every year on 1 January at 00:00",
        "каждый год 1 января в 00:00",
    ),
    (
        "0 0 29 2 *",
        "on the 29th of February at 00:00",
        "29-го числа февраля в 00:00",
    ),
    (
        "0 0 1 1,7 *",
        "on the 1st of January and July at 00:00",
        "1-го числа января и июля в 00:00",
    ),
    (
        "0 9 * 6-8 1",
        "every Monday from June to August at 09:00",
        "каждый понедельник с июня по август в 09:00",
    ),
    (
        "0 9 * 3,5 *",
        "every day in March and May at 09:00",
        "каждый день в марте и мае в 09:00",
    ),
    (
        "* * * 5 *",
        "every minute, every day in May",
        "каждую минуту, каждый день в мае",
    ),
    (
        "*/5 * 1 * *",
        "every 5 minutes, on the 1st of every month",
        "каждые 5 минут, 1-го числа каждого месяца",
    ),
    (
        "0 0 13 * 5",
        "at 00:00, on the 13th of every month or on Fridays",
        "в 00:00, 13-го числа каждого месяца или каждую пятницу",
    ),
    (
        "30 0 1 * 1,3",
        "at 00:30, on the 1st of every month or on Mondays and Wednesdays",
        "в 00:30, 1-го числа каждого месяца или по понедельникам и средам",
    ),
    (
        "0 0 */16 * 1-5",
        "at 00:00, on the 1st and the 17th of every month, but only if that is a day from Monday to Friday",
        "в 00:00, 1-го и 17-го числа каждого месяца, но только если это день с понедельника по пятницу",
    ),
    (
        "0 0 1,15 * */3",
        "at 00:00, on the 1st and the 15th of every month, but only if that is Wednesday, Saturday or Sunday",
        "в 00:00, 1-го и 15-го числа каждого месяца, но только если это среда, суббота или воскресенье",
    ),
    ("0 0 1-31 * 5", "every day at 00:00", "каждый день в 00:00"),
    ("* * * * * *", "every second", "каждую секунду"),
    ("*/10 * * * * *", "every 10 seconds", "каждые 10 секунд"),
    (
        "30 * * * * *",
        "at 30 seconds past every minute",
        "на 30-й секунде каждой минуты",
    ),
    (
        "30 */5 * * * *",
        "every 5 minutes, at second 30",
        "каждые 5 минут, на 30-й секунде",
    ),
    (
        "*/10 * 9 * * *",
        "every 10 seconds from 09:00:00 to 09:59:50",
        "каждые 10 секунд с 09:00:00 до 09:59:50",
    ),
    (
        "*/10 30 9 * * *",
        "every 10 seconds from 09:30:00 to 09:30:50",
        "каждые 10 секунд с 09:30:00 до 09:30:50",
    ),
    (
        "15 30 9 * * *",
        "every day at 09:30:15",
        "каждый день в 09:30:15",
    ),
    (
        "@every 2h30m",
        "every 2 hours 30 minutes",
        "каждые 2 ч 30 мин",
    ),
    ("@every 1h", "every hour", "каждый час"),
    (
        "@every 90s",
        "every 1 minute 30 seconds",
        "каждые 1 мин 30 с",
    ),
    ("@every 3d", "every 72 hours", "каждые 72 часа"),
    ("@every 1m", "every minute", "каждую минуту"),
    ("@every 21s", "every 21 seconds", "каждые 21 секунду"),
    ("H H * * *", "every day at 18:53", "каждый день в 18:53"),
    // No sure wording: the expression itself.
    (
        "*/10 */2 3-5 * * *",
        "*/10 */2 3-5 * * *",
        "*/10 */2 3-5 * * *",
    ),
    (
        " 1-7,9,20-40 * * * * ",
        "1-7,9,20-40 * * * *",
        "1-7,9,20-40 * * * *",
    ),
    ("0 0 */3 * 5#2", "0 0 */3 * 5#2", "0 0 */3 * 5#2"),
];

#[test]
fn expressions_are_said_in_both_languages() {
    let mut wrong = Vec::new();
    for (expr, en, ru) in TABLE {
        for (lang, wanted) in [(Lang::En, en), (Lang::Ru, ru)] {
            let said = cron(expr).describe(lang);
            if said != *wanted {
                wrong.push(format!("{expr}\n  said   {said}\n  wanted {wanted}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
