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
        "the text ends where a value is expected",
        "текст кончился там, где ожидалось значение",
    ),
    (
        "the text ends within an object",
        "текст кончился внутри объекта",
    ),
    (
        "the text ends within an array",
        "текст кончился внутри списка",
    ),
    (
        "the text ends within a string",
        "текст кончился внутри строки",
    ),
    ("expected `:`", "ожидается `:`"),
    ("expected `,` or `]`", "ожидается `,` или `]`"),
    ("expected `,` or `}`", "ожидается `,` или `}`"),
    ("expected `\"`", "ожидается `\"`"),
    (
        "expected `true`, `false` or `null`",
        "ожидается `true`, `false` или `null`",
    ),
    ("expected a value", "ожидается значение"),
    (
        "a comma before a closing bracket is not allowed",
        "перед закрывающей скобкой запятая не нужна",
    ),
    (
        "characters follow the value",
        "лишние символы после значения",
    ),
    (
        "key must be a string",
        "ключ должен быть строкой в двойных кавычках",
    ),
    (
        "control character (\\u0000-\\u001F) found while parsing a string",
        "управляющий символ (\\u0000–\\u001F) в строке; его записывают через `\\`",
    ),
    (
        "no such escape after `\\`",
        "неизвестная запись символа через `\\`",
    ),
    (
        "a number is not complete or begins with 0",
        "число не дописано или начинается с 0",
    ),
    (
        "the number is beyond the range of a double",
        "число вне пределов двойной точности",
    ),
    ("invalid unicode code point", "такого символа Unicode нет"),
    (
        "a lone surrogate, `\\ud800` to `\\udfff` without its other half, is not allowed",
        "непарный суррогат, от `\\ud800` до `\\udfff` без второй половины, недопустим",
    ),
    ("nested too deep", "слишком глубокая вложенность"),
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
