//! Subject, text and html as `MiniJinja` templates over `data`. A template is as hostile as any payload:
//! it has no loader, and its fuel bounds both the time and the memory that one rendering can take.

use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde_json::{Map, Value};

use super::EmailSend;
use crate::worker::handlers::failure::HandlerError;

/// About a hundred thousand steps, or six megabytes.
const FUEL: u64 = 100_000;

/// The payload with its templates filled in. Without `data` everything stays as it is.
pub(super) fn render(mut send: EmailSend) -> Result<EmailSend, HandlerError> {
    let Some(data) = send.data.take() else {
        return Ok(send);
    };
    send.subject = fill("subject", &send.subject, &data)?;
    if let Some(text) = &mut send.text {
        *text = fill("text", text, &data)?;
    }
    if let Some(html) = &mut send.html {
        *html = fill("html", html, &data)?;
    }
    Ok(send)
}

/// Values are escaped in the template called `html` and in no other.
fn fill(name: &str, source: &str, data: &Map<String, Value>) -> Result<String, HandlerError> {
    let mut environment = Environment::new();
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(50);
    // A word that `data` does not hold is a mistake, not an empty greeting.
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|name| match name {
        "html" => AutoEscape::Html,
        _ => AutoEscape::None,
    });
    environment
        .render_named_str(name, source, minijinja::value::Serde(data))
        .map_err(|error| fault(name, &error))
}

fn fault(name: &str, error: &minijinja::Error) -> HandlerError {
    let what = match (error.kind(), error.detail()) {
        (ErrorKind::OutOfFuel, _) => "the template takes too long or makes too much".to_owned(),
        (kind, Some(detail)) => format!("{kind}: {detail}"),
        (kind, None) => kind.to_string(),
    };
    let line = error
        .line()
        .map_or(String::new(), |line| format!(" (line {line})"));
    HandlerError::invalid(format!("{name}: {what}{line}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(name: &str, source: &str) -> Result<String, HandlerError> {
        let data = json!({"name": "<b>Ann & Co</b>", "items": ["a", "b"], "n": 12_345_678_901_i64});
        fill(name, source, data.as_object().unwrap())
    }

    #[test]
    fn values_are_escaped_in_html_only() {
        let greeting = "Dear {{ name }}";
        assert_eq!(
            filled("html", greeting).unwrap(),
            "Dear &lt;b&gt;Ann &amp; Co&lt;&#x2f;b&gt;"
        );
        assert_eq!(filled("text", greeting).unwrap(), "Dear <b>Ann & Co</b>");
        assert_eq!(
            filled("text", "{% for i in items %}{{ i }};{% endfor %}").unwrap(),
            "a;b;"
        );
        assert_eq!(filled("subject", "{{ n }}").unwrap(), "12345678901");
    }

    #[test]
    fn a_fault_names_its_field_and_line() {
        for (source, part) in [
            ("a\n{{ nobody }}", "line 2"),
            ("{{ name.first.x }}", "undefined"),
            ("{% if %}", "text: "),
            ("{% include 'html' %}", "text: "),
            ("{{ name|nofilter }}", "nofilter"),
        ] {
            let error = filled("text", source).unwrap_err();
            assert_eq!(error.failure.class, "InvalidPayload");
            assert!(error.failure.message.contains(part), "{source}: {error:?}");
        }
    }

    #[test]
    fn a_template_cannot_take_the_machine() {
        for bomb in [
            "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
            "{{ 'x' * 99999999 }}",
            "{% set a = 'xxxxxxxxxxxxxxxx' %}{% set ns = namespace(a=a) %}\
             {% for i in range(64) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}{{ ns.a }}",
            "{{ ('x' * 99999)|replace('x', 'y' * 99999) }}",
            "{{ '%999999999d'|format(1) }}",
        ] {
            let error = filled("text", bomb).unwrap_err();
            assert_eq!(error.failure.class, "InvalidPayload", "{bomb}");
        }
    }
}
