//! The listening socket, and how many connections fit on it: each needs one of the files that the
//! system lets a process open.

use std::io;
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::sync::{Arc, Once};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpSocket};

use super::ServerCounters;

/// So many connections may wait to be accepted. Whoever comes beyond that waits a second for its
/// system to try again, so one crowd of strangers must not fill it.
const BACKLOG: u32 = 4096;
/// One file in so many is kept for calls of our own, journals and logs.
const KEPT: u64 = 4;

/// A server that could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("could not listen on {address}")]
pub struct BindError {
    address: SocketAddr,
    source: io::Error,
}

/// A bound socket, on which [`serve`](fn@super::serve) has not begun yet.
#[derive(Debug)]
pub struct BoundSocket {
    pub(super) socket: TcpListener,
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

/// Asks the system for as many files as it grants, and says how many of the wanted connections fit.
pub(super) fn fitting(connections: usize) -> usize {
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
