//! Every page is whole, in both languages, and what does not exist is said in words.

use axum::http::Method;

use super::browser::Browser;
use super::scene::{Words, fill, pages, segment};
use crate::support::app::TestApp;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_page_has_one_heading_a_title_and_its_language() {
    let browser = Browser::new().await;
    let words = Words::plain();
    let all = pages(&words, fill(&browser.app, &words).await);
    for lang in ["en", "ru"] {
        browser.set("lang", lang);
        for path in &all {
            browser.open(path).await.is_whole(200, lang);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_empty_queue_has_whole_pages_too() {
    let browser = Browser::new().await;
    for path in [
        "/",
        "/jobs",
        "/jobs/new",
        "/queues",
        "/schedules",
        "/schedules/new",
        "/workers",
        "/dead",
        "/help",
        "/login",
    ] {
        browser.open(path).await.is_whole(200, "en");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn titles_tell_the_pages_apart() {
    let browser = Browser::new().await;
    let mut titles = Vec::new();
    for path in [
        "/",
        "/jobs",
        "/jobs/new",
        "/queues",
        "/schedules",
        "/schedules/new",
        "/workers",
        "/dead",
        "/help",
        "/login",
    ] {
        let page = browser.open(path).await;
        titles.push(super::html::inside(&page.pieces, "title")[0].clone());
    }
    let all = titles.len();
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), all, "{titles:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_language_comes_from_the_address_the_cookie_or_the_browser() {
    let browser = Browser::new().await;
    let lang = async |path: &str, accept: &str| {
        let page = browser
            .open_with(path, &[("accept-language", accept)])
            .await;
        page.tags("html")[0].get("lang").unwrap().to_owned()
    };
    for (accept, expected) in [
        ("ru", "ru"),
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("de,ru;q=0.5,en;q=0.3", "ru"),
        ("en;q=0.9,ru;q=0.1", "en"),
        ("de", "en"),
        ("ru;q=0", "en"),
        (",;q=x,,", "en"),
    ] {
        assert_eq!(lang("/help", accept).await, expected, "{accept}");
    }
    browser.set("lang", "en");
    assert_eq!(lang("/help", "ru").await, "en");
    assert_eq!(lang("/help?lang=ru", "en").await, "ru");
    // The choice in the address is kept.
    assert_eq!(lang("/help", "en").await, "ru");
    browser.set("lang", "tlh");
    assert_eq!(lang("/help", "ru").await, "ru");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_does_not_exist_is_a_whole_page_that_says_so() {
    let browser = Browser::new().await;
    let missing = [
        ("/nothing", "", ""),
        ("/jobs/1/nothing", "", ""),
        ("/jobs/7", "There is no job #7", "Задачи №7 нет"),
        ("/jobs/x", "“x” is no job id", "«x» — не номер задачи"),
        ("/jobs/-1", "“-1” is no job id", "«-1» — не номер задачи"),
        (
            "/jobs/9223372036854775808",
            "is no job id",
            "не номер задачи",
        ),
        ("/jobs/7?edit=1", "There is no job #7", "Задачи №7 нет"),
        ("/schedules/daily", "daily", "daily"),
        ("/schedules/daily/edit", "daily", "daily"),
        (
            "/schedules/a%2Fb%20c%3F%D0%B4%2525",
            "a/b c?д%25",
            "a/b c?д%25",
        ),
    ];
    for (lang, choose) in [("en", 0), ("ru", 1)] {
        browser.set("lang", lang);
        for (path, en, ru) in missing {
            let page = browser.open(path).await;
            page.is_whole(404, lang);
            let said = [en, ru][choose];
            assert!(
                page.text().contains(said),
                "{said} on {path}: {}",
                page.text()
            );
            assert!(
                page.links().iter().any(|link| link == "/jobs"),
                "no frame at {path}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_list_of_a_queue_that_does_not_exist_is_empty_and_says_why() {
    let browser = Browser::new().await;
    for path in [
        "/jobs?queue=nothing",
        "/jobs?kind=nothing",
        "/jobs?q=queue:nothing",
    ] {
        let page = browser.open(path).await;
        page.is_whole(200, "en");
        assert!(page.text().contains("nothing"), "{}", page.text());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_query_that_means_nothing_never_breaks_a_page() {
    let browser = Browser::new().await;
    fill(&browser.app, &Words::plain()).await;
    let odd = segment("\u{0}<%>\"'&=+\u{202e}");
    for path in [
        "/",
        "/jobs",
        "/jobs/new",
        "/schedules/new",
        "/dead",
        "/jobs/1",
        "/login",
    ] {
        for query in [
            "state=odd",
            "range=century",
            "after=x",
            "before=-1",
            "q=state:odd",
            "draft=nothing",
            "copy=x",
            "copy=99",
            "edit",
            "%",
            "%ff=%fe",
            "a=b=c&&&=",
            "lang=",
            "refused=odd",
            &format!("q={odd}"),
            &format!("queue={odd}"),
            &format!("cron={odd}&kind={odd}"),
        ] {
            let page = browser.open(&format!("{path}?{query}")).await;
            assert!(
                page.status < 500,
                "{path}?{query}: {} {}",
                page.status,
                page.text()
            );
            page.is_whole(page.status, "en");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_reader_who_is_not_logged_in_sees_nothing_of_the_queue() {
    let app = TestApp::new().await;
    let words = Words::new("hidden-queue", "hidden-text");
    for path in pages(&words, fill(&app, &words).await) {
        let reply = app.visit(Method::GET, &path, "", &[]).await;
        if path == "/login" {
            assert_eq!(reply.status, 200);
        } else {
            let location = reply.header("location").unwrap_or_default();
            assert!(
                reply.status == 303 && location.starts_with("/login"),
                "{path}: {} {location}",
                reply.status
            );
        }
        assert!(!reply.text.contains("hidden-"), "{path}");
    }
}
