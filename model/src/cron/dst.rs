//! What a schedule with fixed times of day does when the clock is moved.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::Invalid;
use crate::read::{self, FromJson, words};

/// The two choices a schedule has. They matter only when neither the minute nor the hour begins
/// with `*`; the others follow real elapsed time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DstRule {
    /// What becomes of a time that the clock jumps over.
    pub gap: Gap,
    /// What becomes of a time that the clock shows twice.
    pub overlap: Overlap,
}

/// What becomes of a time that the clock jumps over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Gap {
    /// It fires once, at the moment after the jump.
    #[default]
    After,
    /// It does not fire that day.
    Skip,
}

words!(Gap: "after" => After, "skip" => Skip);

/// What becomes of a time that the clock shows twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Overlap {
    /// It fires in the first pass only.
    #[default]
    First,
    /// It fires in the second pass only.
    Last,
    /// It fires in both.
    Both,
}

words!(Overlap: "first" => First, "last" => Last, "both" => Both);

/// An object of two words; one left out is the usual one.
impl FromJson for DstRule {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        const KNOWN: &[&str] = &["gap", "overlap"];
        read::object(json, KNOWN, at, invalid, |mut fields| {
            let (gap, overlap) = (fields.take("gap"), fields.take("overlap"));
            fields.finish(KNOWN, || {
                Some(DstRule {
                    gap: gap.unwrap_or_default(),
                    overlap: overlap.unwrap_or_default(),
                })
            })
        })
    }
}

impl Gap {
    /// Every choice, the default first.
    pub const ALL: [Gap; 2] = [Gap::After, Gap::Skip];

    /// The word in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Gap::After => "after",
            Gap::Skip => "skip",
        }
    }
}

impl Overlap {
    /// Every choice, the default first.
    pub const ALL: [Overlap; 3] = [Overlap::First, Overlap::Last, Overlap::Both];

    /// The word in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Overlap::First => "first",
            Overlap::Last => "last",
            Overlap::Both => "both",
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Gap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Gap::ALL.into_iter().find(|gap| gap.as_str() == text);
        found.ok_or_else(|| "gap must be after or skip".to_owned())
    }
}

impl FromStr for Overlap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Overlap::ALL
            .into_iter()
            .find(|overlap| overlap.as_str() == text);
        found.ok_or_else(|| "overlap must be first, last or both".to_owned())
    }
}
