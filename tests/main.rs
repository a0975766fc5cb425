//! Tests of the whole from outside, in one binary.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that finds something else than it expects fails"
)]

mod api;
mod auth;
mod config;
mod demo;
mod embedded;
mod events;
mod handlers;
mod pages;
mod process;
mod service;
mod store;
mod support;
mod upkeep;
mod worker;
