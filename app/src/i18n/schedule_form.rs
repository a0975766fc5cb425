//! The texts of the form that makes or changes a schedule.

texts! {
    new_title: "New schedule", "Новое расписание";
    edit_title(name): "Edit {name}", "Изменить {name}";
    lead: "Saving never fires by itself; the first job comes at the next slot.",
        "Сохранение само ничего не запускает; первая задача появится в ближайший слот.";
    section_when: "When", "Когда";
    section_what: "What", "Что";
    section_rules: "When things go differently", "Когда что-то идёт не так";

    name: "Name", "Имя";
    name_hint: "Fixed once it is made", "После создания не меняется";
    cron: "Cron expression", "Выражение cron";
    cron_hint: "minute hour day-of-month month day-of-week; seconds may go first. Also @daily, @every 2h30m, L, 15W, 5#2, H",
        "минута час день месяц день-недели; первыми можно указать секунды. Ещё @daily, @every 2h30m, L, 15W, 5#2, H";
    presets: "Common expressions", "Частые выражения";
    zone: "Time zone", "Часовой пояс";
    zone_hint: "UTC, Europe/Berlin, Asia/Yekaterinburg …", "UTC, Europe/Moscow, Asia/Yekaterinburg …";
    starts: "Not before, UTC", "Не раньше, UTC";
    ends: "Not at or after, UTC", "До (не включая), UTC";
    jitter: "Jitter, seconds", "Разброс, секунды";
    jitter_hint: "Each slot fires up to this much later, at most 3600",
        "Каждый слот сработает позже не больше чем на столько, до 3600";
    kind: "Kind", "Вид";
    kind_hint: "Which handler runs the jobs", "Какой обработчик выполняет задачи";
    payload: "Payload (JSON)", "Данные (JSON)";
    payload_hint: "Stored byte for byte; empty means {}", "Хранятся байт в байт; пусто — это {}";
    queue: "Queue", "Очередь";
    priority: "Priority, 0 to 9", "Приоритет, 0–9";
    priority_hint: "9 goes first", "9 идёт первым";
    attempts: "Attempts", "Попытки";
    timeout: "Timeout, seconds", "Предел времени, секунд";
    timeout_hint: "0 means without limit", "0 — без ограничения";
    catch_up: "Slots missed while nothing ran", "Слоты, пропущенные при простое";
    overlap: "The previous job is not finished", "Прошлая задача не завершена";
    gap: "The clock jumps over the time", "Часы перескочили это время";
    twice: "The clock shows the time twice", "Часы показывают это время дважды";
    make_paused: "Keep it paused", "Держать на паузе";

    save_new: "Make the schedule", "Создать расписание";
    save: "Save", "Сохранить";
    check: "Check", "Проверить";
    faults: "Nothing was saved. Please look at the marked fields.",
        "Ничего не сохранено. Проверьте отмеченные поля.";

    preview: "What it means", "Что это значит";
    preview_never: "It never fires.", "Оно никогда не сработает.";
    preview_hint: "Checked as you type.", "Проверяется при вводе.";
    preview_hint_plain: "Press Check to see what it means.", "Чтобы проверить, нажмите «Проверить».";
    try_instead(hint): "Try {hint}", "Попробуйте {hint}";
    at_character(n): "character {n}", "символ {n}";
    next_ten: "Next 10 fires", "Ближайшие 10 срабатываний";
    next_caption: "The next fires", "Ближайшие срабатывания";
    on_both_clocks(zone): "On its clock, {zone}; below, on yours", "По его часам, {zone}; ниже — по вашим";
    fire_time: "Date and time", "Дата и время";
    fire: "Fire", "Срабатывание";

    every_5_minutes: "every 5 minutes", "каждые 5 минут";
    hourly: "every hour", "каждый час";
    nightly: "every night at 3:00", "каждую ночь в 3:00";
    weekdays: "weekdays at 9:00", "по будням в 9:00";
    mondays: "Mondays at 8:00", "по понедельникам в 8:00";
    month_end: "last day of the month", "последний день месяца";
}
