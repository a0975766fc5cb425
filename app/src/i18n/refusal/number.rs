//! Numbers, lengths and times.

use super::Template;

pub(super) const NUMBERS: &[Template] = &[
    ("must be a whole number", "нужно целое число"),
    (
        "must be a whole number from {n} to {n}",
        "нужно целое число от {} до {}",
    ),
    ("must be a number", "нужно число"),
    ("must be a number, 0 or more", "нужно число не меньше 0"),
    (
        "must be a number from {n} to {n}",
        "нужно число от {} до {}",
    ),
    (
        "must be a number of seconds, 0 or more",
        "нужно число секунд, не меньше 0",
    ),
    (
        "must be at most {n} seconds",
        "допустимо не больше {} секунд",
    ),
    (
        "must be at most {n} seconds (30 days)",
        "допустимо не больше {} секунд (30 дней)",
    ),
    (
        "must be at most {n} seconds (30 days); 0 means without limit",
        "допустимо не больше {} секунд (30 дней); 0 — без ограничения",
    ),
    (
        "must be at most {n} seconds (ten years)",
        "допустимо не больше {} секунд (десять лет)",
    ),
    ("must be 1 to {n} minutes", "допустимо от 1 до {} минут"),
    ("must have at most {n} bytes", "допустимо не больше {} байт"),
    ("a date and a time are required", "нужны и дата, и время"),
    (
        "{time}; write a time like 2026-11-30T09:00:00Z",
        "{}; время записывают так: 2026-11-30T09:00:00Z",
    ),
    (
        "it has had {n} attempt already; at least {n} is needed",
        "попытка уже была ({}); нужно не меньше {}",
    ),
    (
        "it has had {n} attempts already; at least {n} is needed",
        "попыток уже было {}; нужно не меньше {}",
    ),
    ("must lie in the future", "должно быть в будущем"),
    ("must be after starts_at", "конец должен быть позже начала"),
    (
        "give either delay_s or run_at, not both",
        "укажите либо задержку, либо время, но не оба",
    ),
];

pub(super) const TIMES: &[Template] = &[
    ("not an RFC 3339 time", "это не время в записи RFC 3339"),
    ("the month must be 01 to 12", "месяц — от 01 до 12"),
    (
        "that day does not exist in that month",
        "такого дня в этом месяце нет",
    ),
    (
        "the time of day must be 00:00:00 to 23:59:59",
        "время суток — от 00:00:00 до 23:59:59",
    ),
    (
        "the time must lie in the years 1970 to 9999",
        "год — от 1970 до 9999",
    ),
];
