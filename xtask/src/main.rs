//! Build.
fn main() {}
