//! What a reader chooses for themselves, and the word that the next page tells once.

use axum::http::Method;
use conveyor_model::filter::percent_encode;

use super::browser::Browser;
use super::html::{Form, forms};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn language_theme_and_clock_are_chosen_by_forms_and_stay() {
    let browser = Browser::new().await;
    let path = "/jobs?state=dead&q=a%20b";
    let choice = async |name: &str, value: &str| {
        let page = browser.open(path).await;
        let all = forms(&page.pieces);
        let form = all.into_iter().find(|form| form.action == "/preferences");
        browser
            .submit(&form.expect("the switches").set(name, value))
            .await
    };
    let page = choice("lang", "ru").await;
    assert_eq!(page.path, path);
    page.is_whole(200, "ru");
    let page = choice("theme", "dark").await;
    assert_eq!(page.tags("html")[0].get("data-theme"), Some("dark"));
    let page = choice("zone", "local").await;
    assert_eq!(page.tags("html")[0].get("data-zone"), Some("local"));
    let other = browser.open("/help").await;
    other.is_whole(200, "ru");
    assert_eq!(other.tags("html")[0].get("data-theme"), Some("dark"));
    for (name, odd) in [("lang", "tlh"), ("theme", "\"><script>"), ("zone", "mars")] {
        choice(name, odd).await.is_whole(200, "ru");
    }
    let away = Form {
        action: "/preferences".to_owned(),
        fields: vec![
            ("return_to".to_owned(), "//evil.example".to_owned()),
            ("lang".to_owned(), "en".to_owned()),
        ],
    };
    assert_eq!(browser.send(&away).await, "/");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_page_without_scripts_is_loaded_again_as_often_as_its_address_says() {
    let browser = Browser::new().await;
    let page = browser.open("/jobs?queue=a%20b").await;
    let reload = |seconds: &str| format!("content=\"{seconds}\"");
    let on = "/jobs?queue=a%20b&refresh=30".to_owned();
    assert!(page.links().contains(&on), "{:?}", page.links());
    assert!(!page.raw.contains("http-equiv"));
    let page = browser.open(&on).await;
    page.is_whole(200, "en");
    let quiet = page.raw.split("<noscript>").nth(1).unwrap_or_default();
    assert!(quiet.contains(&reload("30")), "only where no script runs");
    assert!(page.links().contains(&"/jobs?queue=a%20b".to_owned()));
    for odd in ["0", "4", "3601", "x", "-30", "%22%3E%3Cscript%3E"] {
        let page = browser.open(&format!("/queues?refresh={odd}")).await;
        page.is_whole(200, "en");
        assert!(!page.raw.contains("http-equiv"), "{odd}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_forged_word_of_the_last_action_is_no_more_than_text() {
    let browser = Browser::new().await;
    for forged in [
        "{\"Err\":{\"Transport\":\"<script>alert(1)</script>\"}}",
        "{\"Ok\":{\"Paused\":{\"queue\":\"<script>alert(1)</script>\"}}}",
        "{\"Ok\":{\"Unknown\":1}}",
        "[[[[[[",
        "%",
    ] {
        let mut cookie = String::new();
        percent_encode(forged, &mut cookie);
        browser.set("conveyor_flash", &cookie);
        let page = browser.open("/help").await;
        page.is_whole(200, "en");
        assert!(!page.raw.contains("<script>alert"), "{forged}");
        assert_eq!(browser.open("/help").await.notice(), "", "{forged}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn logging_out_ends_what_the_browser_may_see() {
    let browser = Browser::new().await;
    let page = browser.open("/").await;
    let all = forms(&page.pieces);
    let out = all.into_iter().find(|form| form.action == "/logout");
    assert_eq!(browser.send(&out.expect("a way out")).await, "/login");
    let reply = browser.app.visit(Method::GET, "/jobs", "", &[]).await;
    assert_eq!(reply.status, 303);
    browser.open("/login").await.is_whole(200, "en");
}
