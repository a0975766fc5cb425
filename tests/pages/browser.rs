//! A browser without scripts: it keeps cookies, follows links and sends forms.

use std::collections::BTreeMap;
use std::sync::Mutex;

use axum::http::Method;
use conveyor_model::filter::percent_encode;

use super::html::{self, Form, Piece, Tag};
use crate::support::app::{Reply, TestApp};

/// What a browser says it understands.
const ACCEPT: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

/// A browser at a server of its own.
pub(super) struct Browser {
    pub(super) app: TestApp,
    cookies: Mutex<BTreeMap<String, String>>,
}

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) path: String,
    pub(super) status: u16,
    pub(super) raw: String,
    pub(super) pieces: Vec<Piece>,
}

impl Browser {
    /// A browser whose reader is logged in.
    pub(super) async fn new() -> Browser {
        Browser::at(TestApp::new().await).await
    }

    pub(super) async fn at(app: TestApp) -> Browser {
        let session = app.log_in().await;
        let browser = Browser {
            app,
            cookies: Mutex::default(),
        };
        let (name, value) = session.split_once('=').unwrap();
        browser.set(name, value);
        browser
    }

    /// Puts a cookie.
    pub(super) fn set(&self, name: &str, value: &str) {
        let mut cookies = self.cookies.lock().unwrap();
        cookies.insert(name.to_owned(), value.to_owned());
    }

    fn cookies(&self) -> String {
        let cookies = self.cookies.lock().unwrap();
        let pairs: Vec<String> = cookies.iter().map(|(n, v)| format!("{n}={v}")).collect();
        pairs.join("; ")
    }

    fn keep(&self, reply: &Reply) {
        for cookie in reply.headers.get_all("set-cookie") {
            let text = cookie.to_str().unwrap();
            let (name, value) = text.split(';').next().unwrap().split_once('=').unwrap();
            if text.contains("Max-Age=0") {
                self.cookies.lock().unwrap().remove(name);
            } else {
                self.set(name, value);
            }
        }
    }

    /// Opens an address.
    pub(super) async fn open(&self, path: &str) -> Page {
        self.open_with(path, &[]).await
    }

    /// The same with further headers.
    pub(super) async fn open_with(&self, path: &str, headers: &[(&str, &str)]) -> Page {
        let cookies = self.cookies();
        let all = [&[ACCEPT, ("cookie", &cookies)], headers].concat();
        let reply = self.app.visit(Method::GET, path, "", &all).await;
        self.keep(&reply);
        assert!(
            reply.status != 303,
            "{path} leads to {:?}",
            reply.header("location")
        );
        let kind = reply.header("content-type").unwrap_or_default();
        assert!(
            kind.starts_with("text/html"),
            "{path} is {kind}: {}",
            reply.text
        );
        Page {
            path: path.to_owned(),
            status: reply.status,
            pieces: html::read(&reply.text),
            raw: reply.text,
        }
    }

    /// Sends a form; answers where it leads.
    pub(super) async fn send(&self, form: &Form) -> String {
        let reply = self.post(form).await;
        assert_eq!(reply.status, 303, "{form:?} {}", reply.text);
        reply.header("location").expect("an address").to_owned()
    }

    /// Sends a form; answers whatever comes.
    pub(super) async fn post(&self, form: &Form) -> Reply {
        let mut body = String::new();
        for (name, value) in &form.fields {
            if !body.is_empty() {
                body.push('&');
            }
            percent_encode(name, &mut body);
            body.push('=');
            percent_encode(value, &mut body);
        }
        let cookies = self.cookies();
        let headers = [
            ACCEPT,
            ("cookie", cookies.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
            ("origin", "http://localhost"),
        ];
        let reply = self
            .app
            .visit(Method::POST, &form.action, &body, &headers)
            .await;
        self.keep(&reply);
        reply
    }

    /// Sends a form and opens where it leads.
    pub(super) async fn submit(&self, form: &Form) -> Page {
        let path = self.send(form).await;
        assert!(path.starts_with('/') && !path.starts_with("//"), "{path}");
        self.open(&path).await
    }
}

impl Page {
    /// The form that is posted to this server function; `pairs` tell it from others.
    pub(super) fn form(&self, name: &str, pairs: &[(&str, &str)]) -> Form {
        let action = format!("/rpc/{name}");
        let fits = |form: &Form| {
            form.action == action && pairs.iter().all(|(name, value)| form.value(name) == *value)
        };
        let found = html::forms(&self.pieces).into_iter().find(fits);
        found.unwrap_or_else(|| panic!("no form {name} {pairs:?} on {}", self.path))
    }

    /// Whether there is such a form.
    pub(super) fn has_form(&self, name: &str, pairs: &[(&str, &str)]) -> bool {
        let action = format!("/rpc/{name}");
        html::forms(&self.pieces).iter().any(|form| {
            form.action == action && pairs.iter().all(|(name, value)| form.value(name) == *value)
        })
    }

    /// The tags of a name.
    pub(super) fn tags(&self, name: &str) -> Vec<&Tag> {
        let tags = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Open(tag) if tag.name == name || name == "*" => Some(tag),
            Piece::Open(_) | Piece::Close(_) | Piece::Text(_) => None,
        });
        tags.collect()
    }

    /// All that can be read, in one line.
    pub(super) fn text(&self) -> String {
        html::texts(&self.pieces, &["script", "style", "head"]).join(" | ")
    }

    /// What stands in the notice of the last action; empty when there is none.
    pub(super) fn notice(&self) -> String {
        let from = self.pieces.iter().position(
            |piece| matches!(piece, Piece::Open(tag) if tag.get("class") == Some("notice")),
        );
        let Some(from) = from else {
            return String::new();
        };
        html::inside(&self.pieces[from..], "p")
            .first()
            .cloned()
            .unwrap_or_default()
    }

    /// Where its links lead, on this site.
    pub(super) fn links(&self) -> Vec<String> {
        let links = self.tags("a").into_iter().filter_map(|tag| tag.get("href"));
        let own = links.filter(|href| href.starts_with('/') && !href.starts_with("//"));
        own.map(|href| href.split('#').next().unwrap_or_default().to_owned())
            .collect()
    }

    /// The page is whole: status, one heading, a title, a language.
    pub(super) fn is_whole(&self, status: u16, lang: &str) {
        assert_eq!(self.status, status, "{}", self.path);
        let headings = html::inside(&self.pieces, "h1");
        assert_eq!(headings.len(), 1, "{}: {headings:?}", self.path);
        assert!(!headings[0].trim().is_empty(), "{}", self.path);
        let titles = html::inside(&self.pieces, "title");
        // A sign drawn as SVG may have a title of its own; the document has one in its head.
        assert!(
            titles.first().is_some_and(|title| !title.trim().is_empty()),
            "{}",
            self.path
        );
        assert_eq!(
            self.tags("html")[0].get("lang"),
            Some(lang),
            "{}",
            self.path
        );
        assert_eq!(self.tags("main").len(), 1, "{}", self.path);
    }
}
