//! Every action by a plain form: it is done, the browser is led on, and the next page says once what
//! was done.

mod elsewhere;
mod jobs;
mod queues;
mod schedules;
