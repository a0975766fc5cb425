//! What tests share.

pub(crate) mod app;
pub(crate) mod contract;
pub(crate) mod eventually;
pub(crate) mod pool;
pub(crate) mod service;
pub(crate) mod store;
pub(crate) mod wire;
