//! Everything the model's readers refuse, brought about by bad input. What is made up is written in
//! capitals, so that it cannot be taken for a word of the model.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use conveyor_model::cron::{Cron, Gap, Overlap};
use conveyor_model::error::{Invalid, OperatorError, Thing};
use conveyor_model::fields::Fields;
use conveyor_model::filter::{JobFilter, Page};
use conveyor_model::json::{JsonText, MAX_BYTES};
use conveyor_model::lang::Lang;
use conveyor_model::name::{IdempotencyKey, JobId, Kind, QueueName, ScheduleName, Tag, WorkerName};
use conveyor_model::new_job::{JobPatch, NewJob};
use conveyor_model::queue::PauseRequest;
use conveyor_model::schedule::ScheduleSpec;
use conveyor_model::state::{Action, State};
use conveyor_model::stats::Range;
use conveyor_model::time::Timestamp;
use conveyor_model::worker::WorkerState;

use crate::rpc::job_values::JobValues;
use crate::rpc::server::{list, pause};

type Texts = BTreeSet<String>;

/// Each of them once.
pub(super) fn refusals() -> Texts {
    let mut texts = Texts::new();
    names(&mut texts);
    requests(&mut texts);
    payloads(&mut texts);
    filters(&mut texts);
    expressions(&mut texts);
    answers(&mut texts);
    texts
}

fn refused<T: FromStr>(text: &str, texts: &mut Texts)
where
    T::Err: Display,
{
    match text.parse::<T>() {
        Ok(_) => panic!("{text:?} was taken"),
        Err(fault) => texts.insert(fault.to_string()),
    };
}

fn invalid(invalid: Invalid, texts: &mut Texts) {
    for error in invalid.errors {
        texts.insert(error.detail);
        texts.extend(error.hint);
    }
}

fn operator<T>(answer: Result<T, OperatorError>, texts: &mut Texts) {
    match answer {
        Ok(_) => panic!("it was taken"),
        Err(OperatorError::Invalid(faults)) => invalid(faults, texts),
        Err(other) => {
            texts.insert(other.to_string());
        }
    }
}

fn names(texts: &mut Texts) {
    let long = "X".repeat(300);
    for bad in ["", " X", "X\u{7}", &long] {
        refused::<QueueName>(bad, texts);
        refused::<Tag>(bad, texts);
        refused::<WorkerName>(bad, texts);
        refused::<ScheduleName>(bad, texts);
        refused::<Kind>(bad, texts);
    }
    for bad in ["", "X\u{7}", &long] {
        refused::<IdempotencyKey>(bad, texts);
    }
    refused::<JobId>("X", texts);
    refused::<State>("X", texts);
    refused::<Action>("X", texts);
    refused::<WorkerState>("X", texts);
    refused::<Range>("X", texts);
    refused::<Lang>("X", texts);
    refused::<Gap>("X", texts);
    refused::<Overlap>("X", texts);
    for bad in [
        "X",
        "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-02-03T24:00:00Z",
        "1969-02-03T04:00:00Z",
    ] {
        refused::<Timestamp>(bad, texts);
    }
}

/// Values of every type that some field does not take.
const VALUES: &str = r#"null ; true ; -1 ; 10 ; 101 ; 1.5 ; 4000 ; 3e6 ; 1e9 ; 1e18 ; "X" ; "" ; " X" ; [] ;
[1] ; [null] ; [""] ; {} ; {"X":1} ; {"kind":"X"} ; {"factor":"X"} ; {"gap":"X"} ; {"overlap":"X"} ;
{"gap":1} ; {"gap":"skip","gap":"skip"} ; {"X":"\u0000"} ;
{"factor":0,"jitter":2,"max_s":1e9,"base_s":-1} ; {"X":1,"X":2}"#;

