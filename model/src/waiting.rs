//! Why a job is not running: the one cause that holds it now, in both languages.

use serde::{Deserialize, Serialize};

use crate::lang::{Lang, Plural};
use crate::name::{Kind, QueueName};
use crate::time::Timestamp;

/// The cause that holds a waiting job. The first that applies is told, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Cause {
    /// It is due later.
    Scheduled {
        /// When.
        at: Timestamp,
    },
    /// An attempt failed; the next one is due later.
    Backoff {
        /// When.
        at: Timestamp,
        /// The number of the attempt that failed.
        failed: u32,
        /// What it failed with.
        error: String,
    },
    /// Its queue is paused.
    QueuePaused {
        /// The queue.
        queue: QueueName,
        /// Who paused it.
        by: String,
        /// Why, if they said.
        note: Option<String>,
    },
    /// No worker is alive, or none has slots.
    NoWorker,
    /// Workers are alive, but none of them knows this kind or serves this queue.
    NoWorkerForKind {
        /// The kind nobody knows.
        kind: Kind,
        /// The queue it waits in.
        queue: QueueName,
    },
    /// Every worker that could run it is quiet.
    WorkersQuiet,
    /// Other ready jobs go first.
    BehindOthers {
        /// How many, at most 10,000 are counted.
        ahead: u64,
    },
    /// Every slot is taken.
    SlotsBusy {
        /// How many slots there are.
        slots: u64,
    },
    /// It waits for other jobs.
    Blocked,
    /// Nothing holds it: it starts with the next claim.
    StartingNow,
}

/// A [`Cause`] with its sentence and where to look, as REST gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingReason {
    /// The cause with its details.
    #[serde(flatten)]
    pub cause: Cause,
    /// The cause as an English sentence.
    pub text: String,
    /// The page that shows what holds it, as a path.
    pub link: Option<String>,
}

impl Cause {
    /// The cause as a sentence. Instants are written in UTC.
    pub fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.english(),
            Lang::Ru => self.russian(),
        }
    }

    fn english(&self) -> String {
        match self {
            Cause::Scheduled { at } => format!("It is scheduled for {} UTC.", at.civil()),
            Cause::Backoff { at, failed, error } => format!(
                "It waits for its next attempt: attempt {failed} failed with {error}; the next one is due at {} UTC.",
                at.civil()
            ),
            Cause::QueuePaused {
                queue,
                by,
                note: Some(note),
            } => {
                format!("The queue {queue} was paused by {by}: “{note}”.")
            }
            Cause::QueuePaused {
                queue,
                by,
                note: None,
            } => format!("The queue {queue} was paused by {by}."),
            Cause::NoWorker => "No worker is running.".to_owned(),
            Cause::NoWorkerForKind { kind, queue } => {
                format!("No live worker takes the kind {kind} from the queue {queue}.")
            }
            Cause::WorkersQuiet => "Every worker that could run it is quiet.".to_owned(),
            Cause::BehindOthers { ahead } => match Lang::En.plural(*ahead) {
                Plural::One => "One ready job goes first.".to_owned(),
                Plural::Few | Plural::Many => format!("{} ready jobs go first.", about(*ahead)),
            },
            Cause::SlotsBusy { slots } => match Lang::En.plural(*slots) {
                Plural::One => "The only slot is busy.".to_owned(),
                Plural::Few | Plural::Many => format!("All {slots} slots are busy."),
            },
            Cause::Blocked => "It waits for other jobs.".to_owned(),
            Cause::StartingNow => "Nothing holds it: it starts with the next claim.".to_owned(),
        }
    }

    fn russian(&self) -> String {
        match self {
            Cause::Scheduled { at } => format!("Она запланирована на {} UTC.", at.civil()),
            Cause::Backoff { at, failed, error } => format!(
                "Ждёт следующей попытки: попытка {failed} не удалась ({error}); следующая — в {} UTC.",
                at.civil()
            ),
            Cause::QueuePaused {
                queue,
                by,
                note: Some(note),
            } => {
                format!("Очередь {queue} на паузе ({by}): «{note}».")
            }
            Cause::QueuePaused {
                queue,
                by,
                note: None,
            } => format!("Очередь {queue} на паузе ({by})."),
            Cause::NoWorker => "Ни один воркер не запущен.".to_owned(),
            Cause::NoWorkerForKind { kind, queue } => {
                format!("Ни один живой воркер не берёт вид {kind} из очереди {queue}.")
            }
            Cause::WorkersQuiet => "Все подходящие воркеры в тихом режиме.".to_owned(),
            Cause::BehindOthers { ahead } => {
                let (verb, noun) = match Lang::Ru.plural(*ahead) {
                    Plural::One => ("стоит", "готовая задача"),
                    Plural::Few => ("стоят", "готовые задачи"),
                    Plural::Many => ("стоят", "готовых задач"),
                };
                format!("Впереди {verb} {} {noun}.", about(*ahead))
            }
            Cause::SlotsBusy { slots } => match Lang::Ru.plural(*slots) {
                Plural::One if *slots == 1 => "Единственный слот занят.".to_owned(),
                Plural::One | Plural::Few | Plural::Many => format!("Все слоты заняты ({slots})."),
            },
            Cause::Blocked => "Ждёт других задач.".to_owned(),
            Cause::StartingNow => "Ничто не мешает: начнётся при следующем взятии.".to_owned(),
        }
    }

    /// The page that shows what holds the job, as a path without the base.
    pub fn link(&self) -> Option<String> {
        match self {
            Cause::QueuePaused { .. } => Some("/queues".to_owned()),
            Cause::NoWorker
            | Cause::NoWorkerForKind { .. }
            | Cause::WorkersQuiet
            | Cause::SlotsBusy { .. } => Some("/workers".to_owned()),
            Cause::BehindOthers { .. } => Some("/jobs?state=ready".to_owned()),
            Cause::Scheduled { .. }
            | Cause::Backoff { .. }
            | Cause::Blocked
            | Cause::StartingNow => None,
        }
    }
}

/// A count that stops at 10,000, as it is written.
fn about(count: u64) -> String {
    if count >= 10_000 {
        "10000+".to_owned()
    } else {
        count.to_string()
    }
}

impl From<Cause> for WaitingReason {
    fn from(cause: Cause) -> Self {
        WaitingReason {
            text: cause.text(Lang::En),
            link: cause.link(),
            cause,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noun_follows_the_number() {
        let text = |ahead| Cause::BehindOthers { ahead }.text(Lang::Ru);
        assert_eq!(text(1), "Впереди стоит 1 готовая задача.");
        assert_eq!(text(22), "Впереди стоят 22 готовые задачи.");
        assert_eq!(text(11), "Впереди стоят 11 готовых задач.");
        assert_eq!(
            Cause::BehindOthers { ahead: 10_000 }.text(Lang::En),
            "10000+ ready jobs go first."
        );
    }

    #[test]
    fn a_reason_is_one_flat_object() {
        let json = serde_json::to_value(WaitingReason::from(Cause::NoWorker)).unwrap();
        assert_eq!(json["code"], "no_worker");
        assert_eq!(json["link"], "/workers");
        let back: WaitingReason = serde_json::from_value(json).unwrap();
        assert_eq!(back.cause, Cause::NoWorker);
    }
}
