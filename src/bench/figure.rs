//! The figures: the names they are known by, their units, and what each is held to.
//!
//! A machine may be ten times slower than another, or than itself an hour ago, so no target is a time
//! of its own: each is made from what the same run measured of the machine.

/// The value of another figure of the same run, if it was measured.
pub(super) type Known<'a> = &'a dyn Fn(&str) -> Option<f64>;

/// On which side of its target a figure should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Larger is better.
    AtLeast,
    /// Smaller is better.
    AtMost,
}

/// What a figure is held to.
pub(super) struct Target {
    pub(super) side: Side,
    /// The rule, in words.
    pub(super) rule: &'static str,
    /// What the rule comes to in this run.
    pub(super) value: fn(Known<'_>) -> Option<f64>,
}

/// What is known of a figure before it is measured.
pub(super) struct Spec {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    pub(super) target: Option<Target>,
}

const fn plain(name: &'static str, unit: &'static str) -> Spec {
    Spec {
        name,
        unit,
        target: None,
    }
}

const fn at_least(
    name: &'static str,
    unit: &'static str,
    rule: &'static str,
    value: fn(Known<'_>) -> Option<f64>,
) -> Spec {
    let side = Side::AtLeast;
    Spec {
        name,
        unit,
        target: Some(Target { side, rule, value }),
    }
}

const fn at_most(
    name: &'static str,
    unit: &'static str,
    rule: &'static str,
    value: fn(Known<'_>) -> Option<f64>,
) -> Spec {
    let side = Side::AtMost;
    Spec {
        name,
        unit,
        target: Some(Target { side, rule, value }),
    }
}

/// The time of a sync in milliseconds.
fn fsync_ms(known: Known<'_>) -> Option<f64> {
    Some(known("fsync_us")? / 1000.0)
}

/// Every figure, in the order in which they are shown.
pub(super) static FIGURES: [Spec; 35] = [
    plain("fsync_us", "µs"),
    plain("floor.enqueue", "jobs/s"),
    plain("floor.drain", "jobs/s"),
    plain("floor.life", "jobs/s"),
    at_least("inproc.life", "jobs/s", "0.6 floor.life", |of| {
        Some(0.6 * of("floor.life")?)
    }),
    at_least("inproc.drain", "jobs/s", "0.6 floor.drain", |of| {
        Some(0.6 * of("floor.drain")?)
    }),
    at_least("inproc.enqueue_64", "jobs/s", "0.12 floor.enqueue", |of| {
        Some(0.12 * of("floor.enqueue")?)
    }),
    at_least("inproc.enqueue_512", "jobs/s", "0.3 floor.enqueue", |of| {
        Some(0.3 * of("floor.enqueue")?)
    }),
    plain("rest.null_64", "requests/s"),
    at_least(
        "rest.enqueue_64",
        "jobs/s",
        "0.5 rest.null_64, and peers.bullmq-redis-always.enqueue_64",
        |of| {
            let peer = of("peers.bullmq-redis-always.enqueue_64").unwrap_or(0.0);
            Some((0.5 * of("rest.null_64")?).max(peer))
        },
    ),
    at_least("rest.bulk", "jobs/s", "0.4 floor.enqueue", |of| {
        Some(0.4 * of("floor.enqueue")?)
    }),
    at_least(
        "worker_http.drain",
        "jobs/s",
        "40,000 or 0.3 floor.drain",
        |of| Some((0.3 * of("floor.drain")?).min(40_000.0)),
    ),
    at_most("latency_idle_ms.p50", "ms", "1.3 fsync + 0.5 ms", |of| {
        Some(1.3 * fsync_ms(of)? + 0.5)
    }),
    at_most("latency_idle_ms.p99", "ms", "3 fsync + 2 ms", |of| {
        Some(3.0 * fsync_ms(of)? + 2.0)
    }),
    at_most("latency_half_ms.p99", "ms", "10 fsync + 5 ms", |of| {
        Some(10.0 * fsync_ms(of)? + 5.0)
    }),
    at_least("claim_ratio_1m", "", "0.9", |_| Some(0.9)),
    at_least("drain_ratio_watched", "", "0.9", |_| Some(0.9)),
    at_most("rss_mb.drain", "MB", "150", |_| Some(150.0)),
    at_most("rss_mb.idle", "MB", "40", |_| Some(40.0)),
    at_most("ready_ms_5m", "ms", "500", |_| Some(500.0)),
    at_most("idle_cpu_percent", "%", "0.5", |_| Some(0.5)),
    at_most("idle_write_kb", "kB", "0", |_| Some(0.0)),
    at_least("sse.clients", "", "5,000", |_| Some(5000.0)),
    at_most("sse.p99_ms", "ms", "1,000", |_| Some(1000.0)),
    at_most("sse.kib_per_client", "KiB", "40", |_| Some(40.0)),
    at_least("sse.claim_ratio", "", "0.9", |_| Some(0.9)),
    at_most("web.ttfb_p95_ms", "ms", "100", |_| Some(100.0)),
    at_most("web.page_kb", "kB", "60", |_| Some(60.0)),
    plain("size.wasm_br_kb", "kB"),
    at_most("size.assets_br_kb", "kB", "350", |_| Some(350.0)),
    at_most("size.binary_mb", "MB", "30", |_| Some(30.0)),
    plain("seed_jobs_per_s", "jobs/s"),
    at_least("lead.drain", "times", "2", |_| Some(2.0)),
    at_least("lead.bulk", "times", "1", |_| Some(1.0)),
    at_least("lead.enqueue_64", "times", "1", |_| Some(1.0)),
];

/// The figure of that name. Those of peers are not among them.
pub(super) fn find(name: &str) -> Option<&'static Spec> {
    FIGURES.iter().find(|spec| spec.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_made_of_the_same_run() {
        let floor = |name: &str| (name == "floor.life").then_some(100_000.0);
        let target = find("inproc.life").unwrap().target.as_ref().unwrap();
        assert_eq!((target.value)(&floor), Some(60_000.0));
        assert_eq!((target.value)(&|_| None), None);
    }

    #[test]
    fn no_name_is_given_twice() {
        for (n, spec) in FIGURES.iter().enumerate() {
            assert!(FIGURES[n + 1..].iter().all(|other| other.name != spec.name));
        }
    }
}
