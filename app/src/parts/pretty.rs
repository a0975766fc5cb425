//! JSON set out in lines for the eye. Only the blanks between its parts change: every number, string
//! and repeated key stays as it was written.

/// `text` with one entry a line, two blanks a level; short arrays and objects stay on theirs.
/// `text` must be valid JSON.
pub(crate) fn pretty(text: &str) -> String {
    let text = compact(text);
    let mut out = String::with_capacity(text.len() * 2);
    lay_out(&text, 0, &mut out);
    out
}

/// The longest array or object that stays on one line.
const SHORT: usize = 48;

/// `text` without blanks outside of strings.
fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut strings = Strings::default();
    for c in text.chars() {
        if strings.step(c) || !c.is_ascii_whitespace() {
            out.push(c);
        }
    }
    out
}

fn lay_out(text: &str, level: usize, out: &mut String) {
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    let nested = text.starts_with(['{', '[']);
    if !nested || inner.is_empty() || (level > 0 && text.chars().count() <= SHORT) {
        out.push_str(&on_one_line(text));
        return;
    }
    let (open, close) = (&text[..1], &text[text.len() - 1..]);
    out.push_str(open);
    for (at, entry) in entries(inner).enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', (level + 1) * 2));
        let (name, value) = split_name(entry, open == "{");
        if let Some(name) = name {
            out.push_str(name);
            out.push_str(": ");
        }
        lay_out(value, level + 1, out);
    }
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', level * 2));
    out.push_str(close);
}

/// The same on one line, with a blank after every comma and colon between parts.
fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut strings = Strings::default();
    for c in text.chars() {
        let within = strings.step(c);
        out.push(c);
        if !within && matches!(c, ',' | ':') {
            out.push(' ');
        }
    }
    out
}

/// The entries of an array or object, split at the commas of their own level.
fn entries(inner: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(inner);
    std::iter::from_fn(move || {
        let text = rest?;
        match split_at_mark(text, ',') {
            Some((entry, after)) => {
                rest = Some(after);
                Some(entry)
            }
            None => rest.take(),
        }
    })
}

fn split_name(entry: &str, object: bool) -> (Option<&str>, &str) {
    match split_at_mark(entry, ':').filter(|_| object) {
        Some((name, value)) => (Some(name), value),
        None => (None, entry),
    }
}

/// `text` before and after the first `mark` that is in no string and no nested part.
fn split_at_mark(text: &str, mark: char) -> Option<(&str, &str)> {
    let mut strings = Strings::default();
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if strings.step(c) {
            continue;
        }
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            c if c == mark && depth == 0 => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

/// Follows a text and knows whether it stands within a string.
#[derive(Default)]
struct Strings {
    within: bool,
    escaped: bool,
}

impl Strings {
    /// Whether `c`, the next character, belongs to a string; the quotes do.
    fn step(&mut self, c: char) -> bool {
        let was = self.within;
        match c {
            _ if self.escaped => self.escaped = false,
            '\\' if was => self.escaped = true,
            '"' => self.within = !was,
            _ => {}
        }
        was || self.within
    }
}

#[cfg(test)]
mod tests {
    use conveyor_model::json::JsonText;

    use super::*;

    #[test]
    fn entries_stand_on_lines_of_their_own() {
        let text = r#"{"url":"https://a.example/,:{","n":1970670598291982290,"body":{"a":[1,2],"long":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},"e":{}}"#;
        let lines = "{\n  \"url\": \"https://a.example/,:{\",\n  \"n\": 1970670598291982290,\n  \"body\": {\n    \"a\": [1, 2],\n    \"long\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"\n  },\n  \"e\": {}\n}";
        assert_eq!(pretty(text), lines);
    }

    #[test]
    fn nothing_but_blanks_between_parts_changes() {
        for text in [
            r#"{"n":1e2, "n":18446744073709551616,"s":"a  b\" , : {"}"#,
            "[ ]",
            "null",
            "-0.10",
            r#""\u0434""#,
            r#"[{"a":1},{"a":2},"x",[[[]]]]"#,
            "{\n  \"a\" : [ 1 ,\t2 ]\r\n}",
        ] {
            let set = pretty(text);
            assert_eq!(compact(&set), compact(text), "{set}");
            assert!(JsonText::parse(&set).is_ok(), "{set}");
        }
        assert_eq!(pretty(r#"{"a":1,"a":2}"#), "{\n  \"a\": 1,\n  \"a\": 2\n}");
    }
}
