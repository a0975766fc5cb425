//! The texts of the dead letter.

texts! {
    title: "Dead letter", "Dead-letter";
    lead_jobs[n]: ("{n} dead job", "{n} dead jobs"),
        ("{n} задача в dead-letter", "{n} задачи в dead-letter", "{n} задач в dead-letter");
    lead_causes[n]: ("{n} cause", "{n} causes"), ("{n} причина", "{n} причины", "{n} причин");
    caption: "Dead jobs by cause", "Задачи dead-letter по причинам";

    cause: "Cause", "Причина";
    jobs: "Jobs", "Задачи";
    first: "First", "Впервые";
    last: "Last", "В последний раз";
    actions: "Actions", "Действия";
    no_message: "no message", "без сообщения";
    sample: "such as", "например";

    retry_all: "Retry all", "Повторить все";
    retry_some(n): "Try {n} again", "Повторить {n}";
    retry_one: "Retry", "Повторить";
    retry_one_of(id): "Retry job #{id}", "Повторить задачу №{id}";
    delete: "Delete…", "Удалить…";
    delete_title: "Delete these dead jobs?", "Удалить эти задачи?";
    delete_text[n]: (
        "{n} job of this cause goes for good, with its attempts and logs. Retrying it instead would keep it.",
        "{n} jobs of this cause go for good, with their attempts and logs. Retrying them instead would keep them."
    ), (
        "{n} задача с этой причиной исчезнет навсегда вместе с попытками и логами. Повтор её бы сохранил.",
        "{n} задачи с этой причиной исчезнут навсегда вместе с попытками и логами. Повтор бы их сохранил.",
        "{n} задач с этой причиной исчезнут навсегда вместе с попытками и логами. Повтор бы их сохранил."
    );
    delete_do[n]: ("Delete {n} job", "Delete {n} jobs"),
        ("Удалить {n} задачу", "Удалить {n} задачи", "Удалить {n} задач");

    empty_title: "Nothing is dead", "Здесь пусто — и это хорошо";
    empty_text: "A job that has used up its attempts lands here and waits for you: 30 days, unless RETENTION_DEAD says otherwise.",
        "Задача, исчерпавшая попытки, попадёт сюда и подождёт вашего решения: 30 дней, если RETENTION_DEAD не задаёт иного.";
}
