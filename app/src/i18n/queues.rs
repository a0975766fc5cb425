//! The texts of the queues page.

texts! {
    title: "Queues", "Очереди";
    none_paused[n]: ("{n} queue, not paused", "{n} queues, none paused"),
        ("{n} очередь, пауз нет", "{n} очереди, пауз нет", "{n} очередей, пауз нет");
    some_paused(paused, queues): "{paused} of {queues} paused", "На паузе {paused} из {queues}";
    ready_in_all[n]: ("{n} job ready", "{n} jobs ready"),
        ("{n} задача готова", "{n} задачи готовы", "{n} задач готово");
    caption: "Queues with what waits in them", "Очереди и что в них ждёт";

    queue: "Queue", "Очередь";
    ready: "Ready", "Готовы";
    running: "Running", "Выполняются";
    scheduled: "Scheduled", "Запланированы";
    retrying: "Retrying", "Ждут повтора";
    dead: "Dead", "Dead-letter";
    oldest: "Oldest ready", "Старейшая";
    flow: "In / out per min", "Вход / выход в мин";
    actions: "Actions", "Действия";

    runs: "Running", "Работает";
    paused: "Paused", "На паузе";
    paused_by(who): "by {who}", "({who})";
    resumes: "resumes", "возобновится";
    recent(n, minutes): "Attempts ended in each of the last {n} whole minutes: {minutes}",
        "Завершено попыток в каждую из последних {n} целых минут: {minutes}";

    pause: "Pause", "Пауза";
    resume: "Resume", "Возобновить";
    pause_title(queue): "Pause {queue}", "Приостановить {queue}";
    pause_text: "Jobs that run now finish; no other is given out until the queue is resumed.",
        "Начатые задачи завершатся; новые не выдаются, пока очередь не возобновят.";
    note: "Note for others", "Заметка для остальных";
    note_hint: "SMTP server moves", "переезд SMTP-сервера";
    until: "Resume by itself", "Возобновить самой";
    until_resumed: "Not until someone resumes it", "Нет, только вручную";
    after_minutes_15: "After 15 minutes", "Через 15 минут";
    after_hour: "After 1 hour", "Через 1 час";
    after_hours_4: "After 4 hours", "Через 4 часа";
    after_day: "After 1 day", "Через 1 день";

    purge: "Purge…", "Очистить…";
    purge_title(queue): "Purge {queue}", "Очистить {queue}";
    purge_text[n]: (
        "Deletes {n} waiting job for good: scheduled, ready or retrying. Running and finished jobs stay.",
        "Deletes {n} waiting jobs for good: scheduled, ready and retrying. Running and finished jobs stay."
    ), (
        "Безвозвратно удалит {n} ожидающую задачу: запланированную, готовую или ждущую повтора. Остальные останутся.",
        "Безвозвратно удалит {n} ожидающие задачи: запланированные, готовые и ждущие повтора. Остальные останутся.",
        "Безвозвратно удалит {n} ожидающих задач: запланированных, готовых и ждущих повтора. Остальные останутся."
    );
    purge_type: "Type the queue's name to confirm", "Для подтверждения введите имя очереди";
    purge_do: "Delete waiting jobs", "Удалить ожидающие";

    empty_title: "No queues yet", "Очередей пока нет";
    empty_text: "A queue appears when the first job uses it.",
        "Очередь появится, когда в неё попадёт первая задача.";
}
