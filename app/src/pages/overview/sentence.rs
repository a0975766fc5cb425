//! The overview in one sentence: first whether things move, then what is the matter.

use conveyor_model::lang::Lang;
use conveyor_model::state::State;
use conveyor_model::stats::{Attention, Overview};
use conveyor_model::time::Span;

use crate::i18n::{length, overview as text, word};

/// A job that is due this long and not running is a matter of its own.
pub(super) const TOO_LONG: Span = Span::from_secs(30);

/// The sentence, without a stop at its end.
pub(super) fn of(data: &Overview, lang: Lang) -> String {
    let mut sentence = course(data, lang);
    let matters = matters(data, lang);
    for matter in matters.iter().take(2) {
        sentence.push_str("; ");
        sentence.push_str(matter);
    }
    sentence
}

fn course(data: &Overview, lang: Lang) -> String {
    let ready = data.counts.of(State::Ready);
    if data.workers == 0 {
        return if ready == 0 {
            text::no_worker(lang).to_owned()
        } else {
            text::no_worker_waits(lang, &word::jobs_wait(lang, ready))
        };
    }
    match &data.oldest_ready {
        Some(oldest) if oldest.age_s > TOO_LONG => {
            text::waits_long(lang, &oldest.queue, &length::length(lang, oldest.age_s))
        }
        Some(_) => text::moving(lang).to_owned(),
        None if data.counts.of(State::Running) == 0 && data.rate_out == 0.0 => {
            if only_paused(data) {
                text::nothing_runs(lang).to_owned()
            } else {
                text::quiet(lang).to_owned()
            }
        }
        None => text::moving(lang).to_owned(),
    }
}

/// Whether jobs wait, but only where somebody wants them to.
pub(super) fn only_paused(data: &Overview) -> bool {
    let paused = |matter: &Attention| matches!(matter, Attention::Paused { .. });
    data.oldest_ready.is_none() && data.attention.iter().any(paused)
}

fn matters(data: &Overview, lang: Lang) -> Vec<String> {
    let mut matters = Vec::new();
    if let Some(kind) = &data.failing_kind {
        matters.push(text::kind_fails(lang, kind));
    } else if fails_more(data) {
        matters.push(text::failing_more(lang).to_owned());
    }
    let mut paused = Vec::new();
    for matter in &data.attention {
        match matter {
            Attention::Paused { queue, .. } => paused.push(queue),
            Attention::NoWorker { kind, queue, .. } => matters.push(match queue {
                Some(queue) => text::nobody_takes_from(lang, kind, queue),
                None => text::nobody_takes(lang, kind),
            }),
            Attention::Stopped { schedule, .. } => {
                matters.push(text::schedule_stopped(lang, schedule));
            }
            Attention::WorkerLost { .. } => matters.push(text::worker_lost(lang).to_owned()),
            Attention::Dead { .. } | Attention::Skipped { .. } => {}
        }
    }
    match paused.as_slice() {
        [] => {}
        [queue] => matters.push(text::queue_paused(lang, queue)),
        several => {
            let n = u64::try_from(several.len()).unwrap_or(u64::MAX);
            matters.push(text::queues_paused(lang, n));
        }
    }
    matters
}

/// Whether attempts fail clearly more than in the hour before.
pub(super) fn fails_more(data: &Overview) -> bool {
    match (data.failing, data.failing_before) {
        (Some(now), Some(before)) => now > 0.02 && now > before * 2.0,
        (Some(now), None) => now > 0.05,
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use conveyor_model::name::{Kind, QueueName};
    use conveyor_model::queue::Pause;
    use conveyor_model::stats::OldestReady;
    use conveyor_model::time::Timestamp;

    use super::*;

    fn busy() -> Overview {
        Overview {
            workers: 1,
            rate_out: 4.0,
            ..Overview::default()
        }
    }

    #[test]
    fn it_says_what_is_the_matter() {
        let mut data = busy();
        assert_eq!(of(&data, Lang::En), "Everything is moving");
        data.failing_kind = Some(Kind::new("webhook.call").unwrap());
        assert_eq!(
            of(&data, Lang::En),
            "Everything is moving; webhook.call is failing more than usual"
        );
        assert_eq!(
            of(&data, Lang::Ru),
            "Всё движется; webhook.call падает чаще обычного"
        );
    }

    #[test]
    fn a_standstill_is_never_called_moving() {
        let mut data = busy();
        data.workers = 0;
        assert_eq!(of(&data, Lang::En), "No worker is running");
        data.workers = 1;
        data.rate_out = 0.0;
        assert!(of(&data, Lang::En).starts_with("All is quiet"));
        data.oldest_ready = Some(OldestReady {
            queue: QueueName::new("mail").unwrap(),
            age_s: Span::from_secs(134),
        });
        assert!(of(&data, Lang::En).starts_with("Jobs wait too long: in mail for 2"));
    }

    #[test]
    fn what_waits_in_a_paused_queue_is_not_passed_over() {
        let mut data = busy();
        data.rate_out = 0.0;
        data.attention = vec![Attention::Paused {
            queue: QueueName::new("billing").unwrap(),
            pause: Pause {
                by: "Anna".to_owned(),
                note: None,
                since: Timestamp::default(),
                until: None,
            },
            waiting: 3,
        }];
        assert_eq!(
            of(&data, Lang::En),
            "Nothing runs; the queue billing is paused"
        );
        assert!(only_paused(&data));
    }
}
