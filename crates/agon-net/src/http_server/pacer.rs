//! Bad requests are answered slowly, good ones at once.
//!
//! Whoever is refused before it has proved who it is draws from the bucket of its address. When
//! that is empty, the answer waits for its turn, and the caller's connection waits with it: a flood
//! of bad requests slows itself down. Neighbours at the same address notice nothing, because a good
//! request never comes here. How long and how many wait is bounded.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::time::sleep;

use super::ServerCounters;
use super::counters::bump;
use crate::buckets::{Buckets, Rate};

/// Addresses that are remembered at a time. Only those whose bucket is not full count.
const ADDRESSES_MAX: usize = 4096;
/// Whoever has one address of IPv6 usually has all that share these bits.
const PREFIX: u128 = !0 << 64;

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
    waiting: AtomicUsize,
}

impl Pacer {
    pub(super) fn new(pacing: Pacing) -> Self {
        let buckets = Mutex::new(Buckets::new(ADDRESSES_MAX));
        Self { pacing, buckets, waiting: AtomicUsize::new(0) }
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
        let taken = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _place = Place(&self.waiting);
        if taken < self.pacing.waiting_max {
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

/// Somebody who waits, or has hung up meanwhile.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whose bucket it is.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & PREFIX)),
        IpAddr::V4(address) => IpAddr::V4(address),
    }
}

#[cfg(test)]
mod tests;
