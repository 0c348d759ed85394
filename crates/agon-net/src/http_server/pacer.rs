//! How fast strangers are answered: bad requests slowly, good ones at once.
//!
//! Whoever is refused before it has proved who it is draws from the bucket of its address. When
//! that is empty, the answer waits for its turn, and the caller's connection waits with it: a flood
//! of bad requests slows itself down. Neighbours at the same address notice nothing, because a good
//! request never comes here. How long and how many wait is bounded.
//!
//! The buckets are rates by key, so many a second, so many at once, for each address or token: a
//! pure machine, with the time as an argument. A bucket is one moment: when it will be full again.
//! One that is full already says nothing and is forgotten, so whoever is quiet costs no memory, and
//! nobody can make us remember more than `keys_max` buckets.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::Semaphore;
use tokio::time::sleep;

use super::{ServerCounters, bump};

/// Addresses that are remembered at a time. Only those whose bucket is not full count.
const ADDRESSES_MAX: usize = 4096;
/// Whoever has one address of IPv6 usually has all that share these bits.
const PREFIX: u128 = !0 << 64;
/// Below so many buckets nothing is tidied.
const FEW: usize = 64;
/// A crowd beyond the bound is looked through so often at most.
const TIDY_PAUSE: Duration = Duration::from_millis(100);

/// How slowly bad requests are answered.
#[derive(Debug, Clone)]
pub struct Pacing {
    /// For each address: this many at once, and this fast in the long run.
    pub rate: Rate,
    /// Nobody waits longer for a turn. Whose turn is further away hears 429 after this time.
    pub wait_max: Duration,
    /// So many wait at a time. Whoever comes then hears 429 at once.
    pub waiting_max: usize,
    /// The body of those 429: JSON, in the words of whoever stands behind the door.
    pub words: Bytes,
}

/// There were too many bad requests. The connection is not worth keeping.
#[derive(Debug)]
pub(super) struct TooMany;

pub(super) struct Pacer {
    pub(super) pacing: Pacing,
    buckets: Mutex<Buckets<IpAddr>>,
    /// A place for each that may wait; whoever hangs up meanwhile leaves it.
    places: Semaphore,
}

impl Pacer {
    pub(super) fn new(pacing: Pacing) -> Self {
        let buckets = Mutex::new(Buckets::new(ADDRESSES_MAX));
        let places = Semaphore::new(pacing.waiting_max.min(Semaphore::MAX_PERMITS));
        Self { pacing, buckets, places }
    }

    /// Returns when a refusal may go to that address.
    pub(super) async fn turn(&self, to: IpAddr, counters: &ServerCounters) -> Result<(), TooMany> {
        let Pacing { rate, wait_max, .. } = self.pacing;
        let turn = {
            let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
            buckets.take(network(to), rate, Instant::now(), wait_max)
        };
        if turn == Ok(Duration::ZERO) {
            return Ok(());
        }
        if let Ok(_place) = self.places.try_acquire() {
            bump(&counters.paced, "paced");
            sleep(turn.unwrap_or(wait_max)).await;
            if turn.is_ok() {
                return Ok(());
            }
        }
        bump(&counters.too_many, "too_many");
        Err(TooMany)
    }
}

/// What stands for all addresses that one caller usually has: whose bucket it is.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & PREFIX)),
        IpAddr::V4(address) => IpAddr::V4(address),
    }
}

/// How much is taken how fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    interval: Duration,
    span: Duration,
}

impl Rate {
    /// `per_s` a second in the long run, and `burst` at once. Both are at least one.
    pub fn new(per_s: u32, burst: u32) -> Self {
        let interval = Duration::from_secs(1) / per_s.max(1);
        Self { interval, span: interval * burst.max(1) }
    }
}

/// A bucket for each key.
#[derive(Debug)]
pub struct Buckets<K> {
    keys_max: usize,
    full_at: HashMap<K, Instant>,
    /// Whoever comes when all buckets are in use shares this one.
    crowd: Option<Instant>,
    tidy_at: usize,
    tidied: Option<Instant>,
}

impl<K: Eq + Hash> Buckets<K> {
    pub fn new(keys_max: usize) -> Self {
        Self { keys_max, full_at: HashMap::new(), crowd: None, tidy_at: FEW, tidied: None }
    }

    /// Takes one from the bucket of `key`, if its turn comes within `patience`.
    ///
    /// # Errors
    /// Says when it would have come; nothing was taken.
    pub fn take(
        &mut self,
        key: K,
        rate: Rate,
        now: Instant,
        patience: Duration,
    ) -> Result<Duration, Duration> {
        let full_at = self.bucket(key, now);
        let later = (*full_at).max(now) + rate.interval;
        let wait = later.saturating_duration_since(now + rate.span);
        if wait > patience {
            return Err(wait);
        }
        *full_at = later;
        Ok(wait)
    }

    fn bucket(&mut self, key: K, now: Instant) -> &mut Instant {
        if self.full_at.len() >= self.tidy_at && !self.full_at.contains_key(&key) {
            self.tidy(now);
            if self.full_at.len() >= self.keys_max {
                return self.crowd.get_or_insert(now);
            }
        }
        self.full_at.entry(key).or_insert(now)
    }

    /// Forgets whoever has been quiet. Each look is paid for by as many new keys, or by time.
    fn tidy(&mut self, now: Instant) {
        let crowded = self.full_at.len() >= self.keys_max;
        if crowded && self.tidied.is_some_and(|then| now < then + TIDY_PAUSE) {
            return;
        }
        self.tidied = Some(now);
        self.full_at.retain(|_, full_at| *full_at > now);
        self.tidy_at = FEW.max(2 * self.full_at.len()).min(self.keys_max);
        if self.full_at.capacity() > 4 * self.tidy_at {
            self.full_at.shrink_to(self.tidy_at);
        }
    }
}

#[cfg(test)]
mod tests;
