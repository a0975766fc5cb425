//! What every store must do. Each test is given a new store by `support::store::open`, which is the
//! one place that knows which database stands behind it; the modules at the end are about SQLite alone.

mod actions;
mod ahead;
mod batches;
mod claim;
mod dead;
mod edit;
mod events;
mod gate;
mod insert;
mod leases;
mod life;
mod lists;
mod notes;
mod prune;
mod queues;
mod races;
mod schedules;
mod search;
mod stats;
mod waiting;
mod workers;

mod damage;
mod faults;
mod files;