fn requests(texts: &mut Texts) {
    let job = conveyor_model::new_job::NEW_JOB_FIELDS;
    let schedule = conveyor_model::schedule::SCHEDULE_FIELDS;
    for field in job.iter().chain(schedule).chain(&["note", "until"]) {
        for value in VALUES.split(';') {
            request(&format!("{{\"{field}\":{value},\"Y\":1}}"), texts);
        }
    }
    let tags: Vec<String> = (0..21).map(|n| format!("\"{n}\"")).collect();
    for text in [
        "",
        "[]",
        "{\"X\":",
        "{\"kind\":\"X\",\"kind\":\"X\",\"Y\":0}",
        "{\"delay_s\":1,\"run_at\":\"2026-01-01T00:00:00Z\"}",
        &format!("{{\"tags\":[{}],\"Y\":0}}", tags.join(",")),
        &format!("{{\"note\":\"{}\"}}", "X".repeat(501)),
    ] {
        request(text, texts);
    }
    let fields = |text: &str| Fields::parse(text).expect("an object");
    operator(NewJob::read(fields("{\"payload\":[1]}"), 1), texts);
    let read = fields("{}").finish(&[], || None::<()>);
    operator(read.map_err(OperatorError::from), texts);
    let mut spec = ScheduleSpec::new("@daily", Kind::new("X").expect("a kind"));
    spec.starts_at = Some(Timestamp::MAX);
    spec.ends_at = Some(Timestamp::MIN);
    operator(spec.check().map_err(OperatorError::from), texts);
}

/// A request in the place of every one there is.
fn request(text: &str, texts: &mut Texts) {
    operator(NewJob::from_json(text), texts);
    let fields = || Fields::parse(text);
    let (Ok(job), Ok(schedule), Ok(pause)) = (fields(), fields(), fields()) else {
        return;
    };
    operator(JobPatch::read(job, MAX_BYTES), texts);
    operator(ScheduleSpec::read(schedule, None, MAX_BYTES), texts);
    if let Err(faults) = PauseRequest::read(pause) {
        invalid(faults, texts);
    }
}

/// Texts that are no JSON.
const PAYLOADS: &str = r#"{ ; [ ; "X ; {"X" ; {"X" 1} ; {"X":1 2} ; {"X": ; [1 2] ; [1,] ; {"X":1,} ; {1:2} ;
{X:1} ; tru ; nul ; X ; 1 2 ; "\x" ; 01 ; 1. ; - ; 1e400 ; "\ud800" ; "\ud800X" ;
"\udc00" ; "\ud800\u0041" ; "\u00 ; "\u00X0" ; "\u0000" ; 'X' ; "\ud800\ ; NaN ; [} ;
{,} ; {"X":1] ; 1e ; "\"#;

fn payloads(texts: &mut Texts) {
    let deep = "[".repeat(70);
    let odd = ["", "\"\n\"", "{\n \"X\": tru\n}", &deep];
    for bad in PAYLOADS.split(';').map(str::trim).chain(odd) {
        match JsonText::parse(bad) {
            Ok(_) => panic!("{bad:?} was taken"),
            Err(fault) => {
                texts.insert(fault.to_string());
                texts.insert(fault.detail);
            }
        }
        if let Err(fault) = Fields::parse(&format!("{{\"payload\":{bad}")) {
            texts.insert(fault.to_string());
        }
    }
}

fn filters(texts: &mut Texts) {
    let long = "X ".repeat(200);
    for pair in [
        ("state", "X"),
        ("kind", "X Y"),
        ("queue", " X"),
        ("tag", " X"),
        ("priority", "X"),
        ("worker", " X"),
        ("schedule", " X"),
        ("id", "X"),
        ("from", "X"),
        ("to", "2026-01-01"),
        ("sort", "X"),
        ("q", "state:X priority:77"),
        ("q", &long),
    ] {
        match JobFilter::from_pairs([pair]) {
            Ok(_) => panic!("{pair:?} was taken"),
            Err(faults) => invalid(faults, texts),
        }
    }
    operator(
        Page::read(Some("X"), Some("X")).map_err(OperatorError::from),
        texts,
    );
}

