//! A payload in a line: its first words and numbers, since a list without them is of no use when all
//! jobs are of one kind.

/// How many values a line holds, and how long one may be.
const MOST_VALUES: usize = 3;
const LONGEST_VALUE: usize = 64;

/// What mostly tells one job from another of its kind, and so goes first.
const TELLING: [&str; 9] = [
    "to", "url", "source", "path", "file", "name", "subject", "title", "id",
];
/// What tells little: the body of a message, and how long one waits. Shown when there is no more.
const DULL: [&str; 6] = ["html", "text", "body", "content", "timeout", "timeout_s"];

/// The values at the top of a payload's object, telling ones first: strings as they are, `POST` and
/// an address together, numbers and truths with their name. Reads as much of a cut-off text as it can;
/// what is no object stays as it is.
pub(super) fn summary(preview: &str) -> String {
    let mut reader = Reader { rest: preview };
    let Some(values) = reader.object() else {
        return preview.to_owned();
    };
    let mut values: Vec<(String, Value)> = values;
    values.sort_by_key(|(name, value)| rank(name, value));
    let mut shown: Vec<String> = Vec::new();
    for (name, value) in values {
        if !shown.is_empty() && rank(&name, &value) == usize::MAX {
            break;
        }
        let text = match value {
            Value::Text(text) if text.is_empty() => continue,
            Value::Text(text) => cut(trimmed_address(&text)),
            Value::Plain(text) => format!("{} {}", cut(&name), cut(&text)),
            Value::Nested => continue,
        };
        if name == "method" {
            shown.insert(0, text);
        } else {
            shown.push(text);
        }
        if shown.len() == MOST_VALUES {
            break;
        }
    }
    if shown.is_empty() {
        preview.to_owned()
    } else {
        shown.join(" · ")
    }
}

/// The place of a value in the line: the telling ones in their order, then the others, then the dull.
fn rank(name: &str, value: &Value) -> usize {
    let whole_lines = |text: &str| text.trim_start().starts_with('<') || text.trim().contains('\n');
    let dull = DULL.contains(&name) || matches!(value, Value::Text(text) if whole_lines(text));
    if dull {
        return usize::MAX;
    }
    let telling = TELLING.iter().position(|telling| *telling == name);
    telling.unwrap_or(TELLING.len())
}

fn trimmed_address(text: &str) -> &str {
    let text = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .unwrap_or(text);
    text.trim_end_matches('/')
}

fn cut(text: &str) -> String {
    let mut out: String = text.chars().take(LONGEST_VALUE).collect();
    if out.len() < text.len() {
        out.pop();
        out.push('…');
    }
    out.replace(char::is_control, " ")
}

enum Value {
    Text(String),
    Plain(String),
    Nested,
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// The names and values of the outer object, as far as the text goes.
    fn object(&mut self) -> Option<Vec<(String, Value)>> {
        self.blanks();
        self.rest = self.rest.strip_prefix('{')?;
        let mut values = Vec::new();
        while let Some((name, value)) = self.entry() {
            values.push((name, value));
            self.blanks();
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None => break,
            }
        }
        Some(values)
    }

    fn entry(&mut self) -> Option<(String, Value)> {
        self.blanks();
        let name = self.string()?;
        self.blanks();
        self.rest = self.rest.strip_prefix(':')?;
        self.blanks();
        let value = match self.rest.chars().next()? {
            '"' => Value::Text(self.string()?),
            '{' | '[' => {
                self.skip_nested()?;
                Value::Nested
            }
            _ => Value::Plain(self.plain()),
        };
        Some((name, value))
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\n', '\r', '\t']);
    }

    /// A string, to its end or to the end of the text.
    fn string(&mut self) -> Option<String> {
        let inner = self.rest.strip_prefix('"')?;
        let mut end = None;
        let mut escaped = false;
        for (at, c) in inner.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let end_or_all = end.unwrap_or(inner.len());
        let raw = &inner[..end_or_all];
        self.rest = &inner[end.map_or(inner.len(), |end| end + 1)..];
        let whole = format!("\"{raw}\"");
        Some(serde_json::from_str(&whole).unwrap_or_else(|_| raw.to_owned()))
    }

    fn plain(&mut self) -> String {
        let end = self
            .rest
            .find([',', '}', ' ', '\n', '\r', '\t'])
            .unwrap_or(self.rest.len());
        let (plain, rest) = self.rest.split_at(end);
        self.rest = rest;
        plain.to_owned()
    }

    /// Passes over an array or an object; nothing when the text ends within it.
    fn skip_nested(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.rest.chars().next()? {
                '"' => {
                    self.string()?;
                    continue;
                }
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let mut chars = self.rest.chars();
            chars.next();
            self.rest = chars.as_str();
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_stand_for_the_payload() {
        for (payload, line) in [
            (
                r#"{"to":"anna@example.org","subject":"Invoice 2231"}"#,
                "anna@example.org · Invoice 2231",
            ),
            (
                r#"{"url":"https://hooks.example.com/orders","method":"POST","body":{"a":1}}"#,
                "POST · hooks.example.com/orders",
            ),
            (
                r#"{"list":[1,"}"],"count":214,"dry":true}"#,
                "count 214 · dry true",
            ),
            (r#"{"a":"1","b":"2","c":"3","d":"4"}"#, "1 · 2 · 3"),
            (
                r#"{"data":{"n":1},"html":"<p>Dear</p>","subject":"Invoice","text":"Dear","to":"a@b.c"}"#,
                "a@b.c · Invoice",
            ),
            (r#"{"timeout_s":10,"url":"http://a.b/c"}"#, "a.b/c"),
            (
                r#"{"fit":"cover","height":360,"source":"shoe.jpg"}"#,
                "shoe.jpg · cover · height 360",
            ),
            (r#"{"note":"<b>x</b>","lines":"a\nb"}"#, "<b>x</b>"),
            (r#"{"body":"all there is"}"#, "all there is"),
            (r#"{"n":9223372036854775807}"#, "n 9223372036854775807"),
            (r#"{"a":"\u0434\n"}"#, "д "),
            ("{}", "{}"),
            ("null", "null"),
            ("[1,2]", "[1,2]"),
            (r#"{"deep":{"x":1}}"#, r#"{"deep":{"x":1}}"#),
        ] {
            assert_eq!(summary(payload), line, "{payload}");
        }
    }

    #[test]
    fn a_text_that_is_cut_off_is_read_to_its_end() {
        assert_eq!(summary(r#"{"to":"anna@exam…"#), "anna@exam…");
        assert_eq!(summary(r#"{"a":"b","c":{"d":…"#), "b");
        assert_eq!(summary(r#"{"a":"b\"#), "b\\");
        assert_eq!(summary("{"), "{");
        assert_eq!(summary(""), "");
    }
}
