//! The server: its socket, the loop that accepts connections, and who makes room when it is full.
//!
//! Every connection is a task of its own. They all belong to [`serve`]: when it returns or is
//! dropped, none is left behind. Each needs one of the files that the system lets a process open.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::AsFd;
use std::sync::{Arc, Once};
use std::time::Duration;

use hyper::header::HeaderValue;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{sleep, timeout};

use super::connection::converse;
use super::pacer::{Pacer, network};
use super::places::{Bounds, Full, Places, Presence};
use super::{Door, ServerConfig, ServerCounters, bump};
use crate::shortage::{self, Shortage};
use crate::wire::BUFFER_MIN;

/// So many connections may wait to be accepted. Whoever comes beyond that waits a second for its
/// system to try again, so one crowd of strangers must not fill it.
const BACKLOG: i32 = 4096;
/// One file in so many is kept for calls of our own, journals and logs.
const KEPT: u64 = 4;
/// How long to leave the socket alone when the system cannot give us another connection, so that a
/// shortage of file descriptors does not become a busy loop as well.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// A server that could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("could not listen on {address}")]
pub struct BindError {
    address: SocketAddr,
    source: io::Error,
}

/// A bound socket, on which [`serve`](serve()) has not begun yet.
#[derive(Debug)]
pub struct BoundSocket {
    socket: TcpListener,
    /// The address that was bound, with the real port when port 0 was asked for.
    pub address: SocketAddr,
    /// Of the server that will run on this socket.
    pub counters: Arc<ServerCounters>,
}

impl BoundSocket {
    /// From now on whoever calls waits in the socket's queue.
    pub fn listen(&self) -> Result<(), BindError> {
        let failed =
            |error: rustix::io::Errno| BindError { address: self.address, source: error.into() };
        rustix::net::listen(&self.socket, BACKLOG).map_err(failed)
    }

    /// The same socket once more, for a server that takes over from the first. Whoever calls in
    /// between waits in the socket's queue and is not refused.
    pub fn twin(&self) -> Result<Self, BindError> {
        let failed = |source| BindError { address: self.address, source };
        let socket = self.socket.as_fd().try_clone_to_owned().map_err(failed)?;
        let socket = TcpListener::from_std(socket.into()).map_err(failed)?;
        Ok(Self { socket, address: self.address, counters: Arc::clone(&self.counters) })
    }
}

/// Binds a socket. Port 0 lets the system choose one. Async because a socket belongs to the runtime
/// that it is made in.
pub async fn bind(address: SocketAddr) -> Result<BoundSocket, BindError> {
    let bound = reserve(address).await?;
    bound.listen()?;
    Ok(bound)
}

/// The same without an answer to anybody before [`BoundSocket::listen`].
pub async fn reserve(address: SocketAddr) -> Result<BoundSocket, BindError> {
    let failed = |source| BindError { address, source };
    let socket = take(address).map_err(failed)?;
    let address = socket.local_addr().map_err(failed)?;
    Ok(BoundSocket { socket, address, counters: Arc::default() })
}

fn take(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?; // So a restarted node gets its port back at once.
    socket.bind(address)?;
    TcpListener::from_std(socket.as_fd().try_clone_to_owned()?.into())
}

/// What all connections have in common.
pub(super) struct Shared {
    pub(super) door: Box<dyn Door>,
    pub(super) config: ServerConfig,
    pub(super) counters: Arc<ServerCounters>,
    pub(super) pacer: Pacer,
    pub(super) places: Places,
    pub(super) retry_after: HeaderValue,
    pub(super) http: http1::Builder,
}

impl Shared {
    /// The number of headers stays at hyper's own bound of 100, because only with that one does
    /// parsing a head need no allocation.
    fn new(config: ServerConfig, door: impl Door, counters: Arc<ServerCounters>) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(config.header_timeout)
            .keep_alive(true)
            .half_close(false)
            .max_header_size(config.head_max)
            .max_buf_size(BUFFER_MIN.max(config.head_max));
        let pause = config.retry_after;
        let retry_after = (pause.as_secs() + u64::from(pause.subsec_nanos() > 0)).into();
        let pacer = Pacer::new(config.pacing.clone());
        let places = Places::new(Bounds {
            connections_max: fitting(config.connections_max),
            per_address_max: config.connections_per_address_max,
            bytes_max: config.bodies_max,
            pace: config.body_pace.per_s,
        });
        Self { door: Box::new(door), counters, pacer, places, retry_after, http, config }
    }
}

/// Serves until `stop` turns true or its sender is gone. Then no connection is accepted any more,
/// and requests in flight have `stop_grace` to finish.
pub async fn serve(
    bound: BoundSocket,
    config: ServerConfig,
    door: impl Door,
    mut stop: watch::Receiver<bool>,
) {
    let BoundSocket { socket, counters, .. } = bound;
    let stop_grace = config.stop_grace;
    let shared = Arc::new(Shared::new(config, door, counters));
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stopped(&mut stop) => break,
            Some(ended) = connections.join_next_with_id() => shared.places.remove(note(ended)),
            accepted = socket.accept() => {
                // A listed proxy brings many callers, each of whom it may name later.
                let address = accepted.as_ref().ok().map(|(_, from)| from.ip());
                let address = address.filter(|it| !shared.config.proxies.lists(*it)).map(network);
                let has_room = make_room(&shared, address, accepted.is_err());
                match accepted {
                    Ok((stream, from)) if has_room => {
                        shortage::passed();
                        let presence = Presence::new();
                        let caller = (from, Arc::clone(&presence));
                        let talk = converse(stream, Arc::clone(&shared), caller, stop.clone());
                        shared.places.add(presence, connections.spawn(talk), address);
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

/// Sends somebody away if there is no room. `false`: all are busy, and the newcomer has to go.
fn make_room(shared: &Shared, address: Option<IpAddr>, is_short: bool) -> bool {
    let Some(made) = shared.places.make_room(address, is_short) else { return true };
    let (counter, reason) = match made {
        Ok(()) => (&shared.counters.made_room, "made_room"),
        Err(Full) => (&shared.counters.connections, "connections"),
    };
    bump(counter, reason);
    made.is_ok()
}

/// Returns once a stop was asked for, or nobody is left who could ask.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _asked_or_gone = stop.wait_for(|stop| *stop).await;
}

/// Whose task it was. It has no result; only a panic, a bug of the door, is worth a word.
fn note(ended: Result<(Id, ()), JoinError>) -> Id {
    let error = match ended {
        Ok((id, ())) => return id,
        Err(error) => error,
    };
    if error.is_panic() {
        tracing::error!(%error, "a connection's task panicked");
    }
    error.id()
}

/// Asks the system for as many files as it grants, and says how many of the wanted connections fit.
fn fitting(connections: usize) -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // Nothing is lost if it is refused: we look at what we have.
    let _refused = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let Some(files) = getrlimit(Resource::Nofile).current.or(current) else {
        return connections;
    };
    let fits = usize::try_from(files - files / KEPT).unwrap_or(usize::MAX);
    if fits < connections {
        static SAID: Once = Once::new(); // Once a process, however many servers it has.
        SAID.call_once(|| {
            let hint = "raise the limit of open files (ulimit -Hn) or lower connections_max";
            tracing::warn!(connections_max = connections, files, fits, hint, "too few open files");
        });
    }
    fits.min(connections)
}

#[cfg(test)]
mod tests;
