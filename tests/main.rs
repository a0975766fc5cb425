//! Tests of the whole from outside, in one binary.

mod handlers;
mod store;
mod support;
