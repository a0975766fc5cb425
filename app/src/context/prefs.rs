//! The reader's choices: language, theme, and which clock times are shown on. Kept in cookies, so
//! that the server draws the page as it will stay.

use std::str::FromStr;

use conveyor_model::lang::Lang;
use serde::{Deserialize, Serialize};

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// As the reader's system has it.
    #[default]
    System,
    /// Dark ink on light panels.
    Light,
    /// Light ink on dark panels.
    Dark,
}

/// The clock that times are shown on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Zone {
    /// Coordinated Universal Time.
    #[default]
    Utc,
    /// The clock of the reader's machine, known only once scripts run.
    Local,
}

/// What the reader chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prefs {
    /// The language.
    pub lang: Lang,
    /// Light or dark.
    pub theme: Theme,
    /// The clock.
    pub zone: Zone,
}

impl Theme {
    /// Every theme, in the order the switch shows them.
    pub const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// The word in the cookie and in `<html data-theme>`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

impl Zone {
    /// Both, in the order the switch shows them.
    pub const ALL: [Zone; 2] = [Zone::Utc, Zone::Local];

    /// The word in the cookie and in `<html data-zone>`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Zone::Utc => "utc",
            Zone::Local => "local",
        }
    }
}

impl FromStr for Theme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Theme::ALL
            .into_iter()
            .find(|theme| theme.as_str() == text)
            .ok_or_else(|| "must be system, light or dark".to_owned())
    }
}

impl FromStr for Zone {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Zone::ALL
            .into_iter()
            .find(|zone| zone.as_str() == text)
            .ok_or_else(|| "must be utc or local".to_owned())
    }
}
