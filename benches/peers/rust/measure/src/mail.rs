//! The job that every peer stores and runs.

use serde::{Deserialize, Serialize};

const FIRST_ORDER: u32 = 10_000_000;

/// The job: 123 bytes as JSON, the same in every language.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Mail {
    order: u32,
    customer: String,
    template: String,
    locale: String,
    items: u32,
    cents: u32,
}

impl Mail {
    /// The job with this number.
    pub fn new(number: u32) -> Self {
        Self {
            order: FIRST_ORDER + number,
            customer: "ada.lovelace@example.com".into(),
            template: "order-shipped".into(),
            locale: "en-GB".into(),
            items: 3,
            cents: 4599,
        }
    }

    /// Which of the program's jobs this is.
    pub fn number(&self) -> u32 {
        self.order - FIRST_ORDER
    }
}
