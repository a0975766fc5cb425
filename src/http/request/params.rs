//! Query parameters: each is taken by name, and those nobody took are a fault that names them, so that
//! a misspelt filter does not pass for no filter.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use conveyor_model::error::Invalid;

use crate::http::problem::Problem;

/// The query parameters of a request, decoded, in the order given.
#[derive(Debug)]
pub(crate) struct Params {
    pairs: Vec<(String, String)>,
    invalid: Invalid,
}

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Params::parse(parts.uri.query().unwrap_or("")))
    }
}

impl Params {
    /// Reads a query string.
    pub(crate) fn parse(query: &str) -> Self {
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        Params {
            pairs: pairs.into_owned().collect(),
            invalid: Invalid::none(),
        }
    }

    /// Takes a parameter as text; of repeated ones the last. An empty value counts as left out, as a
    /// form sends it.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        let mut found = None;
        self.pairs.retain(|(key, value)| {
            let hit = key == name;
            if hit {
                found = Some(value.clone());
            }
            !hit
        });
        found.filter(|value| !value.is_empty())
    }

    /// Takes a parameter as a value; one that cannot be read is noted.
    pub(crate) fn take<T: std::str::FromStr>(&mut self, name: &str) -> Option<T>
    where
        T::Err: std::fmt::Display,
    {
        let text = self.text(name)?;
        match text.parse() {
            Ok(value) => Some(value),
            Err(fault) => {
                self.fault(name, fault.to_string());
                None
            }
        }
    }

    /// Whether a switch is on: `?name`, `?name=1` or `?name=true`.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let given = self.pairs.iter().any(|(key, _)| key == name);
        match self.text(name).as_deref() {
            None => given,
            Some("1" | "true") => true,
            Some("0" | "false") => false,
            Some(_) => {
                self.fault(name, "must be true or false");
                false
            }
        }
    }

    /// Takes every parameter of these names, as pairs.
    pub(crate) fn take_all(&mut self, names: &[&str]) -> Vec<(String, String)> {
        let (taken, left) = std::mem::take(&mut self.pairs)
            .into_iter()
            .partition(|(key, _)| names.contains(&key.as_str()));
        self.pairs = left;
        taken
    }

    /// Notes a fault of a parameter.
    pub(crate) fn fault(&mut self, name: &str, detail: impl Into<String>) {
        self.invalid.add(format!("/{name}"), detail);
    }

    /// Adds faults found elsewhere.
    pub(crate) fn faults(&mut self, invalid: Invalid) {
        self.invalid.errors.extend(invalid.errors);
    }

    /// Ends the reading: parameters nobody took are unknown, which is a fault.
    pub(crate) fn finish(mut self, known: &[&str]) -> Result<(), Problem> {
        for (name, _) in std::mem::take(&mut self.pairs) {
            let detail = if known.is_empty() {
                "is not a known query parameter; none is taken here".to_owned()
            } else {
                let known = known.join(", ");
                format!("is not a known query parameter; known are {known}")
            };
            self.fault(&name, detail);
        }
        self.invalid.or(|| ()).map_err(Problem::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_a_query_is_named() {
        let mut params = Params::parse("n=x&flag&a=1&a=2&typo=3&empty=");
        assert_eq!(params.take::<u32>("n"), None);
        assert!(params.flag("flag"));
        assert!(!params.flag("missing"));
        assert_eq!(params.take::<u32>("a"), Some(2));
        assert_eq!(params.text("empty"), None);
        let problem = params.finish(&["n", "a"]).unwrap_err();
        let pointers: Vec<_> = problem
            .errors()
            .iter()
            .map(|e| e.pointer.as_str())
            .collect();
        assert_eq!(pointers, ["/n", "/typo"]);
    }
}
