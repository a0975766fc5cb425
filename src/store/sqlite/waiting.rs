//! Claims that wait for a job to become ready.
//!
//! They stay with the writer. A commit that stores jobs lets them take these before it is made, so a job
//! that meets a free worker costs one sync instead of two, and starts after the first. Whatever else makes
//! jobs ready wakes them: then they are answered with nothing, and their askers ask again.

use conveyor_model::time::Timestamp;

use super::claim::Claims;
use super::work::Asked;
use crate::store::{StoreError, StoreResult};

/// So many are looked over for those that nobody hears any more.
const TIDY: usize = 64;

/// The claims that wait, longest first.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    claims: Vec<Asked<Claims>>,
    /// How many there may be before those nobody hears are thrown out.
    tidy_at: usize,
}

impl Waiting {
    /// Those that are still heard, to be done at `now` with a batch that stored jobs.
    pub(super) fn take(&mut self, now: Timestamp) -> Vec<Asked<Claims>> {
        let mut claims = std::mem::take(&mut self.claims);
        claims.retain(|asked| !asked.is_unheard());
        for asked in &mut claims {
            asked.work_mut().ask_at(now);
        }
        claims
    }

    /// Keeps a claim of a batch that ended with `result`, if it is to wait; else gives it back.
    pub(super) fn keep(
        &mut self,
        asked: Asked<Claims>,
        result: &StoreResult<()>,
    ) -> Option<Asked<Claims>> {
        let nothing = match (result, asked.outcome()) {
            (Ok(()), Some(Ok(jobs))) => jobs.is_empty(),
            _ => false,
        };
        if !asked.work().waits() || !nothing {
            return Some(asked);
        }
        self.claims.push(asked);
        if self.claims.len() > self.tidy_at {
            self.claims.retain(|asked| !asked.is_unheard());
            self.tidy_at = (self.claims.len() * 2).max(TIDY);
        }
        None
    }

    /// Answers all with nothing, so that they are asked again.
    pub(super) fn wake(&mut self) {
        for mut asked in self.claims.drain(..) {
            asked.decide(Ok(Vec::new()));
            asked.settle(&Ok(()));
        }
    }

    /// Answers all that nothing will ever come.
    pub(super) fn end(&mut self, why: &StoreError) {
        for asked in self.claims.drain(..) {
            asked.settle(&Err(why.clone()));
        }
    }
}
