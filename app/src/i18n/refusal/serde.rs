//! Fields of a request: missing, unknown, or of another type than asked for.

use super::Template;

pub(super) const FIELDS: &[Template] = &[
    ("is required", "поле обязательно"),
    (
        "is required and must not be null",
        "поле обязательно; null не подходит",
    ),
    ("is given twice", "указано дважды"),
    ("must be an object", "нужен объект JSON"),
    (
        "is not a known field; known are {}",
        "такого поля нет; есть {}",
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
    (
        "invalid type: {found}, expected {wanted}",
        "получено: {}; нужно: {}",
    ),
    (
        "invalid value: {found}, expected {wanted}",
        "получено: {}; нужно: {}",
    ),
    (
        "unknown variant `{}`, expected `{}` or `{}`",
        "значения `{}` нет; допустимо `{}` или `{}`",
    ),
    (
        "unknown variant `{}`, expected one of {}",
        "значения `{}` нет; допустимо одно из {}",
    ),
    (
        "unknown field `{}`, expected `{}` or `{}`",
        "поля `{}` нет; есть `{}` и `{}`",
    ),
    ("missing field `{}`", "нет поля `{}`"),
    ("duplicate field `{}`", "поле `{}` указано дважды"),
];

/// What stands in the request.
pub(super) const FOUND: &[Template] = &[
    ("integer `{}`", "целое число `{}`"),
    ("floating point `{}`", "дробное число `{}`"),
    ("boolean `{}`", "`{}`"),
    ("string \"{}\"", "строка \"{}\""),
    ("null", "null"),
    ("sequence", "список"),
    ("map", "объект"),
];

/// What was asked for.
pub(super) const WANTED: &[Template] = &[
    ("i64", "целое число"),
    ("u32", "целое число не меньше 0"),
    ("f64", "число"),
    ("a boolean", "true или false"),
    ("a string", "текст в кавычках"),
    ("a sequence", "список"),
    ("a map", "объект"),
    ("struct DstRule", "объект"),
];
