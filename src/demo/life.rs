//! What would have become of an order: the attempts that history tells of. Classes and messages are
//! those of the real handlers, so that old and new failures fall into the same groups.

use conveyor_model::job::{Failure, LogLevel};
use conveyor_model::json::JsonText;
use conveyor_model::time::Span;
use serde_json::json;

use super::dice::Dice;
use super::kinds;
use super::orders::{LOST_BRANCH, LOST_WAREHOUSE, Sort, payload};

/// One attempt as it went.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub(super) took: Span,
    pub(super) end: End,
    pub(super) log: Vec<(LogLevel, String)>,
}

/// How an attempt ended.
#[derive(Clone, Debug)]
pub(super) enum End {
    Done(JsonText),
    /// Another attempt follows after the given time, or the job's backoff.
    Failed(Failure, Option<Span>),
    Dead(Failure),
}

/// The attempts of an order, first to last.
pub(super) fn of(sort: Sort, dice: &mut Dice) -> Vec<Act> {
    match sort {
        Sort::HookOk => vec![hook_done(dice, 40)],
        Sort::HookSlow => vec![hook_done(dice, 1_800)],
        Sort::HookFlaky => {
            let fails = dice.between(1, 2);
            let mut acts: Vec<Act> = (0..fails).map(|_| hook_busy(dice)).collect();
            acts.push(hook_done(dice, 60));
            acts
        }
        Sort::HookGone => vec![hook_gone(dice)],
        Sort::Mail => vec![mail_done(dice)],
        Sort::MailBad => vec![quick_death(
            dice,
            "InvalidPayload",
            "to: \"anna.berg(at)example.com\" is not one address such as ann@example.com or \
             Ann <ann@example.com>",
        )],
        Sort::Picture => vec![picture_done(dice)],
        Sort::PictureMissing => vec![quick_death(
            dice,
            "NotFound",
            "source: there is no such file",
        )],
        Sort::Report => vec![report_done(dice)],
        Sort::ReportEmpty => vec![report_empty(dice)],
        Sort::ReportBroken => (0..3).map(|_| report_broken(dice)).collect(),
        Sort::Stock => {
            let mut acts = Vec::new();
            if dice.one_in(4) {
                acts.push(stock_failed(dice, "W-04"));
            }
            acts.push(stock_done(dice));
            acts
        }
        Sort::StockLost => (0..4).map(|_| stock_failed(dice, LOST_WAREHOUSE)).collect(),
    }
}

fn info(text: impl Into<String>) -> (LogLevel, String) {
    (LogLevel::Info, text.into())
}

fn hook_done(dice: &mut Dice, millis: i64) -> Act {
    let took = dice.about(millis);
    let result = json!({
        "status": 200, "headers": {"content-type": "application/json"},
        "body": "{\"received\":true}", "truncated": false, "took_ms": took.millis(),
    });
    Act {
        took,
        end: End::Done(payload(&result)),
        log: vec![
            info("POST /demo/hooks"),
            info(format!("answered 200 OK in {} ms", took.millis())),
        ],
    }
}

fn hook_busy(dice: &mut Dice) -> Act {
    let took = dice.about(30);
    let failure = Failure::new(
        "Status503",
        "127.0.0.1 answered 503 Service Unavailable\nthe partner is busy",
    );
    Act {
        took,
        end: End::Failed(failure, Some(Span::from_secs(5))),
        log: vec![
            info("POST /demo/hooks"),
            info(format!(
                "answered 503 Service Unavailable in {} ms",
                took.millis()
            )),
        ],
    }
}

fn hook_gone(dice: &mut Dice) -> Act {
    let took = dice.about(25);
    let failure = Failure::new(
        "Status410",
        "127.0.0.1 answered 410 Gone\nthis partner has left",
    );
    Act {
        took,
        end: End::Dead(failure),
        log: vec![
            info("POST /demo/hooks"),
            info(format!("answered 410 Gone in {} ms", took.millis())),
        ],
    }
}

fn mail_done(dice: &mut Dice) -> Act {
    let path = format!("outbox/demo-{}.eml", dice.between(1_000, 9_999));
    let result = json!({"delivered_to": "outbox", "path": path, "recipients": 1});
    Act {
        took: dice.about(12),
        end: End::Done(payload(&result)),
        log: vec![info(format!(
            "no SMTP server is set; the message is in {path}"
        ))],
    }
}

fn picture_done(dice: &mut Dice) -> Act {
    let (width, height) = dice.pick([(160, 120), (320, 240), (480, 360), (640, 480)]);
    let result = json!({
        "path": format!("resized/{}.jpg", dice.between(1_000, 9_999)),
        "width": width, "height": height, "bytes": width * height / 9, "format": "jpeg",
    });
    Act {
        took: dice.about(140),
        end: End::Done(payload(&result)),
        log: vec![info(format!("1200 × 800 becomes {width} × {height}"))],
    }
}

fn quick_death(dice: &mut Dice, class: &str, message: &str) -> Act {
    Act {
        took: dice.about(4),
        end: End::Dead(Failure::new(class, message)),
        log: Vec::new(),
    }
}

fn report_done(dice: &mut Dice) -> Act {
    let rows = dice.between(4, 60) * 1_000;
    Act {
        took: dice.about(4_200),
        end: End::Done(payload(&json!({"rows": rows, "pages": rows / 400 + 1}))),
        log: vec![
            info(format!("reading {rows} rows")),
            info("adding up"),
            info(format!("{} pages written", rows / 400 + 1)),
        ],
    }
}

fn report_empty(dice: &mut Dice) -> Act {
    Act {
        took: dice.about(900),
        end: End::Dead(kinds::no_figures(LOST_BRANCH)),
        log: vec![
            info("reading rows"),
            (LogLevel::Error, "the branch has sent nothing".to_owned()),
        ],
    }
}

fn report_broken(dice: &mut Dice) -> Act {
    let mut failure = Failure::new("Panic", kinds::BROKEN);
    failure.backtrace = Some(
        "   0: conveyor::demo::kinds::margin\n             at src/demo/kinds.rs\n   \
         1: conveyor::demo::kinds::build\n             at src/demo/kinds.rs\n   \
         2: conveyor::worker::attempt\n"
            .to_owned(),
    );
    Act {
        took: dice.about(1_100),
        end: End::Failed(failure, None),
        log: vec![info("reading rows"), info("adding up")],
    }
}

fn stock_done(dice: &mut Dice) -> Act {
    let changed = dice.between(0, 120);
    Act {
        took: dice.about(650),
        end: End::Done(payload(&json!({"changed": changed}))),
        log: vec![info(format!("{changed} items changed"))],
    }
}

fn stock_failed(dice: &mut Dice, warehouse: &str) -> Act {
    Act {
        took: dice.about(1_500),
        end: End::Failed(kinds::no_stock(warehouse), None),
        log: vec![(
            LogLevel::Warn,
            format!("the stock service keeps silent about {warehouse}"),
        )],
    }
}
