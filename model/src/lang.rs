//! The languages people read the queue in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::read::words;

/// A language of the dashboard and of every sentence the queue makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Russian.
    Ru,
}

words!(Lang: "en" => En, "ru" => Ru);

/// Which form of a noun follows a number, as CLDR names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plural {
    /// 1 job; 1, 21, 101 задача.
    One,
    /// 2–4, 22 задачи; not used in English.
    Few,
    /// Everything else: 5 jobs, 5 задач, 11 задач.
    Many,
}

impl Lang {
    /// Every language, in the order the switch shows them.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Ru];

    /// The BCP 47 tag, as in `<html lang>` and the language cookie.
    pub const fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Ru => "ru",
        }
    }

    /// The plural form that follows `n` (CLDR cardinal rules for whole numbers).
    pub const fn plural(self, n: u64) -> Plural {
        match self {
            Lang::En if n == 1 => Plural::One,
            Lang::En => Plural::Many,
            Lang::Ru => match (n % 10, n % 100) {
                (_, 11..=14) => Plural::Many,
                (1, _) => Plural::One,
                (2..=4, _) => Plural::Few,
                _ => Plural::Many,
            },
        }
    }

    /// The best match for an `Accept-Language` header; English when nothing fits.
    pub fn negotiate(accept: &str) -> Lang {
        let mut best = (Lang::En, 0.0_f32);
        for part in accept.split(',').take(32) {
            let mut pieces = part.split(';');
            let tag = pieces.next().unwrap_or("").trim();
            let quality = pieces
                .find_map(|piece| piece.trim().strip_prefix("q="))
                .map_or(1.0, |q| q.trim().parse().unwrap_or(0.0));
            let primary = tag.split('-').next().unwrap_or("");
            if let Ok(lang) = primary.to_ascii_lowercase().parse::<Lang>()
                && quality > best.1
            {
                best = (lang, quality);
            }
        }
        best.0
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

impl FromStr for Lang {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "en" => Ok(Lang::En),
            "ru" => Ok(Lang::Ru),
            _ => Err("must be en or ru".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn russian_nouns_follow_the_last_digits() {
        for (n, form) in [
            (0, Plural::Many),
            (1, Plural::One),
            (2, Plural::Few),
            (4, Plural::Few),
            (5, Plural::Many),
            (11, Plural::Many),
            (12, Plural::Many),
            (14, Plural::Many),
            (21, Plural::One),
            (22, Plural::Few),
            (25, Plural::Many),
            (111, Plural::Many),
            (121, Plural::One),
        ] {
            assert_eq!(Lang::Ru.plural(n), form, "{n}");
        }
        assert_eq!(Lang::En.plural(1), Plural::One);
        assert_eq!(Lang::En.plural(21), Plural::Many);
    }

    #[test]
    fn the_preferred_language_wins() {
        assert_eq!(Lang::negotiate("ru-RU,ru;q=0.9,en;q=0.8"), Lang::Ru);
        assert_eq!(Lang::negotiate("en;q=0.9, ru;q=0.3"), Lang::En);
        assert_eq!(Lang::negotiate("de, *"), Lang::En);
        assert_eq!(Lang::negotiate(""), Lang::En);
    }
}
