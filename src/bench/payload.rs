//! The payload of every job that is measured: some 120 bytes of JSON, as short orders are.

use serde::Serialize;

/// What is done by the jobs that are measured: nothing.
pub(super) const KIND: &str = "bench.noop";

/// The number of the first order.
const FIRST: usize = 10_000_000;

/// A payload.
#[derive(Serialize)]
pub(super) struct Order {
    #[serde(rename = "order")]
    number: usize,
    customer: &'static str,
    articles: [&'static str; 2],
    total: &'static str,
    express: bool,
}

/// The payload of the `n`th job.
pub(super) fn order(n: usize) -> Order {
    Order {
        number: FIRST + n,
        customer: "c-48213 Marie Lefevre",
        articles: ["lamp-3400-black", "cable-2m"],
        total: "EUR 184.50",
        express: false,
    }
}

/// Which job has that order in its payload.
pub(super) fn number(order: usize) -> usize {
    order.saturating_sub(FIRST)
}

/// The same as text.
pub(super) fn text(n: usize) -> String {
    let Order {
        number,
        customer,
        articles: [first, second],
        total,
        express,
    } = order(n);
    format!(
        r#"{{"order":{number},"customer":"{customer}","articles":["{first}","{second}"],"total":"{total}","express":{express}}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_one_text_of_the_promised_length() {
        let written = serde_json::to_string(&order(7)).unwrap();
        assert_eq!(written, text(7));
        assert_eq!(number(order(7).number), 7);
        assert!((110..=135).contains(&written.len()), "{}", written.len());
    }
}
