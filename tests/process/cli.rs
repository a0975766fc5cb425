//! The commands, against a server and against the file: the same words, codes and faults.

use serde_json::{Value, json};

use super::child::{Home, Said, Server};

/// Where a command asks.
enum Way<'a> {
    File(&'a Home),
    Server(&'a Home, &'a Server),
}

impl Way<'_> {
    fn run(&self, arguments: &[&str]) -> Said {
        match self {
            Way::File(home) => home.run(arguments),
            Way::Server(home, server) => {
                let url = format!("http://{}", server.at);
                // The file must not be needed: it may be on another machine.
                let elsewhere = home.path().join("elsewhere");
                let mut command = home.command();
                command.env("DATA_DIR", &elsewhere).env("CONVEYOR_URL", url);
                let said = super::child::said(command.args(arguments));
                assert!(!elsewhere.join("conveyor.db").exists());
                said
            }
        }
    }

    /// What a command that went well wrote.
    fn done(&self, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
        said.out
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let out = self.done(&[arguments, &["--output", "json"]].concat());
        serde_json::from_str(&out).unwrap()
    }

    /// The reason of a command that was refused.
    fn refused(&self, code: i32, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!((said.code, said.out.as_str()), (Some(code), ""), "{said:?}");
        said.err
    }
}

