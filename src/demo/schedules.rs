//! The demo's schedules: in several zones, one of them paused.

use conveyor_model::name::ScheduleName;
use conveyor_model::schedule::{OverlapPolicy, ScheduleSpec};
use conveyor_model::time::Timestamp;
use serde_json::json;

use super::orders::{payload, valid};
use super::pictures;
use crate::store::{Store, StoreResult};
use crate::zones::Plan;

/// Who made them.
const MADE_BY: &str = "demo";

/// Puts them, as if at `now`.
pub(super) async fn put(store: &dyn Store, hooks: &str, now: Timestamp) -> StoreResult<()> {
    for (name, spec) in all(hooks) {
        let next = match Plan::of(name.as_str(), &spec, now) {
            Ok(plan) if !spec.paused => plan.next_after(now),
            Ok(_) | Err(_) => None,
        };
        store
            .put_schedule(&name, spec, next, MADE_BY, None, now)
            .await?;
    }
    Ok(())
}

/// The slots that lie after `from` and not after `to`, in order.
pub(super) fn slots(hooks: &str, from: Timestamp, to: Timestamp) -> Vec<Timestamp> {
    let mut slots: Vec<Timestamp> = all(hooks)
        .into_iter()
        .filter(|(_, spec)| !spec.paused)
        .filter_map(|(name, spec)| Plan::of(name.as_str(), &spec, from).ok())
        .flat_map(|plan| {
            std::iter::successors(plan.next_after(from), move |slot| plan.next_after(*slot))
                .take_while(|slot| *slot <= to)
        })
        .collect();
    slots.sort();
    slots.dedup();
    slots
}

fn all(hooks: &str) -> Vec<(ScheduleName, ScheduleSpec)> {
    let spec = |cron: &str, timezone: &str, kind: &str, queue: &str, value| ScheduleSpec {
        timezone: timezone.to_owned(),
        payload: payload(&value),
        queue: valid(queue),
        max_attempts: 3,
        ..ScheduleSpec::new(cron, valid(kind))
    };
    let hook = json!({"url": format!("{hooks}/demo/hooks/ok"), "body": {"event": "heartbeat"}});
    let digest = json!({
        "to": "team@example.com", "subject": "The week in numbers", "text": "It went well.",
    });
    let report = |branch: &str| json!({"report": "sales", "month": "2026-10", "branch": branch, "rows": 24_000});
    let picture = json!({"source": pictures::NAMES[0], "width": 320, "format": "webp"});
    let stock = json!({"warehouse": "W-02", "items": 640});
    vec![
        (
            valid("stock every 5 minutes"),
            ScheduleSpec {
                overlap: OverlapPolicy::Skip,
                ..spec("*/5 * * * *", "UTC", "stock.sync", "sync", stock)
            },
        ),
        (
            valid("partner heartbeat"),
            spec("*/15 * * * *", "UTC", "webhook.call", "webhooks", hook),
        ),
        (
            valid("front page picture"),
            spec("@every 20m", "UTC", "image.resize", "media", picture),
        ),
        (
            // 02:30 is missing on one day of the year and comes twice on another.
            valid("nightly report"),
            spec(
                "30 2 * * *",
                "Europe/Berlin",
                "report.build",
                "reports",
                report("Berlin"),
            ),
        ),
        (
            valid("month-end closing"),
            spec(
                "0 18 L * *",
                "America/New_York",
                "report.build",
                "reports",
                report("Leeds"),
            ),
        ),
        (
            valid("weekly digest"),
            ScheduleSpec {
                paused: true,
                ..spec("0 9 * * MON", "Asia/Tokyo", "email.send", "mail", digest)
            },
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schedule_can_be_read_and_fires() {
        let now: Timestamp = "2026-11-30T09:00:00Z".parse().unwrap();
        for (name, spec) in all("http://127.0.0.1:1") {
            let plan = Plan::of(name.as_str(), &spec, now).unwrap();
            assert!(plan.next_after(now).is_some(), "{name}");
        }
        let hour = slots(
            "http://127.0.0.1:1",
            now.minus(conveyor_model::time::Span::from_secs(3600)),
            now,
        );
        assert_eq!(hour.len(), 12, "{hour:?}");
    }
}
