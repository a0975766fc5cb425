//! The binary itself, in processes of its own.

mod child;
mod cli;
mod crash;
mod start;
mod stopping;
mod together;
mod work;
