use std::collections::BTreeMap;
use std::fmt::Debug;

use conveyor_model::error::{Invalid, OperatorError, Thing};
use conveyor_model::event::{Event, Topic};
use conveyor_model::json::JsonText;
use conveyor_model::name::{JobId, Kind, QueueName};
use conveyor_model::state::{Action, State};
use conveyor_model::stats::{Attention, Counts, Overview};
use conveyor_model::time::Timestamp;
use conveyor_model::waiting::{Cause, WaitingReason};
use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::rpc::{Outcome, RpcError};

/// Written by `serde_json`, both readers give the same.
#[track_caller]
fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string_pretty(value).unwrap();
    assert_eq!(&read::<T>(&text).unwrap(), value, "{text}");
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&read::<T>(&text).unwrap(), value, "{text}");
}

#[test]
fn every_sort_of_value_is_read() {
    same(&(1_u8, -7_i64, 0.25_f64, 1e300, true, 'ж', ()));
    same(&(u64::MAX, i64::MIN, Some(3_u32), None::<u32>));
    same(&vec![Some("a\"b\\c\n\u{1F600}".to_owned()), None]);
    same(&BTreeMap::from([(State::Ready, 3_u64), (State::Dead, 0)]));
    same(&BTreeMap::from([("}]".to_owned(), vec![vec![1], vec![]])]));
    same(&Ok::<Option<u8>, String>(None));
    same(&Err::<u8, String>("x".to_owned()));
    assert_eq!(read::<String>(r#" "\u00e9\\" "#).unwrap(), "é\\");
}

#[test]
fn what_pages_get_is_read() {
    let id = JobId::try_from(i64::MAX).unwrap();
    let (kind, queue) = (
        Kind::new("a.b").unwrap(),
        QueueName::new("a/b c?д").unwrap(),
    );
    let at = Timestamp::from_secs(1_800_000_000);
    same(&Outcome::Acted {
        id,
        action: Action::Retry,
        result: id,
    });
    same(&Outcome::ActedOn {
        action: Action::Run,
        done: 1,
        refused: 0,
        why: None,
    });
    same(&RpcError::SignedOut);
    same(&RpcError::Operator(OperatorError::DiskFull));
    same(&RpcError::Operator(OperatorError::not_found(
        Thing::Job,
        "7",
    )));
    same(&RpcError::Operator(
        Invalid::one("/kind", "is missing").into(),
    ));
    same(&Counts::default());
    same(&Topic::Queue(queue.clone()));
    same(&Event::Queue {
        queue: queue.clone(),
    });
    for cause in [
        Cause::Scheduled { at },
        Cause::Backoff {
            at,
            failed: 2,
            error: "x".to_owned(),
        },
        Cause::NoWorker,
        Cause::NoWorkerForKind {
            kind: kind.clone(),
            queue: queue.clone(),
        },
        Cause::SlotsBusy { slots: 3 },
    ] {
        same(&WaitingReason::from(cause));
    }
    same(&Attention::NoWorker {
        kind,
        queue: None,
        waiting: 3,
    });
    same(&Attention::Paused {
        queue,
        pause: serde_json::from_str(
            r#"{"by":"a","note":null,"since":"2026-11-30T00:00:00Z","until":null}"#,
        )
        .unwrap(),
        waiting: 1,
    });
}

#[derive(Debug, PartialEq, Deserialize)]
struct Mixed {
    b: Option<u8>,
    #[serde(default)]
    c: Vec<u8>,
    a: JsonText,
}

#[test]
fn fields_stand_in_any_order_and_unknown_ones_are_stepped_over() {
    let text = r#"{"z":{"a":["}"]}, "a" : {"n": 1e2, "n":[ ]} ,"b":7}"#;
    let mixed: Mixed = read(text).unwrap();
    assert_eq!(mixed.a.as_str(), r#"{"n": 1e2, "n":[ ]}"#);
    assert_eq!((mixed.b, mixed.c), (Some(7), Vec::new()));
    assert!(read::<Mixed>(r#"{"b":7}"#).is_err(), "a is missing");
    assert!(
        read::<Mixed>(r#"{"a":1,"b":"7"}"#).is_err(),
        "b is no number"
    );
}

#[test]
fn what_is_no_json_of_that_type_is_refused() {
    for text in [
        "",
        " ",
        "<html>",
        "{",
        "[",
        "[1",
        "[1,",
        "\"",
        "\"a",
        "nul",
        "{\"a\":",
        "{\"a\"}",
        "}",
        "{\"Operator\"",
        "\"SignedOut",
        "\"SignedOut\"x",
        "\"Nobody\"",
        "{\"Transport\":7}",
    ] {
        assert!(read::<RpcError>(text).is_err(), "{text}");
        assert!(read::<Overview>(text).is_err(), "{text}");
        assert!(read::<Vec<Option<u8>>>(text).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn no_text_stops_the_reader(text in r#"[\[\]{}:,"\\ntf0-9a-z.é -]{0,40}"#) {
        let _ = read::<Vec<Option<String>>>(&text);
        let _ = read::<RpcError>(&text);
        let _ = read::<BTreeMap<String, JsonText>>(&text);
        let _ = read::<Mixed>(&text);
    }

    #[test]
    fn strings_and_numbers_are_those_that_were_written(
        text in ".{0,20}", n in any::<i64>(), f in any::<f64>().prop_filter("JSON has no others", |f| f.is_finite()),
    ) {
        let written = serde_json::to_string(&(text, n, f)).unwrap();
        let known: (String, i64, f64) = serde_json::from_str(&written).unwrap();
        assert_eq!(read::<(String, i64, f64)>(&written).unwrap(), known);
    }
}
