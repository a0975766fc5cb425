//! Conveyor: a background job queue in one binary.

// The types of whole pages are nested deeper than the compiler follows by itself.
#![recursion_limit = "512"]

mod bench;
pub mod cli;
pub mod clock;
pub mod config;
pub mod conveyor;
pub mod demo;
pub mod events;
pub mod http;
pub mod metrics;
pub mod service;
pub mod shutdown;
pub mod store;
pub mod upkeep;
pub mod worker;
pub mod zones;

pub use conveyor_model as model;

pub use self::conveyor::{Conveyor, job};
pub use self::worker::{JobContext, Outcome};
