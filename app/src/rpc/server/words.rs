//! Schedules in the reader's words, and the pages of their forms.

use conveyor_model::cron::CronPreviewRequest;
use conveyor_model::error::{OperatorError, Thing};
use conveyor_model::filter::percent_encode;
use conveyor_model::lang::Lang;
use conveyor_model::name::ScheduleName;
use conveyor_model::operator::{Answer, Operator};
use conveyor_model::schedule::Schedule;

use crate::rpc::schedules::ScheduleView;

/// How many fires a form shows.
pub(crate) const SHOWN_FIRES: usize = 10;

/// A name from a URL; what can be no name names no schedule.
pub(crate) fn known(text: &str) -> Answer<ScheduleName> {
    text.parse()
        .map_err(|_| OperatorError::not_found(Thing::Schedule, text))
}

pub(crate) async fn of(operator: &dyn Operator, schedule: Schedule, lang: &str) -> ScheduleView {
    let words = match lang.parse().unwrap_or_default() {
        Lang::En => schedule.description.clone(),
        Lang::Ru => {
            let preview = operator.preview_cron(CronPreviewRequest::of(&schedule, 1, Lang::Ru));
            preview
                .await
                .map(|preview| preview.description)
                .unwrap_or_default()
        }
    };
    ScheduleView {
        name: schedule.name.to_string(),
        spec: schedule.spec,
        words,
        next_at: schedule.next_at,
        waiting_slot: schedule.waiting_slot,
        fault: schedule.fault,
        last_slot: schedule.last_slot,
        paused_by: schedule.paused_by,
        created_at: schedule.created_at,
        updated_at: schedule.updated_at,
        version: schedule.version,
    }
}

pub(crate) async fn of_all(
    operator: &dyn Operator,
    schedules: Vec<Schedule>,
    lang: &str,
) -> Vec<ScheduleView> {
    let mut views = Vec::with_capacity(schedules.len());
    for schedule in schedules {
        views.push(of(operator, schedule, lang).await);
    }
    views
}

/// Two answers, or the faults of both.
pub(crate) fn both<A, B>(a: Answer<A>, b: Answer<B>) -> Answer<(A, B)> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(OperatorError::Invalid(mut a)), Err(OperatorError::Invalid(b))) => {
            a.errors.extend(b.errors);
            Err(a.into())
        }
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

pub(crate) fn page(name: &str) -> String {
    let mut page = "/schedules/".to_owned();
    percent_encode(name, &mut page);
    page
}

pub(crate) fn form_page(name: &str, version: i64, draft: &str) -> String {
    let form = if version == 0 {
        "/schedules/new".to_owned()
    } else {
        format!("{}/edit", page(name))
    };
    format!("{form}?draft={draft}")
}
