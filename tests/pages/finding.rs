//! The list of jobs says what it was asked for, and finds what people look for.

use super::browser::{Browser, Page};
use super::html::inside;
use super::scene::{Words, fill};

fn rows(page: &Page) -> Vec<String> {
    let boxes = page.tags("input").into_iter();
    boxes
        .filter(|tag| tag.get("name") == Some("ids[]"))
        .filter_map(|tag| tag.get("value").map(str::to_owned))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_bare_number_finds_the_job_of_that_id() {
    let browser = Browser::new().await;
    let scene = fill(&browser.app, &Words::plain()).await;
    let ready = scene.ready.to_string();
    let found = browser.open(&format!("/jobs?q={ready}")).await;
    assert_eq!(rows(&found), [ready.as_str()]);
    assert!(found.text().contains("1 job matches"), "{}", found.text());
    let other = browser.open(&format!("/jobs?state=dead&q={ready}")).await;
    assert!(rows(&other).is_empty(), "another filter still holds");
    let none = browser.open("/jobs?q=99").await;
    assert!(rows(&none).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_qualified_in_the_search_stands_in_its_own_field() {
    let browser = Browser::new().await;
    let scene = fill(&browser.app, &Words::plain()).await;
    let page = browser
        .open("/jobs?q=kind%3Aemail.send%20state%3Adead%20smtp")
        .await;
    assert_eq!(rows(&page), [scene.dead.to_string()]);
    let has = |name: &str, value: &str| {
        let named = |tag: &&super::html::Tag| tag.get("name") == Some(name);
        let mut fields = page.tags("input").into_iter().filter(named);
        fields.any(|tag| tag.get("value") == Some(value))
    };
    assert!(has("kind", "email.send") && has("state", "dead") && has("q", "smtp"));
    let text = page.text();
    assert!(text.contains("kind: email.send"), "{text}");
    assert!(text.contains("text: smtp"), "{text}");
    let empty = browser
        .open("/jobs?state=cancelled&queue=nope")
        .await
        .text();
    let why = "Nothing was found for state Cancelled, queue nope.";
    assert!(empty.contains(why), "{empty}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_jobs_of_one_cause_say_what_they_died_of() {
    let browser = Browser::new().await;
    fill(&browser.app, &Words::plain()).await;
    let group = browser.open("/dead").await.links();
    let group = group.iter().find(|link| link.contains("dead_group="));
    let group = group.expect("a link to the group").clone();
    let page = browser.open(&group).await;
    let text = page.text();
    assert!(
        text.contains("The first says: | mail | :  | smtp-7"),
        "{text}"
    );
    assert!(text.contains("one cause"), "{text}");
    let hash = group.split("dead_group=").nth(1).unwrap_or_default();
    assert!(!text.contains(hash), "{text}");
    assert!(page.links().iter().any(|link| link == "/dead"));
    assert_eq!(inside(&page.pieces, "h1")[0].trim(), "Jobs");
}
