//! What would have become of an order: the attempts that history tells of. Classes and messages are
//! those of the real handlers, so that old and new failures fall into the same groups.

use conveyor_model::job::{Failure, LogLevel};
use conveyor_model::json::JsonText;
use conveyor_model::time::Span;
use serde_json::{Value, json};

use super::dice::Dice;
use super::kinds;
use super::orders::{Sort, payload};

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

/// What a payload asks for, so that what is told of the job agrees with it.
struct Asked(Value);

impl Asked {
    fn of(payload: &JsonText) -> Self {
        Asked(serde_json::from_str(payload.as_str()).unwrap_or_default())
    }

    fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.0.get(name).and_then(Value::as_i64)
    }
}

/// The attempts of an order with this payload, first to last.
pub(super) fn of(sort: Sort, payload: &JsonText, dice: &mut Dice) -> Vec<Act> {
    let asked = Asked::of(payload);
    match sort {
        Sort::HookOk => vec![hook_done(&asked, dice, 40)],
        Sort::HookSlow => vec![hook_done(&asked, dice, 1_800)],
        Sort::HookFlaky => {
            let fails = dice.between(1, 2);
            let mut acts: Vec<Act> = (0..fails).map(|_| hook_busy(&asked, dice)).collect();
            acts.push(hook_done(&asked, dice, 60));
            acts
        }
        Sort::HookGone => vec![hook_gone(&asked, dice)],
        Sort::Mail => vec![mail_done(dice)],
        Sort::MailBad => vec![quick_death(
            dice,
            "InvalidPayload",
            &format!(
                "to: {:?} is not one address such as ann@example.com or Ann <ann@example.com>",
                asked.text("to")
            ),
        )],
        Sort::Picture => vec![picture_done(&asked, dice)],
        Sort::PictureMissing => vec![quick_death(
            dice,
            "NotFound",
            "source: there is no such file",
        )],
        Sort::Report => vec![report_done(&asked, dice)],
        Sort::ReportEmpty => vec![report_empty(&asked, dice)],
        Sort::ReportBroken => (0..3).map(|_| report_broken(&asked, dice)).collect(),
        Sort::Stock => {
            let mut acts = Vec::new();
            if dice.one_in(4) {
                acts.push(stock_failed(&asked, dice));
            }
            acts.push(stock_done(&asked, dice));
            acts
        }
        Sort::StockLost => (0..4).map(|_| stock_failed(&asked, dice)).collect(),
    }
}

fn info(text: impl Into<String>) -> (LogLevel, String) {
    (LogLevel::Info, text.into())
}

/// What a call's log begins with.
fn posting(asked: &Asked) -> (LogLevel, String) {
    info(format!("POST {}", asked.text("url")))
}

fn hook_done(asked: &Asked, dice: &mut Dice, millis: i64) -> Act {
    let took = dice.about(millis);
    let result = json!({
        "status": 200, "headers": {"content-type": "application/json"},
        "body": "{\"received\":true}", "truncated": false, "took_ms": took.millis(),
    });
    Act {
        took,
        end: End::Done(payload(&result)),
        log: vec![
            posting(asked),
            info(format!("answered 200 OK in {} ms", took.millis())),
        ],
    }
}

fn hook_busy(asked: &Asked, dice: &mut Dice) -> Act {
    let took = dice.about(30);
    let failure = Failure::new(
        "Status503",
        "127.0.0.1 answered 503 Service Unavailable\nthe partner is busy",
    );
    Act {
        took,
        end: End::Failed(failure, Some(Span::from_secs(5))),
        log: vec![
            posting(asked),
            info(format!(
                "answered 503 Service Unavailable in {} ms",
                took.millis()
            )),
        ],
    }
}

fn hook_gone(asked: &Asked, dice: &mut Dice) -> Act {
    let took = dice.about(25);
    let failure = Failure::new(
        "Status410",
        "127.0.0.1 answered 410 Gone\nthis partner has left",
    );
    Act {
        took,
        end: End::Dead(failure),
        log: vec![
            posting(asked),
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

fn picture_done(asked: &Asked, dice: &mut Dice) -> Act {
    let width = asked.number("width").unwrap_or(480);
    // The demo's pictures are three wide and two high.
    let height = match asked.text("fit") {
        "cover" => asked.number("height").unwrap_or(360),
        _ => (width * 2 + 1) / 3,
    };
    let format = match asked.text("format") {
        "" => "jpeg",
        format => format,
    };
    let ending = if format == "jpeg" { "jpg" } else { format };
    let result = json!({
        "path": format!("resized/{}.{ending}", dice.between(1_000, 9_999)),
        "width": width, "height": height, "bytes": width * height / 9, "format": format,
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

/// What a report's log begins with.
fn reading(asked: &Asked) -> (LogLevel, String) {
    info(format!(
        "reading {} rows",
        asked.number("rows").unwrap_or_default()
    ))
}

fn report_done(asked: &Asked, dice: &mut Dice) -> Act {
    let rows = asked.number("rows").unwrap_or_default();
    Act {
        took: dice.about(4_200),
        end: End::Done(payload(&json!({"rows": rows, "pages": rows / 400 + 1}))),
        log: vec![
            reading(asked),
            info("adding up"),
            info(format!("{} pages written", rows / 400 + 1)),
        ],
    }
}

fn report_empty(asked: &Asked, dice: &mut Dice) -> Act {
    Act {
        took: dice.about(900),
        end: End::Dead(kinds::no_figures(asked.text("branch"))),
        log: vec![
            reading(asked),
            (LogLevel::Error, "the branch has sent nothing".to_owned()),
        ],
    }
}

fn report_broken(asked: &Asked, dice: &mut Dice) -> Act {
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
        log: vec![reading(asked), info("adding up")],
    }
}

fn stock_done(asked: &Asked, dice: &mut Dice) -> Act {
    let items = asked.number("items").unwrap_or(120);
    let changed = dice.between(0, items.clamp(1, 120));
    Act {
        took: dice.about(650),
        end: End::Done(payload(&json!({"changed": changed}))),
        log: vec![info(format!("{changed} items changed"))],
    }
}

fn stock_failed(asked: &Asked, dice: &mut Dice) -> Act {
    let warehouse = asked.text("warehouse");
    Act {
        took: dice.about(1_500),
        end: End::Failed(kinds::no_stock(warehouse), None),
        log: vec![(
            LogLevel::Warn,
            format!("the stock service keeps silent about {warehouse}"),
        )],
    }
}

#[cfg(test)]
mod tests {
    use super::super::orders;
    use super::*;

    #[test]
    fn what_is_told_agrees_with_the_payload() {
        let mut dice = Dice::new(7);
        let mut seen = [false; 3];
        for _ in 0..3_000 {
            let order = orders::any(&mut dice, "http://127.0.0.1:1");
            let asked = Asked::of(&order.job.payload);
            for act in of(order.sort, &order.job.payload, &mut dice) {
                match (order.sort, act.end) {
                    (Sort::MailBad, End::Dead(failure)) => {
                        assert!(failure.message.contains(asked.text("to")));
                        seen[0] = true;
                    }
                    (Sort::Stock | Sort::StockLost, End::Failed(failure, _)) => {
                        assert!(failure.message.contains(asked.text("warehouse")));
                        seen[1] = true;
                    }
                    (Sort::Report, End::Done(result)) => {
                        let told = Asked::of(&result);
                        assert_eq!(told.number("rows"), asked.number("rows"));
                        seen[2] = true;
                    }
                    _ => {}
                }
            }
        }
        assert_eq!(seen, [true; 3]);
    }
}
