//! One row of a list that is read again and again.

use leptos::prelude::*;

/// What `first` is now: the item of `all` that `same` holds to be the same, or the last one seen when
/// it has gone. The row keeps its place, its focus and what is typed into it.
pub(crate) fn same_row<T>(
    all: Signal<Vec<T>>,
    first: T,
    same: impl Fn(&T, &T) -> bool + Send + Sync + 'static,
) -> Memo<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |before: Option<&T>| {
        let before = before.unwrap_or(&first);
        all.with(|all| all.iter().find(|item| same(item, before)).cloned())
            .unwrap_or_else(|| before.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_follows_its_item_and_survives_it() {
        let owner = Owner::new();
        owner.set();
        let all = RwSignal::new(vec![("a", 1), ("b", 2)]);
        let row = same_row(all.into(), ("b", 2), |one, other| one.0 == other.0);
        assert_eq!(row.get(), ("b", 2));
        all.set(vec![("b", 3), ("a", 1)]);
        assert_eq!(row.get(), ("b", 3));
        all.set(vec![]);
        assert_eq!(row.get(), ("b", 3));
    }
}
