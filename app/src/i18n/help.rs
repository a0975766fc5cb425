//! The texts of the help page.

texts! {
    title: "Help", "Справка";
    lead: "Shortcuts, and what the words mean.", "Горячие клавиши и значение слов.";
    keys: "Keyboard", "Клавиатура";
    keys_note: "Letters are keys of the keyboard, whatever layout is active; they do nothing while you type.",
        "Буквы — это клавиши клавиатуры при любой раскладке; во время ввода текста они не действуют.";
    then: "then", "затем";
    focus_search: "Search", "Поиск";
    next_row: "Next row", "Следующая строка";
    previous_row: "Previous row", "Предыдущая строка";
    open_row: "Open the row", "Открыть строку";
    pick_row: "Select the row", "Выбрать строку";
    unpick: "Close what is open, or clear the selection", "Закрыть открытое или снять выбор";
    new_job: "Enqueue a job", "Поставить задачу";
    toggle_live: "Pause or resume live updates", "Приостановить или возобновить обновления";
    this_help: "This help", "Эта справка";
    go_to(page): "Go to: {page}", "Перейти: {page}";

    words: "Words", "Слова";
    job: "Job", "Задача";
    job_text: "One piece of work: a kind (which handler runs it), a payload, a queue and a priority from 0 to 9; 9 goes first.",
        "Единица работы: вид (какой обработчик её выполняет), данные, очередь и приоритет от 0 до 9; 9 идёт первым.";
    attempt: "Attempt", "Попытка";
    attempt_text: "One run of a job. A failed one is followed by another after a growing delay, until none is left.",
        "Один запуск задачи. После неудачи следует новая попытка с растущей задержкой, пока они не кончатся.";
    lease: "Lease", "Аренда (lease)";
    lease_text: "The right to run one attempt, kept alive by the worker's heartbeats. When it runs out, the job is rescued.",
        "Право выполнить одну попытку; воркер продлевает его сигналами. Если оно истекло, задачу спасают.";
    dead: "Dead letter", "Dead-letter";
    dead_text: "Jobs that have no attempts left, or were discarded. They stay until a person decides.",
        "Задачи, у которых не осталось попыток или которые отброшены. Они ждут решения человека.";
    schedule: "Schedule", "Расписание";
    schedule_text: "A cron expression in a time zone that enqueues a job at each slot. Slots that were skipped are shown with the reason.",
        "Выражение cron в часовом поясе, которое ставит задачу в каждый слот. Пропущенные слоты показаны с причиной.";
    worker: "Worker", "Воркер";
    worker_text: "A process that takes jobs and runs them, in any language; this server has one built in.",
        "Процесс, который берёт и выполняет задачи, на любом языке; в этот сервер один уже встроен.";
}
