//! The list of jobs says what it was asked for, and finds what people look for.

use super::browser::{Browser, Page};
use super::html::inside;
use super::scene::{Words, fill};

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