/// An expression for every fault there is, and for some in every field.
const EXPRESSIONS: &str = "\
* * * * | * * * * * * * | 60 * * * * * | 0 60 * * * * | * 24 * * * | * * 0 * * |
* * * 13 * | * * * * 8 | 61 * * * * | */0 * * * * | * */0 * * * | * * */0 * * |
* * * */0 * | * * * * */0 | */X * * * * | 5-1 * * * * | 0 22-2 * * * | * * 9-3 * * |
0 0 * 12-1 * | 0 0 * * SAT-MON | 1-5-7 * * * * | , * * * * | 1,, * * * * | * 1, * * * |
* * 1, * * | * * * 1, * | * * * * 1, | -1 * * * * | +5 * * * * | 1.5 * * * * |
٥ * * * * | 0 0 1 JANUARY * | 0 0 1 QUUX * | 0 0 * * MONDAY | 0 0 * * QUUX |
QUUX * * * * | 0 0 1–5 * * | 0 0 ? * * | R * * * * | 0 0 LW * * | 0 0 L-0 * * |
0 0 L-X * * | 0 0 L- * * | 0 0 1-5W * * | 0 0 * * 5#0 | 0 0 * * 5# | 0 0 * * 5#X |
0 0 * * 1-5#2 | 0 0 * * L | L * * * * | 5L * * * * | 5W * * * * | H(0-60) * * * * |
H(9-3) * * * * | H(1-3 * * * * | H(1 * * * * | H(-1 * * * * | H5 * * * * | ** * * * * |
5- * * * * | 1/ * * * * | @ | @reboot | @daily 5 | @every | @every 5 | @every 0s |
@every 1h1h | @every X | @every 367d | 0 0 30 2 * | 0 0 31 4 * | 60 1 1 1 1 1 |
1/2/3 * * * * | 0 0 * * XL | 0 0 5# * * | 0 0 X * * | 1@ * * * * | 0 0 * * 5##";

fn expressions(texts: &mut Texts) {
    let long = "0 ".repeat(20_000);
    let odd = ["", "0\u{a0}0 * * *", "0 0 * * *\n", "0 0 * * \0", &long];
    for text in EXPRESSIONS.split('|').map(str::trim).chain(odd) {
        match Cron::parse(text, "X") {
            Ok(_) => panic!("{text:?} was taken"),
            Err(fault) => {
                texts.insert(fault.detail);
                texts.extend(fault.hint);
            }
        }
    }
}

/// Answers an operator gives without more to say, and what the forms themselves refuse.
fn answers(texts: &mut Texts) {
    for what in [
        Thing::Job,
        Thing::Queue,
        Thing::Schedule,
        Thing::Worker,
        Thing::DeadGroup,
        Thing::Kind,
    ] {
        texts.insert(OperatorError::not_found(what, "X").to_string());
    }
    let job = JobId::try_from(7).expect("an id");
    let differs = vec!["\"payload\"".to_owned()];
    texts.extend([
        OperatorError::DiskFull.to_string(),
        OperatorError::Internal.to_string(),
        OperatorError::VersionChanged { current: 3 }.to_string(),
        OperatorError::KeyReused { job, differs }.to_string(),
    ]);
    forms(texts);
}

/// What the dashboard's own forms refuse.
fn forms(texts: &mut Texts) {
    let now = Timestamp::MIN;
    for (note, until) in [
        ("X".repeat(501), ""),
        (String::new(), "0"),
        (String::new(), "X"),
    ] {
        let read = pause::request(&note, until, now);
        operator(read.map_err(OperatorError::from), texts);
    }
    let confirmed = pause::confirmed("X", "Y");
    operator(confirmed.map_err(OperatorError::from), texts);
    operator(list::chosen(vec![], "retry", ""), texts);
    operator(list::chosen(vec![1], "delete", ""), texts);
    let values = JobValues {
        payload: "{".to_owned(),
        priority: "X".to_owned(),
        timeout: "X".to_owned(),
        due: "at".to_owned(),
        ..JobValues::blank()
    };
    operator(values.read("X"), texts);
}
