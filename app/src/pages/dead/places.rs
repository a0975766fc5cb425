//! Rows that stay where they are while a pointer is over them.

use conveyor_model::dead::DeadGroup;

/// What was read, in the order it was shown before. A group that is gone keeps its row, without jobs:
/// the next one would move below the pointer, and a second click would hit another cause. What is new
/// stands at the end.
pub(super) fn in_place(before: &[DeadGroup], read: Vec<DeadGroup>) -> Vec<DeadGroup> {
    let mut fresh = read;
    let mut shown: Vec<DeadGroup> = before
        .iter()
        .map(|known| {
            let at = fresh
                .iter()
                .position(|group| group.fingerprint == known.fingerprint);
            match at {
                Some(at) => fresh.remove(at),
                None => DeadGroup {
                    count: 0,
                    ..known.clone()
                },
            }
        })
        .collect();
    shown.append(&mut fresh);
    shown
}

#[cfg(test)]
mod tests {
    use conveyor_model::time::Timestamp;

    use super::*;

    fn group(name: &str, count: u64) -> DeadGroup {
        DeadGroup {
            fingerprint: name.to_owned(),
            kind: "k".parse().unwrap(),
            class: String::new(),
            message: String::new(),
            count,
            first_at: Timestamp::default(),
            last_at: Timestamp::default(),
            sample: None,
        }
    }

    #[test]
    fn a_row_under_the_pointer_is_not_replaced_by_another() {
        let before = [group("a", 9), group("b", 7), group("c", 5)];
        let read = vec![group("d", 8), group("b", 7), group("a", 4)];
        let shown = in_place(&before, read);
        let shown: Vec<_> = shown
            .iter()
            .map(|group| (group.fingerprint.as_str(), group.count))
            .collect();
        assert_eq!(shown, [("a", 4), ("b", 7), ("c", 0), ("d", 8)]);
    }
}
