//! What the address of the list asks for, and the addresses that ask for something else.

use conveyor_model::filter::{FILTER_FIELDS, Search};
use conveyor_model::state::State;

use crate::{paths, query};

/// The filter and the place in the list, as the address has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// The parts of the filter, without empty ones. What is qualified in the search text is a part of
    /// its own here.
    pairs: Vec<(String, String)>,
    /// The cursor this page starts after.
    pub(super) after: String,
    /// The cursor this page ends before.
    pub(super) before: String,
}

impl Asked {
    /// Reads a query string.
    pub(super) fn read(search: &str) -> Self {
        let mut asked = Asked::default();
        for (name, value) in query::pairs(search.trim_start_matches('?')) {
            match name.as_str() {
                "after" => asked.after = value,
                "before" => asked.before = value,
                "q" => {
                    let Search { qualifiers, rest } = Search::read(&value);
                    asked.pairs.extend(qualifiers);
                    if !rest.is_empty() {
                        asked.pairs.push((name, rest.join(" ")));
                    }
                }
                name if !value.is_empty() && FILTER_FIELDS.contains(&name) => {
                    asked.pairs.push((name.to_owned(), value));
                }
                _ => {}
            }
        }
        asked
    }

    /// The filter as a query string without `?`.
    pub(super) fn query(&self) -> String {
        write(&self.pairs).trim_start_matches('?').to_owned()
    }

    /// The first value of a part, empty when it is not asked for.
    pub(super) fn value(&self, name: &str) -> String {
        let found = self.pairs.iter().find(|(is, _)| is == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }

    /// The state, if the list shows exactly one.
    pub(super) fn state(&self) -> Option<State> {
        let mut states = self.states();
        let first = states.next();
        first.filter(|_| states.next().is_none())
    }

    fn states(&self) -> impl Iterator<Item = State> {
        let of_state = self.pairs.iter().filter(|(name, _)| name == "state");
        of_state.filter_map(|(_, value)| value.parse().ok())
    }

    /// The parts that a person can take away one by one: all but the order and a single state.
    pub(super) fn parts(&self) -> Vec<(String, String)> {
        let tab = self.state().is_some();
        let shown = |name: &str| name != "sort" && !(tab && name == "state");
        let parts = self.pairs.iter().filter(|(name, _)| shown(name));
        parts.cloned().collect()
    }

    /// Every part but the order, with the states.
    pub(super) fn all_parts(&self) -> Vec<(String, String)> {
        let parts = self.pairs.iter().filter(|(name, _)| name != "sort");
        parts.cloned().collect()
    }

    /// Whether nothing but states and the order is asked for.
    pub(super) fn is_plain(&self) -> bool {
        self.parts().is_empty()
    }

    /// The address of the same list from its start.
    pub(super) fn path(&self) -> String {
        format!("{}{}", paths::JOBS, write(&self.pairs))
    }

    /// The address of the list after or before a cursor.
    pub(super) fn at(&self, end: &'static str, cursor: impl std::fmt::Display) -> String {
        let mut pairs = self.pairs.clone();
        pairs.push((end.to_owned(), cursor.to_string()));
        format!("{}{}", paths::JOBS, write(&pairs))
    }

    /// The address of the list in one state, or in all.
    pub(super) fn in_state(&self, state: Option<State>) -> String {
        let mut asked = self.clone();
        asked.pairs.retain(|(name, _)| name != "state");
        if let Some(state) = state {
            let state = ("state".to_owned(), state.as_str().to_owned());
            asked.pairs.insert(0, state);
        }
        asked.path()
    }

    /// The address of the list without one part of its filter.
    pub(super) fn without(&self, part: &(String, String)) -> String {
        let mut asked = self.clone();
        asked.pairs.retain(|pair| pair != part);
        asked.path()
    }

    /// The same with parts set anew; empty values take a part away.
    pub(super) fn with(&self, parts: Vec<(&'static str, String)>) -> Asked {
        let mut asked = self.clone();
        asked
            .pairs
            .retain(|(name, _)| parts.iter().all(|(set, _)| set != name));
        for (name, value) in parts {
            if !value.trim().is_empty() {
                asked.pairs.push((name.to_owned(), value.trim().to_owned()));
            }
        }
        asked
    }
}

fn write(pairs: &[(String, String)]) -> String {
    query::write(pairs.iter().map(|(name, value)| (&**name, &**value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_back_as_it_was_written() {
        let asked = Asked::read("?state=dead&queue=a%2Fb+c%3F%D0%B4&kind=&q=100%2525&after=7&x=y");
        assert_eq!(asked.value("queue"), "a/b c?д");
        assert_eq!(asked.value("q"), "100%25");
        assert_eq!((asked.after.as_str(), asked.before.as_str()), ("7", ""));
        let again = Asked::read(&asked.query());
        assert_eq!(again.query(), asked.query());
        assert_eq!(
            asked.path(),
            "/jobs?state=dead&queue=a%2Fb%20c%3F%D0%B4&q=100%2525"
        );
    }

    #[test]
    fn a_tab_keeps_the_filter_and_drops_the_place() {
        let asked = Asked::read("state=dead&state=ready&tag=vip&before=9");
        assert_eq!(asked.state(), None);
        assert_eq!(asked.parts().len(), 3);
        assert_eq!(asked.in_state(None), "/jobs?tag=vip");
        assert_eq!(
            asked.in_state(Some(State::Running)),
            "/jobs?state=running&tag=vip"
        );
    }

    #[test]
    fn what_is_qualified_in_the_search_is_a_part_of_the_filter() {
        let asked = Asked::read("q=kind%3Aemail.send%20state:dead%20%22by%20peer%22%20%237");
        assert_eq!(asked.state(), Some(State::Dead));
        assert_eq!(asked.value("kind"), "email.send");
        assert_eq!((&*asked.value("id"), &*asked.value("q")), ("7", "by peer"));
        assert_eq!(Asked::read(&asked.query()), asked);
        assert_eq!(Asked::read("q=to:anna").value("q"), "to:anna");
    }

    #[test]
    fn a_part_can_be_taken_away_and_set() {
        let asked = Asked::read("kind=a&kind=b&sort=oldest");
        let part = ("kind".to_owned(), "a".to_owned());
        assert_eq!(asked.without(&part), "/jobs?kind=b&sort=oldest");
        assert!(!asked.is_plain() && Asked::read("state=dead&sort=oldest").is_plain());
        let set = asked.with(vec![("kind", String::new()), ("tag", " x ".to_owned())]);
        assert_eq!(set.path(), "/jobs?sort=oldest&tag=x");
        assert_eq!(
            asked.at("after", 5),
            "/jobs?kind=a&kind=b&sort=oldest&after=5"
        );
    }
}
