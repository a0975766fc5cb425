//! The statements that must not slow down as the queue grows use the index meant for them, and sort
//! no jobs.

use conveyor_model::filter::Sort;
use conveyor_model::name::{Priority, Tag};
use conveyor_model::state::State;
use rusqlite::Connection;

use super::path::Way;
use super::{
    ahead, claim, connect, due, finish, insert, job, migrate, moves, promote, prune, queues, renew,
    rescue, schedules,
};

fn plan(conn: &Connection, sql: &str) -> Vec<String> {
    // Its parameters are null.
    let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let mut rows = statement.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get(3).unwrap());
    }
    steps
}

fn empty(folder: &tempfile::TempDir) -> Connection {
    let path = folder.path().join("plans.db");
    connect::prepare(&path).unwrap();
    let conn = connect::writer(&path).unwrap();
    migrate::run(&conn, &path).unwrap();
    conn
}

#[test]
fn recent_runs_are_found_by_their_ids() {
    let folder = tempfile::tempdir().unwrap();
    let whole = plan(&empty(&folder), job::RUNS).join("\n");
    let by_id = "SEARCH job USING INTEGER PRIMARY KEY";
    assert!(
        whole.contains(by_id) && !whole.contains("job_listed"),
        "{whole}"
    );
}

#[test]
fn hot_statements_search_by_their_index_and_sort_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let conn = empty(&folder);
    let list = |way: Way| way.sql(Sort::Newest).unwrap();
    let tags = ["a", "b"].map(|tag| Tag::new(tag).unwrap()).to_vec();
    let mut cases: Vec<(String, &str)> = claim::SQL
        .iter()
        .map(|sql| (sql.clone(), "job_ready (lane=?"))
        .collect();
    cases.extend(
        claim::SQL
            .iter()
            .map(|sql| (sql.clone(), "SEARCH job USING INTEGER PRIMARY KEY")),
    );
    cases.extend([
        (
            finish::SUCCEED.to_owned(),
            "SEARCH job USING INTEGER PRIMARY KEY",
        ),
        (
            job::LAST_ERRORS.to_owned(),
            "SEARCH a USING PRIMARY KEY (id=? AND token=?)",
        ),
        (
            renew::RENEW.to_owned(),
            "SEARCH job USING INTEGER PRIMARY KEY",
        ),
        (
            moves::WRITE.to_owned(),
            "SEARCH job USING INTEGER PRIMARY KEY",
        ),
        (rescue::EXPIRED.to_owned(), "job_listed (state=?)"),
        (
            rescue::PUT_OFF_TO.to_owned(),
            "SEARCH job USING INTEGER PRIMARY KEY",
        ),
        (promote::SCHEDULED.to_owned(), "job_scheduled (run_at<?)"),
        (promote::RETRYING.to_owned(), "job_retrying (run_at<?)"),
        (prune::OLD_DONE.to_owned(), "job_done (finished_at<?)"),
        (prune::OLD_DEAD.to_owned(), "job_died (finished_at<?)"),
        (insert::KEYS.to_owned(), "job_key (idempotency_key=?)"),
        (
            schedules::UNFINISHED.to_owned(),
            "job_schedule_open (schedule=?)",
        ),
        (due::DUE.to_owned(), "schedule_due (next_at<?)"),
        (due::DUE.to_owned(), "job_schedule_open (schedule=?)"),
        (
            queues::OLDEST_READY.to_owned(),
            "job_ready (lane=? AND priority=?)",
        ),
        (ahead::AHEAD.to_owned(), "job_ready (lane=? AND priority>?)"),
        (
            ahead::AHEAD.to_owned(),
            "job_ready (lane=? AND priority=? AND run_at<?)",
        ),
        (list(Way::All), "INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        (
            list(Way::DeadGroup(String::new())),
            "job_dead_group (dead_group=? AND id>? AND id<?)",
        ),
        (
            list(Way::Schedule(String::new())),
            "job_schedule (schedule=? AND id>? AND id<?)",
        ),
        (
            list(Way::Priorities(
                [9, 1].map(|n| Priority::try_from(n).unwrap()).to_vec(),
            )),
            "job_priority (priority=? AND id>? AND id<?)",
        ),
        (
            list(Way::Tags(tags)),
            "PRIMARY KEY (tag=? AND id>? AND id<?)",
        ),
        (
            list(Way::Places(vec![
                (1, State::Dead),
                (2, State::Ready),
                (3, State::Ready),
            ])),
            "job_listed (state=? AND lane=? AND id>? AND id<?)",
        ),
    ]);
    for (sql, expected) in cases {
        let steps = plan(&conn, &sql);
        let whole = steps.join("\n");
        assert!(whole.contains(expected), "{sql}\n{whole}");
        let scans = |step: &String| step.starts_with("SCAN job") && !step.contains("INDEX");
        assert!(!steps.iter().any(scans), "{sql}\n{whole}");
        assert!(
            !whole.contains("TEMP B-TREE FOR ORDER BY"),
            "{sql}\n{whole}"
        );
    }
}
