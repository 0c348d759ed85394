//! The connections of a server, and how they end.
//!
//! Every connection is a task of its own. They all belong to [`serve`]: when it returns or is
//! dropped, none is left behind.

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
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{sleep, timeout};
use tokio_rustls::server::TlsStream;
use tracing::debug;

use super::answer::answer;
use super::connections::{Connections, Presence};
use super::counters::bump;
use super::pacer::{Floor, PacedStream, Pacer};
use super::socket::{BoundSocket, fitting};
use super::{Door, ServerConfig, ServerCounters};
use crate::body::BUFFER_MIN;
use crate::shortage::{self, Shortage};
use crate::tls::{Identity, cause, is_not_tls};

/// How long to leave the socket alone when the system cannot give us another connection, so that a
/// shortage of file descriptors does not become a busy loop as well.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What all connections have in common.
pub(super) struct Shared<D> {
    pub(super) door: D,
    pub(super) config: ServerConfig,
    pub(super) counters: Arc<ServerCounters>,
    pub(super) pacer: Pacer,
    pub(super) retry_after: HeaderValue,
    http: http1::Builder,
}

impl<D> Shared<D> {
    fn new(config: ServerConfig, door: D, counters: Arc<ServerCounters>) -> Self {
        Self {
            door,
            counters,
            pacer: Pacer::new(config.pacing.clone()),
            retry_after: HeaderValue::from(whole_seconds(config.retry_after)),
            http: protocol(&config),
            config,
        }
    }
}

/// What belongs to one connection.
pub(super) struct Session<D> {
    pub(super) shared: Arc<Shared<D>>,
    pub(super) from: SocketAddr,
    /// Whether a request has come in yet. It tells an idle connection from a slow head.
    pub(super) served: AtomicBool,
    pub(super) presence: Arc<Presence>,
    pub(super) floor: Floor,
}

impl<D> Session<D> {
    fn new(shared: &Arc<Shared<D>>, from: SocketAddr, presence: Arc<Presence>) -> Self {
        let (served, floor) = (AtomicBool::new(false), Floor::default());
        Self { shared: Arc::clone(shared), from, served, presence, floor }
    }
}

/// Serves until `stop` turns true or its sender is gone. Then no connection is accepted any more,
/// and requests in flight have `stop_grace` to finish.
pub async fn serve<D: Door>(
    bound: BoundSocket,
    config: ServerConfig,
    door: D,
    mut stop: watch::Receiver<bool>,
) {
    let BoundSocket { socket, counters, .. } = bound;
    let stop_grace = config.stop_grace;
    let connections_max = fitting(config.connections_max);
    let shared = Arc::new(Shared::new(config, door, counters));
    let mut connections = JoinSet::new();
    let mut table = Connections::new();
    loop {
        tokio::select! {
            () = stopped(&mut stop) => break,
            Some(ended) = connections.join_next_with_id() => table.remove(note(ended)),
            accepted = socket.accept() => {
                let is_full = accepted.is_err() || table.len() >= connections_max;
                let has_room = !is_full || make_room(&mut table, &shared.counters);
                match accepted {
                    Ok((stream, from)) if has_room => {
                        shortage::passed();
                        let presence = table.presence();
                        let session = Session::new(&shared, from, Arc::clone(&presence));
                        let talk = converse(stream, Arc::new(session), stop.clone());
                        table.add(presence, connections.spawn(talk));
                    }
                    Ok(_full) => {} // Dropping the stream closes it.
                    // An error of one connection, or a passing shortage, ends no server.
                    Err(error) => {
                        match Shortage::of(&error) {
                            Some(met) => shortage::met(met),
                            None => tracing::warn!(%error, "could not accept a connection"),
                        }
                        sleep(ACCEPT_PAUSE).await;
                    }
                }
            }
        }
    }
    drop(socket);
    let all_ended = async {
        while let Some(ended) = connections.join_next_with_id().await {
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

/// Sends somebody away who is at rest. `false`: all are busy, and the newcomer has to go.
fn make_room(table: &mut Connections, counters: &ServerCounters) -> bool {
    let made = table.make_room();
    let (counter, reason) = match made {
        true => (&counters.made_room, "made_room"),
        false => (&counters.connections, "connections"),
    };
    bump(counter, reason);
    made
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

/// Returns once a stop was asked for, or nobody is left who could ask.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _asked_or_gone = stop.wait_for(|stop| *stop).await;
}

/// Whose task it was. It has no result; only a panic, a bug of the door, is worth a word.
fn note(ended: Result<(Id, ()), JoinError>) -> Id {
    match ended {
        Ok((id, ())) => id,
        Err(error) => {
            let id = error.id();
            if error.is_panic() {
                tracing::error!(%error, "a connection's task panicked");
            }
            id
        }
    }
}

fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests;
