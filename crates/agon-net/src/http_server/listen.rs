//! The listening socket, the connections on it, and how they end.
//!
//! Every connection is a task of its own. They all belong to [`serve`]: when it returns or is
//! dropped, none is left behind.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::header::HeaderValue;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{sleep, timeout};

use super::answer::answer;
use super::counters::bump;
use super::handshake::shake_hands;
use super::{Door, ServerConfig, ServerCounters};

/// How long to leave the socket alone when the system cannot give us another connection, so that a
/// shortage of file descriptors does not become a busy loop as well.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The least that hyper agrees to buffer for a connection.
const BUFFER_MIN: usize = 8 * 1024;

/// A server that could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("could not listen on {address}")]
    Bind { address: SocketAddr, source: io::Error },
}

/// A bound socket, on which [`serve`] has not begun yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    counters: Arc<ServerCounters>,
}

impl Listener {
    /// The address that was bound, with the real port when port 0 was asked for.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The counters of the server that will run on this socket.
    pub fn counters(&self) -> Arc<ServerCounters> {
        Arc::clone(&self.counters)
    }
}

/// Binds a socket. Port 0 lets the system choose one.
pub async fn bind(address: SocketAddr) -> Result<Listener, Error> {
    let failed = |source| Error::Bind { address, source };
    // On Unix this also sets SO_REUSEADDR, so a restarted node gets its port back at once.
    let socket = TcpListener::bind(address).await.map_err(failed)?;
    let address = socket.local_addr().map_err(failed)?;
    Ok(Listener { socket, address, counters: Arc::default() })
}

/// What all connections have in common.
pub(super) struct Shared<D> {
    pub(super) door: D,
    pub(super) config: ServerConfig,
    pub(super) counters: Arc<ServerCounters>,
    pub(super) retry_after: HeaderValue,
    http: http1::Builder,
}

/// What belongs to one connection.
pub(super) struct Session<D> {
    pub(super) shared: Arc<Shared<D>>,
    pub(super) from: SocketAddr,
    /// Whether a request has come in yet. It tells an idle connection from a slow head.
    pub(super) served: AtomicBool,
}

/// Serves until `stop` turns true or its sender is gone. Then no connection is accepted any more,
/// and requests in flight have `stop_grace` to finish.
pub async fn serve<D: Door>(
    listener: Listener,
    config: ServerConfig,
    door: D,
    mut stop: watch::Receiver<bool>,
) {
    let Listener { socket, counters, .. } = listener;
    let stop_grace = config.stop_grace;
    let connections_max = config.connections_max;
    let shared = Arc::new(Shared {
        door,
        counters,
        retry_after: HeaderValue::from(whole_seconds(config.retry_after)),
        http: protocol(&config),
        config,
    });
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stopped(&mut stop) => break,
            Some(ended) = connections.join_next() => note(ended),
            (stream, from) = accept(&socket) => {
                if connections.len() >= connections_max {
                    bump(&shared.counters.connections, "connections");
                    continue; // Dropping the stream closes it.
                }
                let served = AtomicBool::new(false);
                let session = Session { shared: Arc::clone(&shared), from, served };
                connections.spawn(converse(stream, Arc::new(session), stop.clone()));
            }
        }
    }
    drop(socket);
    let all_ended = async {
        while let Some(ended) = connections.join_next().await {
            note(ended);
        }
    };
    if timeout(stop_grace, all_ended).await.is_err() {
        tracing::warn!(left = connections.len(), "stopped with requests still in flight");
    }
    connections.shutdown().await;
}

/// How we speak HTTP. The number of headers stays at hyper's own bound of 100, because only with
/// that one does parsing a head need no allocation.
fn protocol(config: &ServerConfig) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(config.header_timeout)
        .keep_alive(true)
        .half_close(false)
        .max_header_size(config.head_max)
        .max_buf_size(BUFFER_MIN.max(config.head_max));
    http
}

/// The next connection. An error of one connection, or a passing shortage, ends no server.
async fn accept(socket: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match socket.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => {
                tracing::warn!(%error, "could not accept a connection");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Serves one connection to its end.
async fn converse<D: Door>(
    stream: TcpStream,
    session: Arc<Session<D>>,
    mut stop: watch::Receiver<bool>,
) {
    // Without this, a small answer may wait 40 ms for the peer's acknowledgement.
    if stream.set_nodelay(true).is_err() {
        return; // The peer has gone already.
    }
    let Some(identity) = &session.shared.config.identity else {
        return speak(stream, Arc::clone(&session), stop).await;
    };
    // In a box: the state of TLS is large, and plain connections should not hold room for it.
    let encrypted = Box::pin(async {
        let patience = session.shared.config.header_timeout;
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

/// Speaks HTTP on a connection, plain or encrypted, to its end.
async fn speak<D: Door>(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    session: Arc<Session<D>>,
    mut stop: watch::Receiver<bool>,
) {
    let service = {
        let session = Arc::clone(&session);
        service_fn(move |request| answer(Arc::clone(&session), request))
    };
    let http = &session.shared.http;
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        biased; // Requests come first; a stop may wait for one more turn.
        ended = connection.as_mut() => ended,
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended
        && error.is_timeout()
        && !session.served.load(Ordering::Relaxed)
    {
        bump(&session.shared.counters.timeout, "timeout");
    }
}

/// Returns once a stop was asked for, or nobody is left who could ask.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _asked_or_gone = stop.wait_for(|stop| *stop).await;
}

/// A connection's task has no result. Only a panic, which is a bug of the door, is worth a word.
fn note(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        tracing::error!(%error, "a connection's task panicked");
    }
}

fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}
