//! Notes in Russian.

use crate::cron::field::Place;

use super::{Fate, Note, date, wall};

/// One note as a sentence.
pub(crate) fn say(note: &Note) -> String {
    match *note {
        Note::OnlyValue { place, step, value } => format!(
            "Шаг {step} в поле «{}» не короче самого поля: подходит только значение {value}.",
            field(place)
        ),
        Note::Uneven { place, step } => format!(
            "Шаг {step} в поле «{}» каждый раз начинается заново {}, поэтому промежуток на этом стыке \
             может быть другим.",
            field(place),
            anew(place)
        ),
        Note::Either => "Заданы и день месяца, и день недели: запуск будет, если совпадёт хотя бы \
                         один из них."
            .to_owned(),
        Note::Both => {
            "Одно из полей дня начинается с *, поэтому день должен подходить под оба поля."
                .to_owned()
        }
        Note::LeapYears => "29 февраля бывает только в високосные годы.".to_owned(),
        Note::ShortMonths => "Месяцы, в которых нет такого дня, пропускаются.".to_owned(),
        Note::FifthWeekday => "Пятый по счёту день недели есть не в каждом месяце.".to_owned(),
        Note::Often => "Запускается чаще, чем раз в 10 секунд.".to_owned(),
        Note::Unnamed => {
            "H вычисляется по имени расписания: укажите имя, чтобы увидеть его время.".to_owned()
        }
        Note::NoMore => "После этого времени запусков больше не будет.".to_owned(),
        Note::Moved { from, to, fate } => {
            let (day, old, new) = (date(from), wall(from, from), wall(to, from));
            match fate {
                Fate::Once => forward(
                    &day,
                    &old,
                    &new,
                    &format!("вместо запусков в этом промежутке будет один, в {new}"),
                ),
                Fate::Skipped => forward(
                    &day,
                    &old,
                    &new,
                    "запуски в этом промежутке будут пропущены",
                ),
                Fate::NoTime => forward(
                    &day,
                    &old,
                    &new,
                    "времени между ними не существует, и запусков за него не будет",
                ),
                Fate::FirstTime => back(&day, &old, &new, "только в первый раз"),
                Fate::SecondTime => back(&day, &old, &new, "только во второй раз"),
                Fate::BothTimes => back(&day, &old, &new, "оба раза"),
            }
        }
    }
}

fn forward(day: &str, old: &str, new: &str, fate: &str) -> String {
    format!("{day} часы переводят вперёд с {old} на {new}: {fate}.")
}

fn back(day: &str, old: &str, new: &str, when: &str) -> String {
    format!(
        "{day} часы переводят назад с {old} на {new}: время между ними наступает дважды, а запуск \
         будет {when}."
    )
}

fn field(place: Place) -> &'static str {
    match place {
        Place::Second => "секунды",
        Place::Minute => "минуты",
        Place::Hour => "часы",
        Place::Day => "день месяца",
        Place::Month => "месяц",
        Place::Weekday => "день недели",
    }
}

/// When a field's values start anew.
fn anew(place: Place) -> &'static str {
    match place {
        Place::Second => "с новой минутой",
        Place::Minute => "с новым часом",
        Place::Hour => "с новым днём",
        Place::Day => "с новым месяцем",
        Place::Month => "с новым годом",
        Place::Weekday => "с новой неделей",
    }
}
