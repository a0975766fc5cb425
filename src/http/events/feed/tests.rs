//! The numbering of the feed, without a server.

use conveyor_model::event::JobChanged;
use conveyor_model::name::Kind;
use conveyor_model::state::State as JobState;

use super::*;

fn job(id: i64, version: i64) -> Arc<Event> {
    Arc::new(Event::Job(JobChanged {
        id: id.try_into().unwrap(),
        state: Some(JobState::Ready),
        queue: QueueName::default(),
        kind: Kind::new("k").unwrap(),
        version,
    }))
}

fn numbers(feed: &Feed, last: &str) -> Vec<u64> {
    let state = feed.lock();
    let frames = feed.since(&state, last, &[Topic::Jobs]);
    frames.iter().map(|frame| frame.number).collect()
}

#[test]
fn a_reader_that_comes_back_gets_what_it_missed_once() {
    let feed = Feed::default();
    feed.send((1..=5).map(|id| job(id, 1)));
    let id = |number: u64| format!("{}-{number}", feed.epoch());
    assert_eq!(numbers(&feed, &id(3)), [4, 5]);
    assert_eq!(numbers(&feed, &id(5)), [0_u64; 0]);
}

#[test]
fn what_is_not_known_any_more_is_a_resync() {
    let feed = Feed::default();
    let most = u64::try_from(RING).unwrap();
    feed.send((1..=5).map(|id| job(id, 1)));
    let id = |number: u64| format!("{}-{number}", feed.epoch());
    for unknown in [
        "",
        "x",
        "0-1",
        "00000000-3",
        &id(6),
        &id(99),
        &format!("{}-x", feed.epoch()),
    ] {
        assert_eq!(numbers(&feed, unknown), [0], "{unknown}");
    }
    feed.send((1..=4096).map(|id| job(id, 2)));
    assert_eq!(numbers(&feed, &id(4)), [0]);
    assert_eq!(numbers(&feed, &id(5)).len(), RING);
    feed.broken();
    assert_eq!(numbers(&feed, &id(5 + most)), [0]);
    feed.send([job(1, 3)]);
    assert_eq!(numbers(&feed, &id(5 + most)), [0]);
    assert!(feed.stop());
    assert_eq!(numbers(&feed, &id(5 + most + 2)), [0]);
}

#[test]
fn changes_of_one_thing_fold_into_the_last() {
    let (sender, mut changes) = broadcast::channel(16);
    let each = |jobs: &[Arc<Event>]| Changes::Each(jobs.into());
    sender.send(each(&[job(2, 1), job(1, 2)])).unwrap();
    sender.send(each(&[job(1, 3)])).unwrap();
    sender.send(each(&[job(2, 2)])).unwrap();
    let events = gathered(each(&[job(1, 1)]), &mut changes).unwrap();
    assert_eq!(events, [job(1, 3), job(2, 2)]);
}

#[test]
fn what_is_too_much_or_was_missed_is_not_told_in_part() {
    let (sender, mut changes) = broadcast::channel(2);
    let each = |n: i64| Changes::Each((1..=n).map(|id| job(id, 1)).collect());
    sender.send(Changes::Many).unwrap();
    assert_eq!(gathered(each(1), &mut changes), None);
    let burst = i64::try_from(BURST).unwrap();
    assert!(gathered(each(burst), &mut changes).is_some());
    assert_eq!(gathered(each(burst + 1), &mut changes), None);
    for _ in 0..5 {
        sender.send(each(1)).unwrap();
    }
    assert_eq!(gathered(each(1), &mut changes), None, "some were missed");
    assert!(changes.is_empty(), "what is left of them is of no use");
}

#[test]
fn a_frame_is_written_with_its_id() {
    let frame = Frame::new(7, Some(job(1, 2)));
    let text = frame.text("e");
    assert_eq!(
        text,
        "id: e-7\nevent: job\ndata: {\"id\":1,\"state\":\"ready\",\"queue\":\"default\",\"kind\":\"k\",\"version\":2}\n\n"
    );
}
