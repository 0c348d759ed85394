//! One connection: from its first byte to its end, and what it is doing meanwhile.
//!
//! What cannot be read as HTTP never becomes a request: the HTTP library answers 400 or 431 on its
//! own. Such an answer has to wait for its turn like any other refusal, or garbage would be the one
//! kind of flood that is not slowed down. So a connection's bytes pass here.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rustix::net::{RecvFlags, recv};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tracing::debug;

use super::answer::answer;
use super::arrival::{Arrival, LOOK_MAX, arrival};
use super::pacer::{TooMany, network};
use super::places::Presence;
use super::proxies::{CallerAddress, Preamble};
use super::serve::{Shared, stopped};
use super::{ServerCounters, bump};
use crate::tls::{Identity, cause, is_not_tls};

/// What is said to whoever sends a first body too slowly.
const TOO_SLOW: &[u8] = b"HTTP/1.1 408 Request Timeout\r\n\
    content-type: text/plain; charset=utf-8\r\ncontent-length: 23\r\nconnection: close\r\n\r\n\
    the body took too long\n";

/// What belongs to one connection.
pub(super) struct Session {
    pub(super) shared: Arc<Shared>,
    /// Whose connection it is, as far as we know.
    pub(super) from: CallerAddress,
    /// Whether a request has come in yet. It tells an idle connection from a slow head.
    pub(super) served: AtomicBool,
    pub(super) presence: Arc<Presence>,
    pub(super) floor: Floor,
}

impl Session {
    fn new(shared: Arc<Shared>, from: CallerAddress, presence: Arc<Presence>) -> Self {
        Self { shared, from, served: AtomicBool::new(false), presence, floor: Floor::default() }
    }
}

/// Serves one connection to its end.
pub(super) async fn converse(
    stream: TcpStream,
    shared: Arc<Shared>,
    (from, presence): (SocketAddr, Arc<Presence>),
    mut stop: watch::Receiver<bool>,
) {
    // Without this, a small answer may wait 40 ms for the peer's acknowledgement.
    if stream.set_nodelay(true).is_err() {
        return; // The peer has gone already.
    }
    // In boxes, because whoever says nothing is not given the room that a conversation takes.
    let arrived = tokio::select! {
        biased; // What is there already comes before a stop.
        arrived = Box::pin(arrive(&stream, &shared, from, &presence)) => arrived,
        () = stopped(&mut stop) => return,
    };
    let Some(from) = arrived else { return };
    let session = Arc::new(Session::new(shared, from, presence));
    let Some(identity) = &session.shared.config.identity else {
        return Box::pin(speak(stream, Arc::clone(&session), stop)).await;
    };
    let patience = session.shared.config.header_timeout;
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

/// Waits until there is something to speak about, and finds out who calls. `None` when the
/// connection is not worth going on with.
async fn arrive(
    stream: &TcpStream,
    shared: &Shared,
    from: SocketAddr,
    presence: &Presence,
) -> Option<CallerAddress> {
    let Shared { config, counters, pacer, .. } = shared;
    let mut caller = CallerAddress { address: from, is_veiled: false };
    if config.proxies.lists(from.ip()) {
        match timeout(config.header_timeout, introduced(stream, from)).await {
            Ok(named) => caller = named?,
            Err(_elapsed) => {
                bump(&counters.timeout, "timeout");
                return None;
            }
        }
        if caller.address != from {
            let moved = shared.places.move_to(tokio::task::id(), network(caller.address.ip()));
            moved.ok()?;
        }
    }
    if config.identity.is_some() {
        let heard = timeout(config.header_timeout, stream.readable()).await;
        if heard.is_err() {
            bump(&counters.timeout, "timeout");
        }
        return heard.is_ok().then_some(caller);
    }
    match arrival(stream, config, presence).await {
        Arrival::Ready => return Some(caller),
        Arrival::Gone => {}
        Arrival::SlowHead => bump(&counters.timeout, "timeout"),
        Arrival::SlowBody => {
            bump(&counters.timeout, "timeout");
            // Whoever is slow costs little here, and waits like everybody who is refused.
            if pacer.turn(caller.address.ip(), counters).await.is_ok() {
                hang_up(stream);
            }
        }
    }
    None
}

/// Says that the body took too long, and reads what has come: what is left unread would make the
/// system take back what we have said.
fn hang_up(stream: &TcpStream) {
    let mut room = [0; 4096];
    let reads = (0..LOOK_MAX / room.len() + 1).map(|_| stream.try_read(&mut room));
    let _in_vain = reads.take_while(|read| matches!(read, Ok(1..))).count();
    let _nobody_there = stream.try_write(TOO_SLOW);
}

/// Who calls by a connection of a listed proxy, as its first words say.
async fn introduced(stream: &TcpStream, from: SocketAddr) -> Option<CallerAddress> {
    let mut begin = vec![0; LOOK_MAX];
    let (length, caller) = loop {
        stream.readable().await.ok()?;
        let mut seen = 0;
        let looked = stream.try_io(Interest::READABLE, || {
            let (count, _) = recv(stream, &mut begin[..], RecvFlags::PEEK)?;
            seen = count;
            let preamble = Preamble::read(&begin[..count]);
            let more = count > 0 && matches!(preamble, Preamble::Part);
            if more { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(preamble) }
        });
        match looked {
            Ok(Preamble::Whole { length, caller }) => break (length, caller),
            Ok(Preamble::Absent) => return Some(CallerAddress { address: from, is_veiled: false }),
            Ok(Preamble::Part | Preamble::Broken) => return None,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_gone) => return None,
        }
    };
    let taken = stream.try_read(&mut begin[..length]).ok()?;
    let address = caller.unwrap_or(from);
    // Whoever is on our own machine need not call through a proxy.
    let is_veiled = caller.is_none_or(|caller| caller.ip().is_loopback());
    (taken == length).then_some(CallerAddress { address, is_veiled })
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
                shared.pacer.turn(session.from.address.ip(), &shared.counters).await
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
        let count = buffer.filled().len() - before;
        if count > 0 {
            self.session.floor.listening();
            self.session.presence.received(count);
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
