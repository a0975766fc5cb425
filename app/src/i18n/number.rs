//! Numbers as they are read: groups of three with a narrow space, a decimal comma in Russian.

use conveyor_model::lang::Lang;

/// A narrow space that does not break, between groups of digits.
const GROUP: char = '\u{202f}';

/// A whole number: `64 381`.
pub(crate) fn whole(n: u64) -> String {
    let digits = n.to_string();
    if digits.len() < 4 {
        return digits;
    }
    let mut out = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(GROUP);
        }
        out.push(digit);
    }
    out
}

/// A number with `places` digits after the point: `46.2`, `46,2`.
pub(crate) fn decimal(lang: Lang, n: f64, places: usize) -> String {
    let text = format!("{n:.places$}");
    match lang {
        Lang::En => text,
        Lang::Ru => text.replace('.', ","),
    }
}

/// A rate or a percentage with about two digits that mean something: `0.4`, `46.2`, `312`.
pub(crate) fn short(lang: Lang, n: f64) -> String {
    if n.abs() >= 99.95 || n == 0.0 {
        decimal(lang, n, 0)
    } else {
        decimal(lang, n, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        assert_eq!(whole(0), "0");
        assert_eq!(whole(999), "999");
        assert_eq!(whole(1204), "1\u{202f}204");
        assert_eq!(
            whole(9_007_199_254_740_993),
            "9\u{202f}007\u{202f}199\u{202f}254\u{202f}740\u{202f}993"
        );
    }

    #[test]
    fn russian_has_a_decimal_comma() {
        assert_eq!(short(Lang::En, 46.21), "46.2");
        assert_eq!(short(Lang::Ru, 46.21), "46,2");
        assert_eq!(short(Lang::Ru, 0.0), "0");
        assert_eq!(short(Lang::En, 99.97), "100");
    }
}
