//! The bounded set of values that one label has.

use std::collections::BTreeSet;

/// The most values of one label.
pub(in crate::metrics) const MOST: usize = 200;
/// What stands for the rest.
pub(in crate::metrics) const OTHER: &str = "other";

/// The values of a label that get a series of their own.
pub(super) struct Names<'a>(BTreeSet<&'a str>);

impl<'a> Names<'a> {
    /// The first of `all` that differ. Whoever gives them in an order that lasts keeps a series from
    /// ending when others come.
    pub(super) fn of(all: impl Iterator<Item = &'a str>) -> Self {
        let mut names = BTreeSet::new();
        for name in all.filter(|name| *name != OTHER) {
            if names.len() == MOST {
                break;
            }
            names.insert(name);
        }
        Names(names)
    }

    /// The name itself, or what stands for the rest.
    pub(super) fn label<'b>(&self, name: &'b str) -> &'b str {
        if self.0.contains(name) { name } else { OTHER }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_names_keep_their_series() {
        let many: Vec<String> = (0..300).map(|n| format!("a{n}")).collect();
        let all = ["other", "z"].into_iter();
        let names = Names::of(all.chain(many.iter().map(String::as_str)));
        assert_eq!((names.label("z"), names.label("a198")), ("z", "a198"));
        assert_eq!(names.label("a199"), OTHER);
    }
}
