//! Lists of jobs: their filter, their pages, and what is chosen in them.

use super::Template;

pub(super) const FILTERS: &[Template] = &[
    ("a state is one of {}", "состояние — одно из {}"),
    ("an action is one of {}", "действие — одно из {}"),
    ("must be newest or oldest", "допустимо newest или oldest"),
    (
        "a search text has at most {n} characters",
        "текст поиска — не больше {} символов",
    ),
    (
        "is no cursor; take it from `next` of the page before",
        "это не курсор; его берут из `next` предыдущей страницы",
    ),
    ("a range is one of {}", "период — один из {}"),
    ("must be en or ru", "допустимо en или ru"),
    (
        "gap must be after or skip",
        "для пропущенного часа допустимо after или skip",
    ),
    (
        "overlap must be first, last or both",
        "для повторного часа допустимо first, last или both",
    ),
    (
        "a worker's state is run, quiet or stop",
        "состояние воркера — run, quiet или stop",
    ),
    ("select at least one job", "выберите хотя бы одну задачу"),
    (
        "confirm that the selected jobs are to be removed or discarded",
        "подтвердите, что выбранные задачи нужно удалить или отбросить",
    ),
    ("must be the name of the queue", "введите имя очереди точно"),
    (
        "{n} jobs, at most {n} are allowed",
        "задач {}, допустимо не больше {}",
    ),
];
