//! Advice on what to write in a cron expression.

use super::Template;

pub(super) const HINTS: &[Template] = &[
    (
        "a comma stands between two values",
        "запятая стоит между двумя значениями",
    ),
    ("midnight is 0", "полночь — это 0"),
    (
        "the full hour or minute is 0",
        "ровный час или ровная минута — это 0",
    ),
    (
        "Sunday is 0 or 7, Monday is 1",
        "воскресенье — 0 или 7, понедельник — 1",
    ),
    ("write * for any", "любое значение записывают как *"),
    (
        "values are never negative",
        "отрицательных значений не бывает",
    ),
    (
        "L after the day, as in 5L, is the last one of the month",
        "L после дня, как в 5L, — последний такой день месяца",
    ),
    (
        "names have three letters: {}",
        "название — из трёх букв: {}",
    ),
    ("L and W cannot be combined", "L и W вместе не используются"),
    (
        "put a day before it: 5L is the last Friday",
        "поставьте перед ней день: 5L — последняя пятница",
    ),
    (
        "L and W belong in the day of month",
        "L и W пишут в поле дня месяца",
    ),
    (
        "H stands for a value hashed from the schedule's name",
        "H — значение, вычисленное по имени расписания",
    ),
    (
        "write 1 to 12 or JAN to DEC",
        "допустимо от 1 до 12 или от JAN до DEC",
    ),
    (
        "write 0 to 7 or SUN to SAT",
        "допустимо от 0 до 7 или от SUN до SAT",
    ),
    (
        "a range is two values, as in 1-5; a comma begins another one",
        "диапазон — это два значения, как в 1-5; следующий начинают с запятой",
    ),
    (
        "# and L follow a single day of the week: 5#2, 5L",
        "# и L стоят после одного дня недели: 5#2, 5L",
    ),
    (
        "W follows a single day of the month: 15W",
        "W стоит после одного дня месяца: 15W",
    ),
    (
        "bounds are written H(0-29)",
        "границы записывают так: H(0-29)",
    ),
    (
        "leave out everything from here on; there is no field for years",
        "уберите всё с этого места; поля для года нет",
    ),
    (
        "separate fields by plain blanks or tabs",
        "поля разделяют обычными пробелами или табуляцией",
    ),
    (
        "write numbers with the digits 0 to 9",
        "числа записывают цифрами от 0 до 9",
    ),
    ("write numbers without a sign", "числа записывают без знака"),
    ("write whole numbers", "числа должны быть целыми"),
    (
        "write a range with a plain hyphen: -",
        "диапазон записывают обычным дефисом: -",
    ),
    (
        "February has 28 or 29 days; L is its last day",
        "в феврале 28 или 29 дней; L — его последний день",
    ),
    (
        "April, June, September and November have 30 days; L is a month's last day",
        "в апреле, июне, сентябре и ноябре 30 дней; L — последний день месяца",
    ),
    (
        "a schedule knows times only, no starts",
        "расписание знает только время, а не запуски системы",
    ),
    (
        "write whole numbers with d, h, m and s, as in @every 2h30m",
        "пишите целые числа с d, h, m и s, как в @every 2h30m",
    ),
];
