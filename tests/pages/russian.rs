//! A Russian page is Russian from top to bottom, an English one English.

use super::browser::{Browser, Page};
use super::html::texts;
use super::scene::{Words, fill, pages};

/// What stands in the type of code is data or something to type.
const DATA: [&str; 8] = [
    "script", "style", "code", "pre", "kbd", "option", "textarea", "datalist",
];
/// What a browser reads out or shows beside the text.
const SPOKEN: [&str; 4] = ["aria-label", "title", "placeholder", "alt"];

fn is_cyrillic(c: char) -> bool {
    matches!(c, 'А'..='я' | 'ё' | 'Ё')
}

/// Everything of a page that is meant to be read.
fn readable(page: &Page) -> Vec<String> {
    let mut all = texts(&page.pieces, &DATA);
    for tag in page.tags("*") {
        all.extend(
            SPOKEN
                .iter()
                .filter_map(|name| tag.get(name))
                .map(str::to_owned),
        );
    }
    all
}

/// Runs of Latin words: one or two may be a name, three in a row are a sentence.
fn english(text: &str) -> Option<String> {
    let mut run: Vec<&str> = Vec::new();
    for word in text.split(' ') {
        let bare = word.trim_matches(|c: char| ",.:;!?…()«»".contains(c));
        let latin = !bare.is_empty() && bare.chars().all(|c| c.is_ascii_alphabetic() || c == '\'');
        if latin {
            run.push(word);
            if run.len() == 3 {
                return Some(run.join(" "));
            }
        } else {
            run.clear();
        }
    }
    None
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_english_sentence_is_left_on_a_russian_page() {
    let browser = Browser::new().await;
    let words = Words::plain();
    let mut all = pages(&words, fill(&browser.app, &words).await);
    all.extend(["/nothing", "/jobs/x", "/jobs/99", "/schedules/none"].map(str::to_owned));
    browser.set("lang", "ru");
    let mut left = Vec::new();
    for path in &all {
        let page = browser.open(path).await;
        for text in readable(&page) {
            left.extend(english(&text).map(|run| format!("{path}: {run} (in {text:?})")));
        }
        for place in ["h1", "title"] {
            let heading = super::html::inside(&page.pieces, place)[0].clone();
            // The heading of a job or a schedule is its name; the dead letter is called so in Russian too.
            let name =
                ["email.send", "report.build", "mail", "Dead-letter"].contains(&heading.trim());
            assert!(
                name || heading.chars().any(is_cyrillic),
                "{path}: {heading}"
            );
        }
    }
    left.sort();
    left.dedup();
    assert!(left.is_empty(), "{left:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_russian_word_is_on_an_english_page() {
    let browser = Browser::new().await;
    let words = Words::plain();
    for path in pages(&words, fill(&browser.app, &words).await) {
        let page = browser.open(&path).await;
        for text in readable(&page) {
            let russian = text.chars().any(is_cyrillic);
            // The switch names each language in itself.
            assert!(
                !russian || ["Русский", "РУ", "Ру"].contains(&text.trim()),
                "{path}: {text}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn outcomes_and_refusals_are_told_in_russian() {
    let browser = Browser::new().await;
    browser.set("lang", "ru");
    let form = browser.open("/jobs/new").await.form("enqueue", &[]);
    let bad = browser.submit(&form.clone().set("job[kind]", "a b")).await;
    assert!(bad.notice().contains("Нельзя принять"), "{}", bad.notice());
    let good = browser.submit(&form.set("job[kind]", "k")).await;
    assert!(
        good.notice().contains("Задача №1 поставлена."),
        "{}",
        good.notice()
    );
    let cancel = good.form("act", &[("action", "cancel")]);
    let gone = browser.submit(&cancel.set("id", "99")).await;
    assert!(
        gone.notice().contains("Задачи 99 нет."),
        "{}",
        gone.notice()
    );
}
