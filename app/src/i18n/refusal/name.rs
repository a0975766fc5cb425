//! Names and ids.

use super::Template;

pub(super) const NAMES: &[Template] = &[
    (
        "a kind has 1 to 128 characters of A–Z a–z 0–9 . _ : -",
        "вид — от 1 до 128 символов из набора A–Z a–z 0–9 . _ : -",
    ),
    (
        "{thing} has 1 to {n} characters, this one has {n}",
        "{} — от 1 до {} символов, а здесь их {}",
    ),
    (
        "{thing} holds no control characters",
        "{} не содержит управляющих символов",
    ),
    (
        "{thing} neither begins nor ends with a blank",
        "{} не начинается и не кончается пробелом",
    ),
    (
        "an idempotency key has 1 to 255 bytes, this one has {n}",
        "ключ идемпотентности — от 1 до 255 байт, а здесь их {}",
    ),
    (
        "a job id is a whole number from 1",
        "номер задачи — целое число от 1",
    ),
    (
        "a priority is a whole number from 0 to 9, 9 goes first",
        "приоритет — целое число от 0 до 9; 9 идёт первым",
    ),
];

pub(super) const THINGS: &[Template] = &[
    ("a queue name", "имя очереди"),
    ("a tag", "метка"),
    ("a worker name", "имя воркера"),
    ("a schedule name", "имя расписания"),
    ("an idempotency key", "ключ идемпотентности"),
];
