//! Rates by key: so many a second, so many at once, for each address or token.
//!
//! A pure machine, with the time as an argument. A bucket is one moment: when it will be full
//! again. One that is full already says nothing and is forgotten, so whoever is quiet costs no
//! memory, and nobody can make us remember more than `keys_max` buckets.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// Below so many buckets nothing is tidied.
const FEW: usize = 64;
/// A crowd beyond the bound is looked through so often at most.
const TIDY_PAUSE: Duration = Duration::from_millis(100);

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
