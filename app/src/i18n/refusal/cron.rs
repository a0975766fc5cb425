//! Cron expressions and time zones.

use super::Template;

/// What is wrong with one field.
pub(super) const FIELDS: &[Template] = &[
    (
        "{place} must be {n} to {n}, not {n}",
        "{}: допустимо от {} до {}, а не {}",
    ),
    ("{place}: a value is missing", "{}: пропущено значение"),
    (
        "{place}: a step must be 1 to {n}, not {n}",
        "{}: шаг — от 1 до {}, а не {}",
    ),
    (
        "{place}: expected {expected}, found nothing",
        "{}: ожидается {}, но здесь ничего нет",
    ),
    (
        "{place}: expected {expected}, found {}",
        "{}: ожидается {}, а стоит {}",
    ),
    ("{place}: expected \"{}\"", "{}: ожидается \"{}\""),
    (
        "{place}: the range {n}-{n} goes backwards",
        "{}: диапазон {}-{} идёт в обратную сторону",
    ),
    (
        "{place}: {} is not a value",
        "{}: {} — недопустимое значение",
    ),
    (
        "{place}: did not expect {} here",
        "{}: символ {} здесь лишний",
    ),
    (
        "day of month: L can go back by 1 to 30 days, not {n}",
        "день месяца: L отступает на 1–30 дней, а не на {}",
    ),
    (
        "day of week: # must be followed by 1 to 5, not {n}",
        "день недели: после # допустимо от 1 до 5, а не {}",
    ),
];

pub(super) const PLACES: &[Template] = &[
    ("second", "секунда"),
    ("minute", "минута"),
    ("hour", "час"),
    ("day of month", "день месяца"),
    ("month", "месяц"),
    ("day of week", "день недели"),
];

pub(super) const EXPECTED: &[Template] = &[
    ("a value", "значение"),
    ("a step", "шаг"),
    (
        "a number of days before the last one",
        "число дней до последнего",
    ),
    ("which one of the month", "номер этого дня недели в месяце"),
];

/// What is wrong with the whole expression, or with its zone.
pub(super) const WHOLE: &[Template] = &[
    (
        "the expression must be at most {n} KiB long",
        "выражение — не длиннее {} КиБ",
    ),
    (
        "the expression is empty; write {shape}",
        "выражение пустое; порядок полей: {}",
    ),
    (
        "too many fields; write {shape}",
        "слишком много полей; их порядок: {}",
    ),
    (
        "{n} of at least {n} fields; write {shape}",
        "полей {}, а нужно не меньше {}; их порядок: {}",
    ),
    (
        "{} has no place in a cron expression",
        "символ {} в выражении cron недопустим",
    ),
    (
        "no such date exists: none of the chosen months has such a day",
        "такой даты нет: ни в одном из выбранных месяцев нет такого дня",
    ),
    (
        "unknown word; write @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually or @every",
        "неизвестное слово; допустимо @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually или @every",
    ),
    ("nothing may follow here", "дальше ничего быть не должно"),
    (
        "{} is no IANA time zone; write one like UTC or Europe/Berlin",
        "часового пояса {} в базе IANA нет; пояс записывают так: UTC или Europe/Moscow",
    ),
];

pub(super) const SHAPES: &[Template] = &[(
    "[second] minute hour day-of-month month day-of-week",
    "[секунда] минута час день-месяца месяц день-недели",
)];

/// What is wrong with the length behind `@every`.
pub(super) const LENGTHS: &[Template] = &[
    ("expected a number and a unit", "ожидается число с единицей"),
    (
        "a unit is one of d, h, m, s, each at most once and the longest first",
        "единица — d, h, m или s, каждая не больше одного раза, от большей к меньшей",
    ),
    (
        "the length must be at most {n} days",
        "промежуток — не больше {} дней",
    ),
    (
        "the length must be at least 1s",
        "промежуток — не меньше 1s",
    ),
    (
        "@every needs a length of time",
        "после @every нужен промежуток времени",
    ),
];
