//! Texts that want to be more than text.

use super::browser::{Browser, Page};
use super::scene::{Words, fill, pages};

/// Names may hold anything but control characters.
const NAMES: [&str; 5] = [
    "<script>alert(1)</script>",
    "\" autofocus onfocus=\"alert(1)",
    "'{{7*7}}${7*7}</textarea></title>",
    "\u{202e}gnp.exe \u{2066}&lt;b&gt;&amp;",
    "a/b c?д%25#&=+",
];

fn texts() -> Vec<String> {
    vec![
        "</script><script>alert(1)</script><img src=x onerror=alert(1)>".to_owned(),
        "\" onmouseover=\"alert(1)\" x='".to_owned(),
        "]]>--><!--</pre></textarea><svg onload=alert(1)>".to_owned(),
        format!("{} end", "<b>ж\u{202e}".repeat(2_000)),
        "bell\u{7} esc\u{1b}[31m tab\t line\nend &quot;".to_owned(),
    ]
}

/// Nothing on the page acts but what the page itself brings.
fn is_harmless(page: &Page, scripts: usize) {
    let path = &page.path;
    for tag in page.tags("*") {
        for (name, value) in &tag.attributes {
            assert!(!name.starts_with("on"), "{path}: {tag:?}");
            let address = matches!(name.as_str(), "href" | "src" | "action" | "formaction");
            let scheme = value.trim_start().to_ascii_lowercase();
            assert!(
                !address || !scheme.starts_with("javascript:"),
                "{path}: {tag:?}"
            );
        }
        assert!(
            !["img", "iframe", "object", "embed", "base"].contains(&tag.name.as_str()),
            "{path}: {tag:?}"
        );
    }
    for script in page.tags("script") {
        assert!(script.get("nonce").is_some(), "{path}: {script:?}");
    }
    assert_eq!(page.tags("script").len(), scripts, "{path}");
    for raw in ["<script>alert", "<img src=x", "<svg onload", "<b>ж"] {
        assert!(!page.raw.contains(raw), "{raw} on {path}");
    }
    assert!(!page.raw.contains('\0'), "{path}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_text_becomes_more_than_text_on_any_page() {
    // How many scripts a page has of its own.
    let plain = Browser::new().await;
    let words = Words::plain();
    let mut scripts = Vec::new();
    for path in pages(&words, fill(&plain.app, &words).await) {
        scripts.push(plain.open(&path).await.tags("script").len());
    }
    for (name, text) in NAMES.iter().zip(texts()) {
        let browser = Browser::new().await;
        let words = Words::new(name, &text);
        let all = pages(&words, fill(&browser.app, &words).await);
        for (path, scripts) in all.iter().zip(&scripts) {
            let page = browser.open(path).await;
            page.is_whole(200, "en");
            is_harmless(&page, *scripts);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_text_is_shown_as_it_is() {
    for (name, text) in NAMES.iter().zip(texts()) {
        let browser = Browser::new().await;
        let words = Words::new(name, &text);
        let scene = fill(&browser.app, &words).await;
        let note: String = text.chars().take(200).collect();
        let schedule = format!("/schedules/{}", super::scene::segment(name));
        for (path, shown) in [
            ("/queues".to_owned(), *name),
            ("/queues".to_owned(), note.trim()),
            ("/schedules".to_owned(), *name),
            (schedule, *name),
            ("/workers".to_owned(), *name),
            (format!("/jobs/{}", scene.running), *name),
            (
                format!("/jobs/{}", scene.dead),
                text.lines().next().unwrap_or_default(),
            ),
        ] {
            let page = browser.open(&path).await;
            let all = super::html::texts(&page.pieces, &["script", "style"]).concat();
            let (all, shown) = (squeezed(&all), squeezed(shown));
            let start: String = shown.chars().take(150).collect();
            assert!(all.contains(&start), "{start:?} is not on {path}: {all}");
        }
    }
}

/// White space is drawn as one blank, however much there is.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn hostile_addresses_are_no_more_than_text_either() {
    let browser = Browser::new().await;
    for name in NAMES {
        let name = super::scene::segment(name);
        for path in [
            format!("/jobs/{name}"),
            format!("/schedules/{name}"),
            format!("/schedules/{name}/edit"),
            format!("/{name}"),
            format!("/jobs?q={name}"),
            format!("/jobs?queue={name}&state={name}&after={name}"),
            format!("/jobs/new?kind={name}&draft={name}&copy={name}"),
            format!("/schedules/new?cron={name}&kind={name}"),
            format!("/login?return_to={name}&refused={name}"),
            format!("/?range={name}"),
        ] {
            let page = browser.open(&path).await;
            assert!(page.status < 500, "{path}");
            is_harmless(&page, page.tags("script").len());
        }
    }
}
