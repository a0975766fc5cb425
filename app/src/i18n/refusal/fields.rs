//! Fields of a request: missing, unknown, or of another type than asked for.

use super::Template;

pub(super) const FIELDS: &[Template] = &[
    ("is required", "поле обязательно"),
    (
        "is required and must not be null",
        "поле обязательно; null не подходит",
    ),
    ("is given twice", "указано дважды"),
    (
        "is not a known field; known are {}",
        "такого поля нет; есть {}",
    ),
    (
        "is not a known field; none is taken here",
        "такого поля нет; полей здесь нет вовсе",
    ),
    ("the request is incomplete", "запрос неполон"),
    (
        "holds {n} tags, at most {n} are allowed",
        "меток {}, допустимо не больше {}",
    ),
    (
        "holds at most 64 strings, 16 KiB together, without NUL characters",
        "допустимо не больше 64 строк, вместе до 16 КиБ, без символа NUL",
    ),
    ("must be a string", "нужен текст в кавычках"),
    ("must be true or false", "нужно true или false"),
    ("must be an array", "нужен список"),
    (
        "must be an object of strings",
        "нужен объект, все значения которого — текст в кавычках",
    ),
    ("must be an object with {}", "нужен объект JSON с полями {}"),
    ("must be one of {}", "допустимо одно из {}"),
    (
        "must not be null; a field left out stays as it is",
        "null не подходит; поле, которого нет в запросе, не меняется",
    ),
];
