//! What a shop would enqueue: mails, calls, pictures, reports, stock. Each order leads a handler to a
//! known end, so that history can tell what would have become of it.

use std::str::FromStr;

use conveyor_model::json::JsonText;
use conveyor_model::name::{Kind, Priority, QueueName};
use conveyor_model::new_job::NewJob;
use conveyor_model::retry::{Backoff, Growth};
use conveyor_model::time::Span;
use serde::Serialize;
use serde_json::{Value, json};

use super::dice::Dice;
use super::pictures;

/// The warehouse that never answers.
pub(super) const LOST_WAREHOUSE: &str = "W-13";
/// The branch that has no figures.
pub(super) const LOST_BRANCH: &str = "Atlantis";
/// The branch whose figures break the report.
pub(super) const BROKEN_BRANCH: &str = "Lisbon";

const PEOPLE: [(&str, &str); 8] = [
    ("Anna Berg", "anna.berg@example.com"),
    ("Иван Петров", "ivan.petrov@example.com"),
    ("Chloé Martin", "chloe.martin@example.org"),
    ("Tomás Silva", "tomas.silva@example.net"),
    ("Yuki Tanaka", "yuki.tanaka@example.com"),
    ("Olga Smirnova", "olga.smirnova@example.org"),
    ("Ben Carter", "ben.carter@example.net"),
    ("Zoë O'Neill", "zoe.oneill@example.com"),
];
const BRANCHES: [&str; 6] = ["Berlin", "Riga", "Porto", "Kazan", "Leeds", "Osaka"];

/// What an order leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    HookOk,
    HookSlow,
    HookFlaky,
    HookGone,
    Mail,
    MailBad,
    Picture,
    PictureMissing,
    Report,
    ReportEmpty,
    ReportBroken,
    Stock,
    StockLost,
}

/// A job to enqueue, and what it leads to.
pub(super) struct Order {
    pub(super) job: NewJob,
    pub(super) sort: Sort,
}

/// A value from a text of the demo's own.
#[expect(
    clippy::expect_used,
    reason = "every text given is a constant of the demo, and a test makes them all"
)]
pub(super) fn valid<T: FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("the demo's names are valid")
}

pub(super) fn payload(value: &impl Serialize) -> JsonText {
    JsonText::of(value).unwrap_or_else(|_| JsonText::empty_object())
}

fn job(kind: &str, queue: &str, priority: i64, value: &impl Serialize, tags: &[&str]) -> NewJob {
    NewJob {
        queue: valid::<QueueName>(queue),
        priority: Priority::try_from(priority).unwrap_or_default(),
        tags: tags.iter().map(|tag| valid(tag)).collect(),
        timeout: Span::from_secs(60),
        ..NewJob::new(valid::<Kind>(kind), payload(value))
    }
}

/// Any order, as often as a shop would have it.
pub(super) fn any(dice: &mut Dice, hooks: &str) -> Order {
    match dice.between(0, 99) {
        0..=29 => mail(dice),
        30..=59 => hook(dice, hooks),
        60..=79 => picture(dice),
        80..=89 => stock(dice),
        _ => report(dice),
    }
}

/// Like [`any`], but nothing that ends in the dead letter.
pub(super) fn harmless(dice: &mut Dice, hooks: &str) -> Order {
    loop {
        let order = any(dice, hooks);
        if !order.sort.is_doomed() {
            return order;
        }
    }
}

impl Sort {
    /// Whether no attempt can succeed.
    pub(super) const fn is_doomed(self) -> bool {
        match self {
            Sort::HookGone
            | Sort::MailBad
            | Sort::PictureMissing
            | Sort::ReportEmpty
            | Sort::ReportBroken
            | Sort::StockLost => true,
            Sort::HookOk
            | Sort::HookSlow
            | Sort::HookFlaky
            | Sort::Mail
            | Sort::Picture
            | Sort::Report
            | Sort::Stock => false,
        }
    }
}

/// The payload of a mail. Lists show the beginning of a payload, so what tells mails apart comes first.
#[derive(Serialize)]
struct Letter<'a> {
    to: &'a str,
    subject: String,
    data: Value,
    text: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<&'static str>,
}

fn mail(dice: &mut Dice) -> Order {
    let (name, address) = dice.pick(PEOPLE);
    let (sort, to) = if dice.one_in(60) {
        (Sort::MailBad, address.replace('@', "(at)"))
    } else {
        (Sort::Mail, address.to_owned())
    };
    let number = dice.between(10_000, 99_999);
    let amount = format!("{}.{:02}", dice.between(5, 400), dice.between(0, 99));
    let letter = Letter {
        to: &to,
        subject: format!("Your order {number}"),
        data: json!({"name": name, "order": number, "amount": amount}),
        text: "Dear {{ name }},\n\nthank you for your order {{ order }} of {{ amount }} EUR.\n",
        html: Some("<p>Dear {{ name }},</p><p>thank you for order <b>{{ order }}</b>.</p>"),
    };
    let priority = if dice.one_in(3) { 8 } else { 5 };
    let job = job("email.send", "mail", priority, &letter, &["orders"]);
    Order { job, sort }
}

