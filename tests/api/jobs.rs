//! Jobs: enqueue, list, show, change, act.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;

#[tokio::test]
async fn an_enqueued_job_has_an_address_and_every_default() {
    let app = TestApp::new().await;
    let reply = app.post("/jobs", &json!({"kind": "email.send"})).await;
    assert_eq!(reply.status, 201);
    assert_eq!(reply.header("location"), Some("/api/v1/jobs/1"));
    assert!(reply.header("etag").unwrap().starts_with("\"1-"));
    let job = reply.ok();
    for (field, value) in [
        ("state", json!("ready")),
        ("queue", json!("default")),
        ("priority", json!(5)),
        ("max_attempts", json!(20)),
        ("timeout_s", json!(300)),
        ("payload", json!({})),
        ("attempt", json!(0)),
        ("result", Value::Null),
        ("progress", Value::Null),
        ("last_error", Value::Null),
    ] {
        assert_eq!(job[field], value, "{field}");
    }
    assert_eq!(job["waiting_reason"], Value::Null, "it is not looked up");
    let shown = app.get("/jobs/1").await.ok();
    assert_eq!(shown["attempts"], json!([]));
    assert!(shown["waiting_reason"]["text"].is_string());
}

#[tokio::test]
async fn the_answer_to_an_enqueue_is_the_job_as_it_is_read() {
    let app = TestApp::new().await;
    for body in [
        r#"{"kind":"k"}"#,
        r#"{"kind":"k","queue":"q","payload":{"n":[1.0,1e2]},"priority":9,"max_attempts":3,"timeout_s":0,"delay_s":60,
            "tags":["b","a"],"meta":{"trace":"7"},"idempotency_key":"one","backoff":{"base_s":3}}"#,
        r#"{"kind":"k","run_at":"2020-01-01T00:00:00Z"}"#,
    ] {
        let stored = app.call(Method::POST, "/jobs", body).await.ok();
        let mut read = app.get(&format!("/jobs/{}", stored["id"])).await.ok();
        read.as_object_mut().unwrap().remove("attempts");
        if stored["state"] == "ready" {
            read["waiting_reason"] = Value::Null;
        }
        assert_eq!(stored, read);
    }
}

