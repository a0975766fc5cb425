//! The job that every peer stores and runs.

use serde::{Deserialize, Serialize};

const FIRST: u32 = 10_000_000;

/// The job: the 132 bytes of JSON that Conveyor's own benchmark stores, the same in every language.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Order {
    #[serde(rename = "order")]
    id: u32,
    customer: String,
    articles: [String; 2],
    total: String,
    express: bool,
}

impl Order {
    /// The job with this number.
    pub fn new(number: u32) -> Self {
        Self {
            id: FIRST + number,
            customer: "c-48213 Marie Lefevre".into(),
            articles: ["lamp-3400-black".into(), "cable-2m".into()],
            total: "EUR 184.50".into(),
            express: false,
        }
    }

    /// Which of the program's jobs this is.
    pub fn number(&self) -> u32 {
        self.id - FIRST
    }
}