/// An invoice, which waits in the paused queue.
pub(super) fn invoice(dice: &mut Dice, number: i64) -> NewJob {
    let (name, address) = dice.pick(PEOPLE);
    let letter = Letter {
        to: address,
        subject: format!("Invoice {number}"),
        data: json!({"name": name, "number": number}),
        text: "Dear {{ name }},\n\nplease find your invoice {{ number }}.\n",
        html: None,
    };
    NewJob {
        idempotency_key: Some(valid(&format!("invoice-{number}"))),
        ..job("email.send", "billing", 6, &letter, &["invoices"])
    }
}

fn hook(dice: &mut Dice, hooks: &str) -> Order {
    let (sort, path) = match dice.between(0, 99) {
        0..=79 => (Sort::HookOk, "ok"),
        80..=89 => (Sort::HookSlow, "slow"),
        90..=97 => (Sort::HookFlaky, "flaky"),
        _ => (Sort::HookGone, "gone"),
    };
    let event = dice.pick([
        "order.paid",
        "order.shipped",
        "customer.created",
        "refund.made",
    ]);
    let value = json!({
        "url": format!("{hooks}/demo/hooks/{path}"),
        "body": {"event": event, "id": dice.between(1_000_000, 9_999_999), "live": false},
        "timeout_s": 10,
    });
    let mut job = job("webhook.call", "webhooks", 5, &value, &["partners"]);
    job.backoff = gentle();
    job.max_attempts = 8;
    Order { job, sort }
}

fn picture(dice: &mut Dice) -> Order {
    let (sort, source) = if dice.one_in(70) {
        (Sort::PictureMissing, "demo/lost-upload.jpg")
    } else {
        (Sort::Picture, dice.pick(pictures::NAMES))
    };
    let side = dice.pick([160, 320, 480, 640]);
    let value = json!({
        "source": source,
        "width": side,
        "height": side * 3 / 4,
        "fit": dice.pick(["contain", "cover", "cover"]),
        "format": dice.pick(["jpeg", "jpeg", "webp", "png"]),
    });
    let job = job("image.resize", "media", 4, &value, &["catalogue"]);
    Order { job, sort }
}

fn report(dice: &mut Dice) -> Order {
    let (sort, branch) = match dice.between(0, 39) {
        0 => (Sort::ReportEmpty, LOST_BRANCH),
        1 => (Sort::ReportBroken, BROKEN_BRANCH),
        _ => (Sort::Report, dice.pick(BRANCHES)),
    };
    let value = json!({
        "report": dice.pick(["sales", "returns", "margins"]),
        "month": dice.pick(["2026-08", "2026-09", "2026-10"]),
        "branch": branch,
        "rows": dice.between(4, 60) * 1_000,
    });
    let mut job = job(
        "report.build",
        "reports",
        3,
        &value,
        &["finance", "nightly"],
    );
    job.max_attempts = 3;
    job.backoff = gentle();
    Order { job, sort }
}

fn stock(dice: &mut Dice) -> Order {
    let (sort, warehouse) = if dice.one_in(14) {
        (Sort::StockLost, LOST_WAREHOUSE)
    } else {
        (Sort::Stock, dice.pick(["W-01", "W-02", "W-04", "W-07"]))
    };
    let value = json!({"warehouse": warehouse, "items": dice.between(40, 900)});
    let mut job = job("stock.sync", "sync", 5, &value, &["inventory"]);
    job.max_attempts = 4;
    job.backoff = gentle();
    Order { job, sort }
}

/// Short enough that a visitor sees a retry happen.
pub(super) fn gentle() -> Backoff {
    Backoff {
        kind: Growth::Exponential,
        base_s: Span::from_secs(5),
        factor: 2.0,
        max_s: Span::from_secs(120),
        jitter: 0.2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_can_be_made_and_each_sort_comes() {
        let mut dice = Dice::new(1);
        let mut seen = Vec::new();
        for _ in 0..5_000 {
            let order = any(&mut dice, "http://127.0.0.1:1");
            assert_ne!(order.job.payload, JsonText::empty_object());
            if !seen.contains(&order.sort) {
                seen.push(order.sort);
            }
        }
        assert_eq!(seen.len(), 13, "{seen:?}");
        assert!((0..1_000).all(|_| !harmless(&mut dice, "http://a").sort.is_doomed()));
        assert_eq!(invoice(&mut dice, 5).queue.as_str(), "billing");
    }
}
