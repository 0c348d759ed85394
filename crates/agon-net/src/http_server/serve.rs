//! The server: its socket, the loop that accepts connections, and who makes room when it is full.
//!
//! Every connection is a task of its own. They all belong to [`serve`]: when it returns or is
//! dropped, none is left behind. Each needs one of the files that the system lets a process open.
//!
//! A connection whose request is with the door is never sent away. Of all others the one that has
//! been at rest longest goes first. So thousands of silent strangers cannot keep an honest caller
//! out.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use hyper::header::HeaderValue;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tokio::time::{sleep, timeout};

use super::connection::{GONE, Presence, Session, converse, micros};
use super::pacer::Pacer;
use super::{Door, ServerConfig, ServerCounters, bump};
use crate::shortage::{self, Shortage};
use crate::wire::BUFFER_MIN;

/// So many connections may wait to be accepted. Whoever comes beyond that waits a second for its
/// system to try again, so one crowd of strangers must not fill it.
const BACKLOG: u32 = 4096;
/// One file in so many is kept for calls of our own, journals and logs.
const KEPT: u64 = 4;
/// How long to leave the socket alone when the system cannot give us another connection, so that a
/// shortage of file descriptors does not become a busy loop as well.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// So many are chosen in one look at everybody, so that a look is paid for by many departures.
const CHOSEN: usize = 256;

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
    let failed = |source| BindError { address, source };
    let socket = listen(address).map_err(failed)?;
    let address = socket.local_addr().map_err(failed)?;
    Ok(BoundSocket { socket, address, counters: Arc::default() })
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?; // So a restarted node gets its port back at once.
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// What all connections have in common.
pub(super) struct Shared {
    pub(super) door: Box<dyn Door>,
    pub(super) config: ServerConfig,
    pub(super) counters: Arc<ServerCounters>,
    pub(super) pacer: Pacer,
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
        Self { door: Box::new(door), counters, pacer, retry_after, http, config }
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
    let connections_max = fitting(config.connections_max);
    let shared = Arc::new(Shared::new(config, door, counters));
    let mut connections = JoinSet::new();
    let mut table = Connections::new();
    loop {
        tokio::select! {
            () = stopped(&mut stop) => break,
            Some(ended) = connections.join_next_with_id() => {
                table.guests.remove(&note(ended));
            }
            accepted = socket.accept() => {
                let is_full = accepted.is_err() || table.guests.len() >= connections_max;
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

/// Everybody who is connected.
#[derive(Debug)]
struct Connections {
    born: Instant,
    guests: HashMap<Id, (Arc<Presence>, AbortHandle)>,
    /// Who goes next, and since when it had been at rest when it was chosen.
    next: VecDeque<(u64, Id)>,
}

impl Connections {
    fn new() -> Self {
        Self { born: Instant::now(), guests: HashMap::new(), next: VecDeque::new() }
    }

    /// The presence of somebody who is just coming in.
    fn presence(&self) -> Arc<Presence> {
        Arc::new(Presence { born: self.born, rest: AtomicU64::new(micros(self.born)) })
    }

    fn add(&mut self, presence: Arc<Presence>, task: AbortHandle) {
        self.guests.insert(task.id(), (presence, task));
    }

    /// Sends one away. `false` if all are busy.
    fn make_room(&mut self) -> bool {
        self.dismiss_chosen() || {
            self.choose();
            self.dismiss_chosen()
        }
    }

    /// Whoever was chosen and has not moved since then is still the next to go.
    fn dismiss_chosen(&mut self) -> bool {
        while let Some((since, id)) = self.next.pop_front() {
            if let Some((presence, task)) = self.guests.get(&id)
                && presence.dismiss(since)
            {
                task.abort();
                self.guests.remove(&id);
                return true;
            }
        }
        false
    }

    fn choose(&mut self) {
        let resting = self.guests.iter().filter_map(|(id, (presence, _))| {
            let since = presence.rest.load(Ordering::Relaxed);
            (since < GONE).then_some((since, *id))
        });
        let mut resting: Vec<_> = resting.collect();
        let order = |(since, _): &(u64, Id)| *since;
        if resting.len() > CHOSEN {
            resting.select_nth_unstable_by_key(CHOSEN, order);
            resting.truncate(CHOSEN);
        }
        resting.sort_unstable_by_key(order);
        self.next.extend(resting);
    }
}

#[cfg(test)]
mod tests;
