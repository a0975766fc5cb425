//! Pages of the jobs list, and actions on what is selected in it.

use conveyor_model::error::{Invalid, OperatorError};
use conveyor_model::filter::{Cursor, JobFilter, JobPage, Page, Sort};
use conveyor_model::job::JobRow;
use conveyor_model::name::JobId;
use conveyor_model::operator::{ActionResult, Answer, Operator};
use conveyor_model::state::Action;
use conveyor_model::time::Timestamp;

use crate::query;
use crate::rpc::jobs::JobList;
use crate::rpc::{Outcome, server};

pub(crate) async fn page(
    operator: &dyn Operator,
    query: &str,
    after: &str,
    before: &str,
) -> Answer<JobList> {
    let pairs = query::pairs(query);
    let pairs = pairs.iter().map(|(name, value)| (&**name, &**value));
    let filter = JobFilter::from_pairs(pairs)?;
    let now = operator.counts().await?.at;
    if !before.is_empty() {
        let turned = JobFilter {
            sort: turned(filter.sort),
            ..filter.clone()
        };
        let page = operator
            .jobs(&turned, &Page::read(None, Some(before))?)
            .await?;
        // Without a further page the first one has been reached, which is shown whole.
        if page.next.is_some() {
            return with_cause(operator, &filter, backward(page, now)).await;
        }
    }
    let after = Some(after).filter(|after| !after.is_empty() && before.is_empty());
    let mut page = operator.jobs(&filter, &Page::read(None, after)?).await?;
    if after.is_none()
        && let Some(job) = called(operator, &filter).await?
    {
        page.total += 1;
        page.items.insert(0, job);
    }
    with_cause(operator, &filter, forward(page, after.is_some(), now)).await
}

/// The job whose id the search text is, unless the text is found in it anyway.
async fn called(operator: &dyn Operator, filter: &JobFilter) -> Answer<Option<JobRow>> {
    let Some(Ok(id)) = filter.text.as_ref().map(|text| text.parse::<JobId>()) else {
        return Ok(None);
    };
    let by_text = JobFilter {
        id: Some(filter.id.unwrap_or(id)),
        ..filter.clone()
    };
    let by_id = JobFilter {
        text: None,
        ..by_text.clone()
    };
    let one = Page::default();
    if by_id.id != Some(id) || !operator.jobs(&by_text, &one).await?.items.is_empty() {
        return Ok(None);
    }
    Ok(operator.jobs(&by_id, &one).await?.items.pop())
}

/// Says what the jobs died of, if they are those of one cause: the first stands for all.
async fn with_cause(
    operator: &dyn Operator,
    filter: &JobFilter,
    mut list: JobList,
) -> Answer<JobList> {
    let first = list.items.first().filter(|_| filter.dead_group.is_some());
    if let Some(first) = first {
        let error = match operator.job(first.id).await {
            Ok(job) => job.last_error,
            // It was deleted since.
            Err(OperatorError::NotFound { .. }) => None,
            Err(error) => return Err(error),
        };
        list.cause = error.map(|error| (error.class, error.message));
    }
    Ok(list)
}

fn turned(sort: Sort) -> Sort {
    match sort {
        Sort::Newest => Sort::Oldest,
        Sort::Oldest => Sort::Newest,
    }
}

fn forward(page: JobPage, further: bool, now: Timestamp) -> JobList {
    JobList {
        before: page
            .items
            .first()
            .filter(|_| further)
            .map(|job| Cursor(job.id)),
        after: page.next,
        items: page.items,
        total: page.total,
        total_capped: page.total_capped,
        search_stopped: page.search_stopped,
        cause: None,
        now,
    }
}

fn backward(mut page: JobPage, now: Timestamp) -> JobList {
    let before = page.next;
    page.items.reverse();
    page.next = page.items.last().map(|job| Cursor(job.id));
    JobList {
        before,
        ..forward(page, false, now)
    }
}

pub(crate) fn chosen(ids: Vec<i64>, action: &str, sure: &str) -> Answer<(Vec<JobId>, Action)> {
    let action = server::name("action", action)?;
    let ids: Vec<JobId> = ids
        .into_iter()
        .filter_map(|id| id.try_into().ok())
        .collect();
    if ids.is_empty() {
        return Err(Invalid::one("/ids", "select at least one job").into());
    }
    if matches!(action, Action::Delete | Action::Discard) && sure != "yes" {
        let detail = "confirm that the selected jobs are to be removed or discarded";
        return Err(Invalid::one("/sure", detail).into());
    }
    Ok((ids, action))
}

pub(crate) fn summary(action: Action, results: &[ActionResult]) -> Outcome {
    let refused: Vec<_> = results
        .iter()
        .filter_map(|one| one.refused.as_ref())
        .collect();
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    Outcome::ActedOn {
        action,
        done: count(results.len() - refused.len()),
        refused: count(refused.len()),
        why: refused.first().map(ToString::to_string),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_removes_jobs_must_be_confirmed() {
        assert!(chosen(vec![1], "delete", "").is_err());
        assert!(chosen(vec![1], "discard", "").is_err());
        assert!(chosen(vec![1], "delete", "yes").is_ok());
        assert!(chosen(vec![1], "retry", "").is_ok());
        assert!(chosen(vec![], "retry", "").is_err());
        assert!(chosen(vec![1], "explode", "").is_err());
    }
}
