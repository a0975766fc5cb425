//! What operators may ask, answered over a real store.

mod bulk;
mod overview;
mod refusals;
mod waiting;
