//! A brake on guessing: who is wrong too often has to wait, and longer each time.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Wrong tries that are free.
const FREE: u32 = 10;
/// How long they are counted together, and the first wait.
const WINDOW: Duration = Duration::from_mins(1);
/// The longest wait.
const LONGEST: Duration = Duration::from_mins(15);
/// Addresses that are remembered at most.
const MOST: usize = 10_000;

/// Wrong tries by address.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<HashMap<IpAddr, Tries>>);

#[derive(Clone, Copy, Debug)]
struct Tries {
    wrong: u32,
    since: Instant,
    until: Option<Instant>,
    wait: Duration,
}

impl Throttle {
    /// How long `peer` still has to wait; none when it may try.
    pub(crate) fn wait(&self, peer: IpAddr, now: Instant) -> Option<Duration> {
        let until = self.lock().get(&network(peer))?.until?;
        until
            .checked_duration_since(now)
            .filter(|left| !left.is_zero())
    }

    /// Counts a wrong try.
    pub(crate) fn wrong(&self, peer: IpAddr, now: Instant) {
        let mut all = self.lock();
        if all.len() >= MOST {
            all.retain(|_, tries| now.duration_since(tries.since) < LONGEST);
        }
        if all.len() >= MOST {
            all.clear();
        }
        let tries = all.entry(network(peer)).or_insert(Tries {
            wrong: 0,
            since: now,
            until: None,
            wait: WINDOW,
        });
        if now.duration_since(tries.since) > WINDOW.max(tries.wait) {
            *tries = Tries {
                wrong: 0,
                since: now,
                // Who comes back within the longest wait starts from the wait it had.
                wait: if now.duration_since(tries.since) < LONGEST {
                    tries.wait
                } else {
                    WINDOW
                },
                until: None,
            };
        }
        tries.wrong += 1;
        if tries.wrong >= FREE {
            tries.until = Some(now + tries.wait);
            tries.since = now;
            tries.wrong = FREE - 1;
            tries.wait = (tries.wait * 2).min(LONGEST);
        }
    }

    /// Forgets the wrong tries of who got it right.
    pub(crate) fn right(&self, peer: IpAddr) {
        self.lock().remove(&network(peer));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Tries>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An IPv6 network of 64 bits is one visitor: it has all its addresses at will.
fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn the_wait_grows_with_each_wrong_try() {
        let throttle = Throttle::default();
        let (me, start) = (peer("192.0.2.1"), Instant::now());
        for _ in 1..FREE {
            throttle.wrong(me, start);
            assert_eq!(throttle.wait(me, start), None);
        }
        throttle.wrong(me, start);
        assert_eq!(throttle.wait(me, start), Some(WINDOW));
        let later = start + WINDOW;
        assert_eq!(throttle.wait(me, later), None);
        throttle.wrong(me, later);
        assert_eq!(throttle.wait(me, later), Some(WINDOW * 2));
        assert_eq!(throttle.wait(peer("192.0.2.2"), later), None);
        throttle.right(me);
        assert_eq!(throttle.wait(me, later), None);
    }

    #[test]
    fn old_wrong_tries_do_not_count() {
        let throttle = Throttle::default();
        let (me, start) = (peer("2001:db8::1"), Instant::now());
        for n in 0..100 {
            let now = start + n * (WINDOW / 5);
            throttle.wrong(peer("2001:db8::2"), now);
            assert_eq!(throttle.wait(me, now), None, "{n}");
        }
    }
}