#[tokio::test]
async fn a_payload_and_a_result_come_back_byte_for_byte() {
    let app = TestApp::new().await;
    let exact = r#"{"id":1970670598291982290,  "n":[1e2,1.0,-0,0.1000000000000000055511151231257827],"a":1,"a":2}"#;
    let body = format!(r#"{{"kind":"k","payload":{exact}}}"#);
    let reply = app.call(Method::POST, "/jobs", &body).await;
    assert!(
        reply.text.contains(&format!(r#""payload":{exact}"#)),
        "{}",
        reply.text
    );
    let claim = app.post("/worker/claim", &json!({"worker": "w"})).await;
    assert!(claim.text.contains(exact), "{}", claim.text);
    let token = claim.ok()["jobs"][0]["lease_token"].clone();
    let report = format!(r#"{{"lease_token":{token},"outcome":"succeeded","result":{exact}}}"#);
    app.call(Method::POST, "/jobs/1/finish", &report).await.ok();
    let shown = app.get("/jobs/1").await;
    assert!(
        shown.text.contains(&format!(r#""result":{exact}"#)),
        "{}",
        shown.text
    );
    let listed = app.get("/jobs?include=payload,result").await;
    assert_eq!(listed.text.matches(exact).count(), 2, "{}", listed.text);
}

#[tokio::test]
async fn every_bad_field_of_a_job_is_named() {
    let app = TestApp::new().await;
    let bad = r#"{"payload":{"a":"\ud800"},"queue":"","priority":10,"colour":"red","delay_s":-1}"#;
    let reply = app.call(Method::POST, "/jobs", bad).await;
    assert_eq!(
        reply.pointers(),
        [
            "/kind",
            "/payload",
            "/queue",
            "/priority",
            "/delay_s",
            "/colour"
        ]
    );
}

#[tokio::test]
async fn a_repeated_enqueue_is_harmless() {
    let app = TestApp::new().await;
    let job = r#"{"kind":"k","payload":{"a":1}}"#;
    let enqueue = |key: &'static str, body: &'static str| {
        let app = &app;
        async move {
            app.call_with(Method::POST, "/jobs", body, &[("idempotency-key", key)])
                .await
        }
    };
    assert_eq!(enqueue("\"one\"", job).await.status, 201);
    let again = enqueue("one", job).await;
    assert_eq!(
        (again.status, again.header("idempotency-replayed")),
        (200, Some("true"))
    );
    assert_eq!(again.ok()["id"], 1);
    let other = enqueue("one", r#"{"kind":"k","payload":{"a":2}}"#).await;
    let problem = other.problem(409, "idempotency_key_reused");
    assert_eq!(problem["errors"][0]["pointer"], "/payload");
    let differs = enqueue("one", r#"{"kind":"k","idempotency_key":"two"}"#).await;
    assert_eq!(differs.pointers(), ["/idempotency_key"]);
    assert_eq!(enqueue("\"\"", job).await.pointers(), ["/idempotency_key"]);
}

#[tokio::test]
async fn one_key_makes_one_job_whoever_is_first() {
    let app = TestApp::new().await;
    let job = json!({"kind": "k", "idempotency_key": "only"});
    let replies = futures_util::future::join_all((0..50).map(|_| app.post("/jobs", &job))).await;
    let made = replies.iter().filter(|reply| reply.status == 201).count();
    let known = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!((made, known), (1, 49));
    assert!(replies.iter().all(|reply| reply.ok()["id"] == 1));
}

#[tokio::test]
async fn pages_of_jobs_join_without_gap_or_repeat() {
    let app = TestApp::new().await;
    for _ in 0..5 {
        app.enqueue("a").await;
    }
    app.enqueue("b").await;
    let mut seen = Vec::new();
    let mut path = "/jobs?kind=a&limit=2".to_owned();
    loop {
        let page = app.get(&path).await.ok();
        assert_eq!(
            (&page["total"], &page["total_capped"]),
            (&json!(5), &json!(false))
        );
        let ids = page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|job| job["id"].as_i64().unwrap());
        seen.extend(ids);
        // A job that comes meanwhile is newer than all that was seen.
        app.post("/jobs", &json!({"kind": "c"})).await.ok();
        match page["next"].as_str() {
            Some(next) => path = format!("/jobs?kind=a&limit=2&after={next}"),
            None => break,
        }
    }
    assert_eq!(seen, [5, 4, 3, 2, 1]);
    let page = app.get("/jobs?limit=9999").await.ok();
    assert!(page["items"][0].get("payload").is_none());
    assert_eq!(page["items"][0]["payload_preview"], "{}");
    assert_eq!(app.get("/jobs?after=x").await.pointers(), ["/after"]);
    assert_eq!(app.get("/jobs?include=all").await.pointers(), ["/include"]);
}

#[tokio::test]
async fn a_change_can_be_bound_to_a_version() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let tag = app.get("/jobs/1").await.header("etag").unwrap().to_owned();
    let known = [("if-none-match", tag.as_str())];
    let unchanged = app.call_with(Method::GET, "/jobs/1", "", &known).await;
    assert_eq!((unchanged.status, unchanged.text.as_str()), (304, ""));

    let matching = [("if-match", tag.as_str())];
    let change = r#"{"priority":9,"payload":null}"#;
    let changed = app
        .call_with(Method::PATCH, "/jobs/1", change, &matching)
        .await;
    let job = changed.ok();
    assert_eq!(
        (&job["priority"], &job["payload"]),
        (&json!(9), &Value::Null)
    );
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
    let late = app
        .call_with(Method::PATCH, "/jobs/1", change, &matching)
        .await;
    late.problem(412, "version_changed");
    let odd = app
        .call_with(Method::PATCH, "/jobs/1", change, &[("if-match", "W/\"1\"")])
        .await;
    odd.problem(412, "version_changed");
    let unknown = app
        .call(Method::PATCH, "/jobs/1", r#"{"kind":"other"}"#)
        .await;
    assert_eq!(unknown.pointers(), ["/kind"]);
}

#[tokio::test]
async fn a_running_job_is_not_changed() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    app.claim().await;
    for (method, path) in [
        (Method::PATCH, "/jobs/1"),
        (Method::DELETE, "/jobs/1"),
        (Method::POST, "/jobs/1/retry"),
        (Method::POST, "/jobs/1/run"),
        (Method::POST, "/jobs/1/discard"),
    ] {
        let body = if method == Method::PATCH {
            r#"{"priority":1}"#
        } else {
            ""
        };
        let reply = app.call(method, path, body).await;
        let problem = reply.problem(409, "not_allowed_in_state");
        assert!(
            problem["detail"].as_str().unwrap().contains("running"),
            "{problem}"
        );
    }
    let cancelled = app.tell("/jobs/1/cancel").await.ok();
    assert_eq!(cancelled["state"], "running");
    assert!(cancelled["cancel_requested_at"].is_string());
}

#[tokio::test]
async fn a_job_goes_through_the_actions_of_its_states() {
    let app = TestApp::new().await;
    let later = json!({"kind": "k", "delay_s": 3600});
    let id = app.post("/jobs", &later).await.ok()["id"].clone();
    let act =
        async |verb: &str| app.tell(&format!("/jobs/{id}/{verb}")).await.ok()["state"].clone();
    assert_eq!(
        app.get(&format!("/jobs/{id}")).await.ok()["state"],
        "scheduled"
    );
    assert_eq!(act("run").await, "ready");
    assert_eq!(act("discard").await, "dead");
    assert_eq!(act("retry").await, "ready");
    assert_eq!(act("cancel").await, "cancelled");
    let copy = app.tell(&format!("/jobs/{id}/duplicate")).await;
    assert_eq!(
        (copy.status, copy.header("location")),
        (201, Some("/api/v1/jobs/2"))
    );
    assert_eq!(copy.ok()["state"], "ready");
    let gone = app.call(Method::DELETE, &format!("/jobs/{id}"), "").await;
    assert_eq!((gone.status, gone.text.as_str()), (204, ""));
    app.get(&format!("/jobs/{id}"))
        .await
        .problem(404, "not_found");
}

#[tokio::test]
async fn attempts_and_logs_are_told_oldest_first() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let job = app.claim().await;
    let lines = json!({"id": 1, "lease_token": job["lease_token"], "lines": [{"message": "one"}, {"level": "error", "message": "two"}]});
    app.post("/worker/log", &lines).await.ok();
    let report = json!({"lease_token": job["lease_token"], "outcome": "failed", "error": {"class": "Broken", "message": "it broke"}});
    app.post("/jobs/1/finish", &report).await.ok();
    let logs = app.get("/jobs/1/logs").await.ok();
    assert_eq!(
        (&logs[0]["message"], &logs[1]["level"]),
        (&json!("one"), &json!("error"))
    );
    let attempts = app.get("/jobs/1/attempts").await.ok();
    assert_eq!(
        (&attempts[0]["number"], &attempts[0]["outcome"]),
        (&json!(1), &json!("failed"))
    );
    assert_eq!(attempts[0]["error"]["class"], "Broken");
    let shown = app.get("/jobs/1").await.ok();
    assert_eq!(
        (&shown["state"], &shown["last_error"]["attempt"]),
        (&json!("retrying"), &json!(1))
    );
    for path in ["/jobs/9/attempts", "/jobs/9/logs"] {
        app.get(path).await.problem(404, "not_found");
    }
}

#[tokio::test]
async fn what_does_not_exist_yet_has_its_place_in_the_shapes() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let shown = app.get("/jobs/1").await.ok();
    let listed = app.get("/jobs").await.ok()["items"][0].clone();
    let claimed = app.claim().await;
    for job in [&shown, &listed, &claimed] {
        assert_eq!(job.get("workflow"), Some(&Value::Null), "{job}");
    }
    let queue = app.get("/queues/default").await.ok();
    assert_eq!(queue.get("limits"), Some(&Value::Null), "{queue}");
}

#[tokio::test]
async fn a_time_limit_is_never_rounded_to_none() {
    let app = TestApp::new().await;
    let short = json!({"kind": "k", "timeout_s": 1e-9});
    let job = app.post("/jobs", &short).await.ok();
    assert_eq!(job["timeout_s"], 1e-6);
    let none = json!({"kind": "k", "timeout_s": 0});
    assert_eq!(app.post("/jobs", &none).await.ok()["timeout_s"], 0);
}

#[tokio::test]
async fn a_total_is_exact_up_to_ten_thousand_where_it_stays() {
    let app = TestApp::new().await;
    let jobs = vec![json!({"kind": "k"}); 10_000];
    app.post("/jobs/bulk", &json!(jobs)).await.ok();
    let total = async || {
        let page = app.get("/jobs?limit=1").await.ok();
        (page["total"].clone(), page["total_capped"].clone())
    };
    assert_eq!(total().await, (json!(10_000), json!(false)));
    app.enqueue("k").await;
    assert_eq!(total().await, (json!(10_000), json!(true)));
}

#[tokio::test]
async fn a_change_leaves_room_for_another_attempt() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let token = app.claim().await["lease_token"].clone();
    let failed = json!({"lease_token": token, "outcome": "failed"});
    app.post("/jobs/1/finish", &failed).await.ok();
    let reply = app
        .call(Method::PATCH, "/jobs/1", r#"{"max_attempts":1}"#)
        .await;
    assert_eq!(reply.pointers(), ["/max_attempts"]);
    let detail = &reply.json()["errors"][0]["detail"];
    assert_eq!(detail, "it has had 1 attempt already; at least 2 is needed");
}

#[tokio::test]
async fn a_job_is_sent_again_when_its_answer_would_differ() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let job = app.claim().await;
    let lease = json!({"id": 1, "lease_token": job["lease_token"]});
    let tag_of = async || app.get("/jobs/1").await.header("etag").unwrap().to_owned();
    let ask = async |tag: &str| {
        let known = [("if-none-match", tag)];
        app.call_with(Method::GET, "/jobs/1", "", &known)
            .await
            .status
    };
    let tag = tag_of().await;
    assert_eq!(ask(&tag).await, 304);
    let told = json!({"id": 1, "lease_token": job["lease_token"], "percent": 5});
    app.post("/worker/progress", &told).await.ok();
    assert_eq!(ask(&tag).await, 200);
    let tag = tag_of().await;
    app.clock.advance(conveyor_model::time::Span::from_secs(5));
    let beat = json!({"worker": "w", "leases": [lease]});
    app.post("/worker/heartbeat", &beat).await.ok();
    assert_eq!(ask(&tag).await, 200);
}

#[tokio::test]
async fn a_change_is_guarded_by_the_tag_as_it_was_given_or_by_its_version() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let tag = app.get("/jobs/1").await.header("etag").unwrap().to_owned();
    let version = tag.split('-').next().unwrap().to_owned() + "\"";
    assert_eq!(version, "\"1\"");
    let edit = async |tag: &str, priority: u8| {
        let body = json!({"priority": priority}).to_string();
        let guard = [("if-match", tag)];
        app.call_with(Method::PATCH, "/jobs/1", &body, &guard).await
    };
    assert_eq!(edit(&tag, 6).await.status, 200);
    edit(&tag, 7).await.problem(412, "version_changed");
    edit(&version, 7).await.problem(412, "version_changed");
    assert_eq!(edit("\"2\"", 7).await.status, 200);
}

#[tokio::test]
async fn tags_come_back_as_they_were_given() {
    let app = TestApp::new().await;
    let job = json!({"kind": "k", "tags": ["t10", "t2", "t10", "t1"], "idempotency_key": "k"});
    let made = app.post("/jobs", &job).await.ok();
    assert_eq!(made["tags"], json!(["t10", "t2", "t1"]));
    let turned = json!({"kind": "k", "tags": ["t1", "t2", "t10"], "idempotency_key": "k"});
    let again = app.post("/jobs", &turned).await;
    assert_eq!((again.status, &again.ok()["id"]), (200, &json!(1)));
    let other = json!({"kind": "k", "tags": ["t1"], "idempotency_key": "k"});
    app.post("/jobs", &other)
        .await
        .problem(409, "idempotency_key_reused");
}

#[tokio::test]
async fn a_delete_holds_to_its_condition() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let delete = async |tag: &str| {
        let guard = [("if-match", tag)];
        app.call_with(Method::DELETE, "/jobs/1", "", &guard).await
    };
    delete("\"77\"").await.problem(412, "version_changed");
    let tag = app.get("/jobs/1").await.header("etag").unwrap().to_owned();
    assert_eq!(delete(&tag).await.status, 204);
}
