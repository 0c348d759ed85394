//! Bad requests are answered slowly, good ones at once.
//!
//! Whoever is refused before it has proved who it is draws from the bucket of its address. When
//! that is empty, the answer waits for its turn, and the caller's connection waits with it: a flood
//! of bad requests slows itself down. Neighbours at the same address notice nothing, because a good
//! request never comes here. How long and how many wait is bounded.
//!
//! What cannot be read as HTTP never becomes a request: the HTTP library answers 400 or 431 on its
//! own. Such an answer has to wait for its turn like any other refusal, or garbage would be the one
//! kind of flood that is not slowed down. So a connection's bytes pass here.

use std::io::{self, IoSlice};
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Semaphore;
use tokio::time::sleep;

use super::ServerCounters;
use super::counters::bump;
use super::serve::Session;
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

/// Whose bucket it is.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & PREFIX)),
        IpAddr::V4(address) => IpAddr::V4(address),
    }
}

/// Whose word it is on a connection.
#[derive(Debug, Default)]
pub(super) struct Floor(AtomicU8);

const LISTENING: u8 = 0;
const ANSWERING: u8 = 1;
const SPEAKING: u8 = 2;

impl Floor {
    /// A request is being answered. Reading goes on meanwhile.
    pub(super) fn answering(&self) {
        self.0.store(ANSWERING, Ordering::Relaxed);
    }

    /// The answer is on its way out.
    pub(super) fn speaking(&self) {
        self.0.store(SPEAKING, Ordering::Relaxed);
    }

    /// The next request has begun to come in.
    fn listening(&self) {
        let order = Ordering::Relaxed;
        let _answering = self.0.compare_exchange(SPEAKING, LISTENING, order, order);
    }

    /// Nobody was asked, and still something is being said.
    fn is_unasked(&self) -> bool {
        self.0.load(Ordering::Relaxed) == LISTENING
    }
}

pub(super) type Turn = Pin<Box<dyn Future<Output = Result<(), TooMany>> + Send>>;

/// A connection's bytes, with an ear for what the HTTP library says by itself.
pub(super) struct PacedStream<S, D> {
    pub(super) stream: S,
    pub(super) session: Arc<Session<D>>,
    /// What is waited for, if something is said unasked.
    pub(super) turn: Option<Turn>,
}

impl<S, D: Send + Sync + 'static> PacedStream<S, D> {
    /// Ready when something may be said.
    fn poll_turn(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.session.floor.is_unasked() {
            return Poll::Ready(Ok(()));
        }
        let turn = self.turn.get_or_insert_with(|| {
            let session = Arc::clone(&self.session);
            Box::pin(async move {
                let shared = &session.shared;
                shared.pacer.turn(session.from.ip(), &shared.counters).await
            })
        });
        let turn = ready!(turn.as_mut().poll(context));
        self.turn = None;
        self.session.floor.speaking();
        Poll::Ready(turn.map_err(|TooMany| io::ErrorKind::ConnectionAborted.into()))
    }
}

impl<S: AsyncRead + Unpin, D> AsyncRead for PacedStream<S, D> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, buffer));
        if buffer.filled().len() > before {
            self.session.floor.listening();
        }
        Poll::Ready(read)
    }
}

impl<S: AsyncWrite + Unpin, D: Send + Sync + 'static> AsyncWrite for PacedStream<S, D> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_turn(context))?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_turn(context))?;
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests;
