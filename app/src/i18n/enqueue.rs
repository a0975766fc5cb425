//! The texts of the enqueue form.

texts! {
    lead: "It is stored before the answer comes, and survives whatever happens next.",
        "Она сохранится раньше, чем придёт ответ, и переживёт любой сбой.";
    copied: "The fields are those of job", "Поля взяты из задачи";
    another: "Enqueue and another", "Поставить и ещё одну";
    done: "Job", "Задача";
    done_text: "is enqueued; the form is ready for the next one.", "поставлена; форма готова для следующей.";
    existing_text: "has this key already; nothing was enqueued.", "уже имеет этот ключ; ничего не поставлено.";
    double: "Sent twice by a double click, this form enqueues one job.",
        "Даже при двойном нажатии форма поставит одну задачу.";
}