/// The same tour for both ways, on a queue with nothing in it.
fn tour(way: &Way<'_>) {
    let exact = r#"{"n":12345678901234567890}"#;
    let id = way.done(&[
        "enqueue",
        "report.build",
        "--payload",
        exact,
        "--queue",
        "a b",
        "--delay",
        "3600",
        "--tag",
        "x",
        "--tag",
        "y",
    ]);
    let id = id.trim();
    assert_eq!(id, "1");
    let shown = way.done(&["jobs", "show", id]);
    for part in [exact, "report.build", "a b", "scheduled"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let whole = way.json(&["jobs", "show", id]);
    assert_eq!(whole["tags"], json!(["x", "y"]));
    let list = way.done(&["jobs", "list", "kind:report.build"]);
    let rows: Vec<&str> = list.lines().collect();
    assert_eq!(rows.len(), 2, "{list}");
    assert!(
        rows[0].starts_with("ID") && rows[1].starts_with('1'),
        "{list}"
    );
    assert_eq!(
        way.json(&["jobs", "list", "state:dead"])["items"],
        json!([])
    );

    assert_eq!(way.done(&["jobs", "cancel", id]), "1 cancelled\n");
    assert_eq!(way.done(&["jobs", "retry", id]), "1 ready\n");
    let some = way.run(&["jobs", "retry", "99", id]);
    assert_eq!(some.code, Some(1), "{some:?}");
    assert!(some.err.contains("99: "), "{some:?}");

    let queues = way.done(&["queues"]);
    assert!(
        queues.starts_with("NAME") && queues.contains("a b"),
        "{queues}"
    );
    assert_eq!(way.json(&["queues"])[0]["ready"], 1);
    assert!(way.done(&["schedules", "list"]).starts_with("NAME"));
    let preview = way.done(&[
        "schedules",
        "preview",
        "30 8 * * 1",
        "--tz",
        "Europe/Berlin",
        "-n",
        "3",
    ]);
    let fires: Vec<&str> = preview.lines().skip(1).collect();
    assert_eq!(fires.len(), 3, "{preview}");
    for fire in fires {
        let (berlin, utc) = fire.split_once("  (").expect("both clocks");
        assert!(
            berlin.contains("T08:30:00+0") && utc.ends_with("Z)"),
            "{fire}"
        );
    }

    for (arguments, parts) in [
        (&["enqueue", "a b"][..], &["/kind", "A–Z"][..]),
        (
            &["enqueue", "k", "--priority", "12"],
            &["/priority", "0 to 9"],
        ),
        (&["enqueue", "k", "--queue", " x"], &["/queue"]),
        (&["enqueue", "k", "--payload", "{"], &["payload"]),
        (&["jobs", "show", "99"], &["99"]),
        (&["jobs", "list", "state:odd"], &["state", "dead"]),
        (&["schedules", "preview", "61 * * * *"], &["/cron", "61"]),
        (
            &["schedules", "preview", "* * * * *", "--tz", "Mars/Base"],
            &["/timezone", "Mars/Base"],
        ),
    ] {
        let why = way.refused(1, arguments);
        for part in parts {
            assert!(why.contains(part), "{part} of {arguments:?}: {why}");
        }
    }
}

#[test]
fn commands_work_on_the_file() {
    let home = Home::new();
    let way = Way::File(&home);
    // Nothing is made by asking, least of all an empty queue in the wrong folder.
    for arguments in [&["jobs", "list"][..], &["queues"], &["jobs", "cancel", "1"]] {
        let why = way.refused(1, arguments);
        assert!(
            why.contains("no database at") && why.contains("DATA_DIR"),
            "{why}"
        );
    }
    way.done(&["schedules", "preview", "@daily"]);
    assert!(!home.path().join("data").exists());
    tour(&way);
}

#[test]
fn a_server_is_asked_with_a_token_and_none_is_made() {
    let home = Home::new();
    let mut command = home.command();
    command.env_remove("API_TOKEN");
    let said = super::child::said(command.args(["queues", "--url", "http://127.0.0.1:9"]));
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
    assert!(
        said.err.contains("--token") && said.err.contains("API_TOKEN"),
        "{said:?}"
    );
    assert!(!home.path().join("data").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commands_work_on_a_server() {
    let home = Home::new();
    let server = home.serve(&[("WORKERS", "0")]).await;
    let way = Way::Server(&home, &server);
    tokio::task::block_in_place(|| {
        tour(&way);
        assert_eq!(way.done(&["health"]), "ready\n");
        assert_eq!(way.json(&["health"]), json!({"ready": true}));
        let why = way.refused(1, &["queues", "--token", "wrong"]);
        assert!(why.contains("token"), "{why}");
    });
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let home = Home::new();
    let port = {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        taken.local_addr().unwrap().port()
    };
    let url = format!("http://127.0.0.1:{port}");
    for arguments in [&["health"][..], &["queues"], &["enqueue", "k"]] {
        let said = home.run(&[arguments, &["--url", &url]].concat());
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
        assert!(
            said.err.contains(&url) && said.err.contains("does not answer"),
            "{said:?}"
        );
    }
}

#[test]
fn wrong_use_names_the_fault_and_what_is_allowed() {
    let home = Home::new();
    for (arguments, parts) in [
        (
            &["queues", "--output", "xml"][..],
            &["--output", "table", "json"][..],
        ),
        (&["jobs", "show", "x"], &["<ID>", "'x'"]),
        (&["jobs", "retry"], &["<IDS>"]),
        (&["enqueue"], &["<KIND>"]),
        (
            &["enqueue", "k", "--delay", "1", "--run-at", "now"],
            &["--delay", "--run-at"],
        ),
        (&["queues", "--url", "not a url"], &["--url", "http://"]),
        (&["frobnicate"], &["frobnicate", "--help"]),
        (&["serve", "--port", "x"], &["PORT", "for example"]),
    ] {
        let said = home.run(arguments);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{said:?}");
        for part in parts {
            assert!(said.err.contains(part), "{part} of {arguments:?}: {said:?}");
        }
    }
    assert!(!home.path().join("data").exists());
}

#[test]
fn settings_are_shown_with_where_they_come_from_and_without_secrets() {
    let home = Home::new();
    let said = home.run(&["config", "show", "--workers", "3"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let row = |name: &str| -> Vec<&str> {
        let row = said.out.lines().find(|row| row.starts_with(name));
        row.unwrap_or_default().split_whitespace().collect()
    };
    assert_eq!(row("SETTING"), ["SETTING", "VALUE", "ORIGIN"]);
    assert_eq!(row("WORKERS")[1], "3");
    assert_eq!(row("PORT")[1], "0");
    assert_ne!(row("WORKERS")[2], row("PORT")[2]);
    assert_ne!(row("HOST")[2], row("PORT")[2]);
    assert!(!said.out.contains(crate::support::app::TOKEN));
    let json: Value =
        serde_json::from_str(&home.run(&["config", "show", "-o", "json"]).out).unwrap();
    assert!(json.as_array().unwrap().len() > 15);
}

#[test]
fn the_openapi_document_needs_no_queue() {
    let home = Home::new();
    let said = home.run(&["openapi"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let document: Value = serde_json::from_str(&said.out).unwrap();
    assert!(document["paths"]["/api/v1/jobs"]["post"].is_object());
    assert!(!home.path().join("data").exists());
}

#[test]
fn a_payload_comes_from_a_file_or_from_standard_input() {
    let home = Home::new();
    let text = "{\"big\": 9007199254740993,\n \"text\": \"ё\"}";
    std::fs::write(home.path().join("payload.json"), text).unwrap();
    let way = Way::File(&home);
    let id = way.done(&["enqueue", "k", "--payload", "@payload.json"]);
    let mut command = home.command();
    command.args(["enqueue", "k", "--payload", "-"]);
    command.stdin(std::fs::File::open(home.path().join("payload.json")).unwrap());
    let said = super::child::said(&mut command);
    assert_eq!(said.code, Some(0), "{said:?}");
    for id in [id.trim(), said.out.trim()] {
        let job = way.done(&["jobs", "show", id, "--output", "json"]);
        assert!(job.contains("9007199254740993,\n"), "{job}");
    }
    let why = way.refused(1, &["enqueue", "k", "--payload", "@missing.json"]);
    assert!(why.contains("missing.json"), "{why}");
}
