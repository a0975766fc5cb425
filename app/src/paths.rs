//! The address of every page and form, for links, redirects and tests alike.

use conveyor_model::filter::percent_encode;
use conveyor_model::name::{JobId, QueueName, ScheduleName};
use conveyor_model::state::State;
use conveyor_model::stats::Range;

/// The overview.
pub const OVERVIEW: &str = "/";
/// The list of jobs.
pub const JOBS: &str = "/jobs";
/// The form that enqueues a job.
pub const NEW_JOB: &str = "/jobs/new";
/// The queues.
pub const QUEUES: &str = "/queues";
/// The schedules.
pub const SCHEDULES: &str = "/schedules";
/// The form that makes a schedule.
pub const NEW_SCHEDULE: &str = "/schedules/new";
/// The dead letter.
pub const DEAD: &str = "/dead";
/// The workers.
pub const WORKERS: &str = "/workers";
/// Shortcuts and words.
pub const HELP: &str = "/help";
/// The way in.
pub const LOGIN: &str = "/login";
/// Where the form that ends the session is posted to.
pub const LOGOUT: &str = "/logout";
/// Where the switches of the frame are posted to.
pub const PREFERENCES: &str = "/preferences";

/// The overview over a range.
pub fn overview(range: Range) -> String {
    if range == Range::default() {
        OVERVIEW.to_owned()
    } else {
        format!("{OVERVIEW}?range={}", range.as_str())
    }
}

/// One job.
pub fn job(id: JobId) -> String {
    format!("{JOBS}/{}", id.get())
}

/// The enqueue form, filled in like a job.
pub fn copy_of(id: JobId) -> String {
    format!("{NEW_JOB}?copy={}", id.get())
}

/// One job with the form that changes it.
pub fn edit_job(id: JobId) -> String {
    format!("{JOBS}/{}?edit=1", id.get())
}

/// The jobs in a state.
pub fn jobs_in(state: State) -> String {
    format!("{JOBS}?state={state}")
}

/// The jobs of a queue.
pub fn jobs_of_queue(queue: &QueueName) -> String {
    with(JOBS, "?queue=", queue.as_str())
}

/// A queue's row among the queues.
pub fn queue(queue: &QueueName) -> String {
    format!("{QUEUES}#{}", queue_row(queue))
}

/// The id of that row.
pub fn queue_row(queue: &QueueName) -> String {
    with("queue", "-", queue.as_str())
}

/// The jobs that a schedule enqueued.
pub fn jobs_of_schedule(schedule: &ScheduleName) -> String {
    with(JOBS, "?schedule=", schedule.as_str())
}

/// One schedule.
pub fn schedule(name: &ScheduleName) -> String {
    with(SCHEDULES, "/", name.as_str())
}

/// The schedule of that name; a name from elsewhere is taken as it is.
pub fn schedule_named(name: &str) -> String {
    with(SCHEDULES, "/", name)
}

/// The form that changes a schedule.
pub fn edit_schedule(name: &str) -> String {
    format!("{}/edit", schedule_named(name))
}

/// The form that makes a schedule, with an expression to begin with.
pub fn new_schedule_like(cron: &str) -> String {
    with(NEW_SCHEDULE, "?cron=", cron)
}

/// The jobs of one group of the dead letter.
pub fn dead_group(fingerprint: &str) -> String {
    with(JOBS, "?state=dead&dead_group=", fingerprint)
}

/// The way in that leads back to `return_to`.
pub fn login(return_to: &str) -> String {
    with(LOGIN, "?return_to=", return_to)
}

fn with(base: &str, between: &str, name: &str) -> String {
    let mut path = format!("{base}{between}");
    percent_encode(name, &mut path);
    path
}

/// `path` if it leads to a page of this site, else the overview.
pub fn own(path: &str) -> &str {
    let outside = !path.starts_with('/') || path.starts_with("//") || path.contains('\\');
    if outside || path.contains(char::is_control) {
        OVERVIEW
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_any_characters_is_one_segment() {
        let name = ScheduleName::new("a/b c?д").unwrap();
        assert_eq!(schedule(&name), "/schedules/a%2Fb%20c%3F%D0%B4");
        let queue = QueueName::new("x&state=dead").unwrap();
        assert_eq!(jobs_of_queue(&queue), "/jobs?queue=x%26state%3Ddead");
    }

    #[test]
    fn only_paths_of_this_site_are_returned_to() {
        assert_eq!(own("/jobs?state=dead"), "/jobs?state=dead");
        for foreign in [
            "",
            "jobs",
            "//evil.example",
            "https://evil.example",
            "/\\evil",
            "/a\nb",
        ] {
            assert_eq!(own(foreign), "/", "{foreign:?}");
        }
    }
}
