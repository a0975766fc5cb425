//! The texts around every page.

texts! {
    product: "Conveyor", "Конвейер";
    overview: "Overview", "Обзор";
    jobs: "Jobs", "Задачи";
    queues: "Queues", "Очереди";
    schedules: "Schedules", "Расписания";
    workers: "Workers", "Воркеры";
    dead: "Dead letter", "Dead-letter";
    more: "More", "Ещё";
    help: "Help", "Справка";
    api: "API", "API";
    enqueue: "Enqueue", "Поставить";
    enqueue_long: "Enqueue a job", "Поставить задачу";
    skip: "Skip to the content", "К содержимому";
    pages: "Pages", "Страницы";
    search: "Search jobs", "Поиск задач";
    search_hint: "kind:email.send state:dead …", "kind:email.send state:dead …";
    display: "Display", "Вид";
    theme: "Theme", "Тема";
    theme_system: "System", "Системная";
    theme_light: "Light", "Светлая";
    theme_dark: "Dark", "Тёмная";
    language: "Language", "Язык";
    times: "Times", "Время";
    utc: "UTC", "UTC";
    local: "Local", "Местное";
    log_out: "Log out", "Выйти";
    server_time: "server time", "время сервера";
    dead_jobs[n]: ("{n} dead job", "{n} dead jobs"),
        ("{n} задача в dead-letter", "{n} задачи в dead-letter", "{n} задач в dead-letter");

    live: "Live", "В эфире";
    connecting: "Connecting", "Соединение";
    reconnecting(n): "Reconnecting ({n})", "Переподключение ({n})";
    paused: "Paused", "Пауза";
    offline: "Offline", "Нет сети";
    pause_live: "Pause live updates", "Приостановить обновления";
    resume_live: "Resume live updates", "Возобновить обновления";
    held[n]: ("{n} change — show", "{n} changes — show"),
        ("{n} изменение — показать", "{n} изменения — показать", "{n} изменений — показать");
    reload_each: "Every 30 s", "Каждые 30 с";
    reload_no_more: "Stop refreshing", "Не обновлять";
    connection_lost: "The connection to the server is lost; what you see may be old.",
        "Связь с сервером потеряна; данные на странице могли устареть.";
    connection_back: "The connection is back.", "Связь восстановлена.";

    missing_title: "There is no such page", "Такой страницы нет";
    missing_text: "The address may be mistyped, or the page is from another version.",
        "Возможно, в адресе опечатка или страница из другой версии.";
    to_overview: "To the overview", "К обзору";

    login_title: "Log in", "Вход";
    login_text: "Conveyor is closed by default. The token is the one the server was started with.",
        "Конвейер по умолчанию закрыт. Токен — тот, с которым запущен сервер.";
    token: "Token", "Токен";
    log_in: "Log in", "Войти";
    login_wrong: "That is not the token of this server.", "Это не токен данного сервера.";
    login_busy: "Too many tries. Wait a minute, then try again.",
        "Слишком много попыток. Подождите минуту и попробуйте снова.";
    login_help: "Where is the token?", "Где взять токен?";
    login_help_text: "In API_TOKEN, or in the file token in the server's data directory; the server also prints a one-click link when it starts in a terminal.",
        "В API_TOKEN или в файле token в каталоге данных сервера; при запуске в терминале сервер также печатает ссылку для входа.";
}
