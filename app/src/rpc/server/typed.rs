//! Form fields on their way to the model: text becomes the JSON request that the model's own readers
//! check, so that a limit is written down once.

use conveyor_model::error::{Invalid, OperatorError};
use conveyor_model::fields::Fields;
use conveyor_model::json::JsonText;

use super::job_form::lines;

/// A JSON object that grows field by field; an empty text leaves its field out.
#[derive(Debug, Default)]
pub(crate) struct Typed {
    fields: Vec<(&'static str, String)>,
    faults: Invalid,
}

impl Typed {
    /// A string.
    pub(crate) fn text(&mut self, name: &'static str, text: &str) {
        if !text.is_empty() {
            self.required(name, text);
        }
    }

    /// A string that is given even when it is empty.
    pub(crate) fn required(&mut self, name: &'static str, text: &str) {
        self.put(name, serde_json::Value::from(text).to_string());
    }

    /// JSON as it was typed; empty means `{}`. Line ends become what was typed, not what the form
    /// made of them.
    pub(crate) fn json(&mut self, name: &'static str, text: &str) {
        let text = lines(text);
        let text = if text.is_empty() { "{}" } else { &text };
        match JsonText::parse(text) {
            Ok(json) => self.put(name, json.as_str().to_owned()),
            Err(fault) => self.fault(name, fault.to_string()),
        }
    }

    /// A whole number.
    pub(crate) fn whole(&mut self, name: &'static str, text: &str) {
        match (text.trim(), text.trim().parse::<i64>()) {
            ("", _) => {}
            (_, Ok(number)) => self.put(name, number.to_string()),
            (_, Err(_)) => self.fault(name, "must be a whole number"),
        }
    }

    /// A number.
    pub(crate) fn number(&mut self, name: &'static str, text: &str) {
        match (text.trim(), number(text)) {
            ("", _) => {}
            (_, Some(number)) => self.put(name, number.to_string()),
            (_, None) => self.fault(name, "must be a number, 0 or more"),
        }
    }

    /// A length of time in a unit: `s`, `min`, `h` or `d`.
    pub(crate) fn span(&mut self, name: &'static str, text: &str, unit: &str) {
        let unit = match unit {
            "d" => 86_400.0,
            "h" => 3600.0,
            "min" => 60.0,
            _ => 1.0,
        };
        match number(text) {
            Some(number) => self.put(name, (number * unit).to_string()),
            None => self.fault(name, "must be a number, 0 or more"),
        }
    }

    /// A date and time of day in UTC as a browser's field writes it, or an RFC 3339 time.
    pub(crate) fn time(&mut self, name: &'static str, text: &str) {
        if text.trim().is_empty() {
            self.fault(name, "a date and a time are required");
        } else {
            self.required(name, &instant(text));
        }
    }

    /// Strings separated by commas.
    pub(crate) fn list(&mut self, name: &'static str, text: &str) {
        let items: Vec<&str> = text.split(',').map(str::trim).collect();
        let items: Vec<&str> = items.into_iter().filter(|item| !item.is_empty()).collect();
        self.put(name, serde_json::Value::from(items).to_string());
    }

    /// JSON made by the caller.
    pub(crate) fn put(&mut self, name: &'static str, json: String) {
        self.fields.push((name, json));
    }

    /// Notes a fault of a field.
    pub(crate) fn fault(&mut self, name: &str, detail: impl Into<String>) {
        self.faults.add(format!("/{name}"), detail);
    }

    /// Reads what was gathered by the model's reader; faults of both sides come together.
    pub(crate) fn read<T>(
        self,
        read: impl FnOnce(Fields) -> Result<T, OperatorError>,
    ) -> Result<T, OperatorError> {
        let object: Vec<String> = self
            .fields
            .iter()
            .map(|(name, json)| format!("\"{name}\":{json}"))
            .collect();
        let fields = Fields::parse(&format!("{{{}}}", object.join(",")))
            .map_err(|fault| Invalid::one("", fault.to_string()))?;
        let mut faults = self.faults;
        match read(fields) {
            Ok(value) if faults.errors.is_empty() => return Ok(value),
            Ok(_) => {}
            Err(OperatorError::Invalid(invalid)) => faults.errors.extend(invalid.errors),
            Err(other) => return Err(other),
        }
        Err(faults.into())
    }
}

/// A time as a browser's field writes it, in UTC and in full.
pub(crate) fn instant(text: &str) -> String {
    let text = text.trim();
    match text.len() {
        16 => format!("{text}:00Z"),
        19 => format!("{text}Z"),
        _ => text.to_owned(),
    }
}

/// A finite number, 0 or more; a decimal comma is one too.
fn number(text: &str) -> Option<f64> {
    let number = text.trim().replace(',', ".").parse::<f64>().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}
