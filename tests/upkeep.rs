//! What happens by itself. Each duty is called with a store and a time, so that no test waits.

mod rig;

mod catch_up;
mod changes;
mod leases;
mod overlap;
mod overtaken;
mod poison;
mod promote;
mod retention;
mod servers;
mod timing;
mod waiting;
