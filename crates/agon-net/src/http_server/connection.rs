//! One connection: from its first byte to its end, and what it is doing meanwhile.
//!
//! What cannot be read as HTTP never becomes a request: the HTTP library answers 400 or 431 on its
//! own. Such an answer has to wait for its turn like any other refusal, or garbage would be the one
//! kind of flood that is not slowed down. So a connection's bytes pass here.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tracing::debug;

use super::answer::answer;
use super::pacer::TooMany;
use super::serve::{Shared, stopped};
use super::{ServerCounters, bump};
use crate::tls::{Identity, cause, is_not_tls};

/// What belongs to one connection.
pub(super) struct Session {
    pub(super) shared: Arc<Shared>,
    pub(super) from: SocketAddr,
    /// Whether a request has come in yet. It tells an idle connection from a slow head.
    pub(super) served: AtomicBool,
    pub(super) presence: Arc<Presence>,
    pub(super) floor: Floor,
}

impl Session {
    pub(super) fn new(shared: &Arc<Shared>, from: SocketAddr, presence: Arc<Presence>) -> Self {
        let (served, floor) = (AtomicBool::new(false), Floor::default());
        Self { shared: Arc::clone(shared), from, served, presence, floor }
    }
}

/// Serves one connection to its end.
pub(super) async fn converse(
    stream: TcpStream,
    session: Arc<Session>,
    mut stop: watch::Receiver<bool>,
) {
    // Without this, a small answer may wait 40 ms for the peer's acknowledgement.
    if stream.set_nodelay(true).is_err() {
        return; // The peer has gone already.
    }
    let patience = session.shared.config.header_timeout;
    // Whoever says nothing is not given the room that a conversation takes.
    let mut first = [0];
    let heard = tokio::select! {
        () = stopped(&mut stop) => return,
        heard = timeout(patience, stream.peek(&mut first)) => heard,
    };
    match heard {
        Ok(Ok(_some_or_none)) => {}
        Ok(Err(_gone)) => return,
        Err(_elapsed) => return bump(&session.shared.counters.timeout, "timeout"),
    }
    // In boxes, for the same reason: a connection that is silent holds no room for either.
    let Some(identity) = &session.shared.config.identity else {
        return Box::pin(speak(stream, Arc::clone(&session), stop)).await;
    };
    let encrypted = Box::pin(async {
        let stream = tokio::select! {
            () = stopped(&mut stop) => None,
            stream = shake_hands(stream, identity, patience, &session.shared.counters) => stream,
        };
        if let Some(stream) = stream {
            speak(stream, Arc::clone(&session), stop).await;
        }
    });
    encrypted.await;
}

/// Shakes hands, within the time of a head. `None` when the connection is not worth going on with.
async fn shake_hands(
    stream: TcpStream,
    identity: &Identity,
    patience: Duration,
    counters: &ServerCounters,
) -> Option<TlsStream<TcpStream>> {
    match timeout(patience, identity.0.accept(stream)).await {
        Ok(Ok(stream)) => return Some(stream),
        Ok(Err(error)) => match cause(&error) {
            None => {} // Whoever just leaves, as probes of a port do, is nobody's trouble.
            Some(error) if is_not_tls(error) => bump(&counters.not_tls, "not_tls"),
            Some(error) => {
                debug!(%error, "a TLS handshake failed");
                bump(&counters.handshake, "handshake");
            }
        },
        Err(_elapsed) => bump(&counters.timeout, "timeout"),
    }
    None
}

/// Speaks HTTP on a connection, plain or encrypted, to its end.
async fn speak(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    session: Arc<Session>,
    mut stop: watch::Receiver<bool>,
) {
    let service = {
        let session = Arc::clone(&session);
        service_fn(move |request| answer(Arc::clone(&session), request))
    };
    let http = &session.shared.http;
    let stream = TokioIo::new(PacedStream { stream, session: Arc::clone(&session), turn: None });
    let mut connection = pin!(http.serve_connection(stream, service));
    let ended = tokio::select! {
        biased; // Requests come first; a stop may wait for one more turn.
        ended = connection.as_mut() => ended,
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    let counters = &session.shared.counters;
    match ended {
        Err(error) if error.is_parse() => bump(&counters.malformed, "malformed"),
        Err(error) if error.is_timeout() && !session.served.load(Ordering::Relaxed) => {
            bump(&counters.timeout, "timeout");
        }
        Ok(()) | Err(_) => {}
    }
}

const BUSY: u64 = u64::MAX;
pub(super) const GONE: u64 = u64::MAX - 1;

/// What a connection is doing.
#[derive(Debug)]
pub(super) struct Presence {
    pub(super) born: Instant,
    /// Since when it has been at rest, in microseconds; `BUSY` or `GONE`.
    pub(super) rest: AtomicU64,
}

impl Presence {
    /// Its request goes to the door. Not if it was sent away at this very moment.
    pub(super) fn begin(&self) -> bool {
        self.rest.swap(BUSY, Ordering::Relaxed) != GONE
    }

    /// Its request was answered.
    pub(super) fn end(&self) {
        self.rest.store(micros(self.born), Ordering::Relaxed);
    }

    /// Sends it away, if it has been at rest since then.
    pub(super) fn dismiss(&self, since: u64) -> bool {
        let order = Ordering::Relaxed;
        self.rest.compare_exchange(since, GONE, order, order).is_ok()
    }
}

pub(super) fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(GONE - 1)
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

type Turn = Pin<Box<dyn Future<Output = Result<(), TooMany>> + Send>>;

/// A connection's bytes, with an ear for what the HTTP library says by itself.
struct PacedStream<S> {
    stream: S,
    session: Arc<Session>,
    /// What is waited for, if something is said unasked.
    turn: Option<Turn>,
}

impl<S> PacedStream<S> {
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

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
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

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
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
