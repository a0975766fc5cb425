//! JSON that cannot be read: the parser's own messages, and what the queue asks of a payload.

use super::Template;

/// A fault with its place, as a payload or a whole request has it.
pub(super) const PLACED: &[Template] = &[
    (
        "{json} (line {n}, column {n})",
        "{} (строка {}, столбец {})",
    ),
    ("{json}", "{}"),
];

pub(super) const BODIES: &[Template] = &[
    (
        "the body is not valid JSON: {json} at line {n} column {n}",
        "запрос — не JSON: {} (строка {}, столбец {})",
    ),
    (
        "the body must be a JSON object",
        "запрос должен быть объектом JSON",
    ),
];

pub(super) const FAULTS: &[Template] = &[
    (
        "EOF while parsing a value",
        "текст кончился там, где ожидалось значение",
    ),
    (
        "EOF while parsing an object",
        "текст кончился внутри объекта",
    ),
    ("EOF while parsing a list", "текст кончился внутри списка"),
    ("EOF while parsing a string", "текст кончился внутри строки"),
    ("expected `:`", "ожидается `:`"),
    ("expected `,` or `]`", "ожидается `,` или `]`"),
    ("expected `,` or `}`", "ожидается `,` или `}`"),
    ("expected `\"`", "ожидается `\"`"),
    ("expected ident", "ожидается `true`, `false` или `null`"),
    ("expected value", "ожидается значение"),
    ("trailing comma", "лишняя запятая в конце"),
    ("trailing characters", "лишние символы после значения"),
    (
        "key must be a string",
        "ключ должен быть строкой в двойных кавычках",
    ),
    (
        "control character (\\u0000-\\u001F) found while parsing a string",
        "управляющий символ (\\u0000–\\u001F) в строке; его записывают через `\\`",
    ),
    ("invalid escape", "неизвестная запись символа через `\\`"),
    ("invalid number", "неверная запись числа"),
    ("number out of range", "число вне допустимых пределов"),
    ("invalid unicode code point", "такого символа Unicode нет"),
    (
        "lone leading surrogate in hex escape",
        "непарный суррогат в записи `\\u`",
    ),
    ("unexpected end of hex escape", "запись `\\u` оборвана"),
    ("recursion limit exceeded", "слишком глубокая вложенность"),
    (
        "nested deeper than {n} levels",
        "вложенность глубже {} уровней",
    ),
    (
        "the character NUL (\\u0000) is not allowed",
        "символ NUL (\\u0000) недопустим",
    ),
    (
        "invalid value: expected key to be a number in quotes",
        "ключ должен быть числом в кавычках",
    ),
    (
        "float key must be finite (got NaN or +/-inf)",
        "ключ должен быть конечным числом",
    ),
];
