//! The worker pool: what handlers may do to it, and what it never does to a job.

mod ahead;
mod attempts;
mod command;
mod leases;
mod remote;
mod rig;
mod silent;
mod stopping;
