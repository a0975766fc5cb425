//! Tests of the whole from outside, in one binary.

mod store;
mod support;
