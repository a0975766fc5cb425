//! The project's own rules that no compiler lint can state.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::place::Place;
use crate::{digest, say};

/// One thing that must not be in some files.
struct Rule {
    /// Folders it holds in.
    within: &'static [&'static str],
    /// Path beginnings that are free of it.
    except: &'static [&'static str],
    /// Texts that break it.
    texts: &'static [&'static str],
    /// Whether a comment can break it.
    in_comments: bool,
    /// What it protects.
    reason: &'static str,
}

const SOURCE: &[&str] = &["src", "app/src", "model/src"];

const RULES: [Rule; 5] = [
    Rule {
        within: SOURCE,
        // The floor of the benchmark is SQLite without the store.
        except: &["src/store", "src/store.rs", "src/bench/floor.rs"],
        texts: &[
            "sqlx::",
            "\"SELECT ",
            "\"INSERT INTO ",
            "\"UPDATE ",
            "\"DELETE FROM ",
        ],
        in_comments: false,
        reason: "SQL belongs in src/store",
    },
    Rule {
        within: SOURCE,
        except: &["src/config", "src/main.rs"],
        texts: &["std::env::", "env::var"],
        in_comments: false,
        reason: "only src/config reads the environment",
    },
    Rule {
        within: &["app/src"],
        except: &[],
        texts: &["inner_html", "innerHTML"],
        in_comments: false,
        reason: "text from a job must not become markup",
    },
    Rule {
        within: &["app/src"],
        except: &[],
        texts: &["GetUrl", "GetCbor", "GetJson"],
        in_comments: false,
        reason: "a link must not be able to call a server function",
    },
    Rule {
        within: &["src", "app/src", "model/src", "tests", "xtask/src"],
        except: &["xtask/src/rules.rs"],
        texts: &["TODO", "FIXME", "XXX"],
        in_comments: true,
        reason: "finish it or leave it out",
    },
];

/// Names that say nothing about what is in a file.
const EMPTY_NAMES: [&str; 6] = [
    "mod.rs",
    "utils.rs",
    "util.rs",
    "common.rs",
    "helpers.rs",
    "misc.rs",
];

/// Reads every source file and reports each broken rule with its line.
pub(crate) fn check(place: &Place) -> Result<()> {
    let mut broken = 0_usize;
    for folder in ["src", "app/src", "model/src", "tests", "xtask/src"] {
        for name in digest::files(&place.root.join(folder))? {
            let name = Path::new(folder).join(name);
            if name.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(place.root.join(&name))?;
                for complaint in complaints(&name.to_string_lossy(), &text) {
                    say::note(&complaint);
                    broken += 1;
                }
            }
        }
    }
    if broken > 0 {
        bail!("{broken} places break a rule");
    }
    Ok(())
}

/// What is wrong with one file, each as `path:line: reason`.
fn complaints(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !text.starts_with("//!") && !text.starts_with("#!") {
        found.push(format!(
            "{name}:1: a file opens with a //! line that says what it is for"
        ));
    }
    if EMPTY_NAMES
        .iter()
        .any(|empty| Path::new(name).ends_with(empty))
    {
        found.push(format!("{name}:1: a file is named for what it holds"));
    }
    for rule in RULES.iter().filter(|rule| rule.holds_in(name)) {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let read = if rule.in_comments { line } else { code };
            if rule.texts.iter().any(|text| read.contains(text)) {
                found.push(format!("{name}:{}: {}", number + 1, rule.reason));
            }
        }
    }
    found
}

impl Rule {
    fn holds_in(&self, name: &str) -> bool {
        let under = |folder: &&str| {
            name.strip_prefix(*folder)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
        };
        self.within.iter().any(under) && !self.except.iter().any(|free| name.starts_with(free))
    }
}

#[cfg(test)]
mod tests {
    use super::complaints;

    #[test]
    fn sql_is_allowed_in_the_store_only() {
        let text = "//! x\nfn f() { run(\"SELECT 1\") }\n";
        assert_eq!(
            complaints("src/http/jobs.rs", text),
            ["src/http/jobs.rs:2: SQL belongs in src/store"]
        );
        assert!(complaints("src/store/sqlite.rs", text).is_empty());
        assert!(complaints("tests/store.rs", text).is_empty());
    }

    #[test]
    fn a_comment_may_name_what_code_may_not_do() {
        assert!(complaints("app/src/parts/text.rs", "//! x\n// never inner_html\n").is_empty());
        assert_eq!(
            complaints("app/src/parts/text.rs", "//! x\nview(inner_html)\n").len(),
            1
        );
    }

    #[test]
    fn a_file_without_an_opening_line_is_found() {
        assert_eq!(complaints("src/a.rs", "fn f() {}\n").len(), 1);
        assert_eq!(complaints("src/a/mod.rs", "//! x\n").len(), 1);
    }
}
