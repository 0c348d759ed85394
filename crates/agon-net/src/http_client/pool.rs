//! Connections, and where they wait between two calls.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use hyper::client::conn::http1;
use hyper::header::HeaderValue;
use hyper_util::rt::TokioIo;
use tokio::time::sleep;

use super::endpoint_url::Scheme;
use crate::body::{ReadError, read};
use crate::stream::Stream;

/// One connection to a peer, for one call at a time. A task moves it, and ends with it.
#[derive(Debug)]
pub(super) struct Connection(http1::SendRequest<Full<Bytes>>);

/// Why a call on a connection brought no answer.
pub(super) enum Broken {
    /// The peer had closed it before anything was written: the request may go out on another one.
    Unsent(Box<Request<Full<Bytes>>>, hyper::Error),
    Answer(ReadError),
}

impl Connection {
    /// Makes one of a stream. `buffer_max` bounds the head of an answer.
    pub(super) async fn over(stream: Stream, buffer_max: usize) -> Result<Self, hyper::Error> {
        let mut protocol = http1::Builder::new();
        protocol.max_buf_size(buffer_max);
        let (requests, wire) = protocol.handshake(TokioIo::new(stream)).await?;
        tokio::spawn(wire); // How it ends, its calls are told.
        Ok(Self(requests))
    }

    /// Sends a request, and reads the status and the whole body of its answer.
    pub(super) async fn exchange(
        &mut self,
        request: Request<Full<Bytes>>,
        answer_max: usize,
    ) -> Result<(u16, Bytes), Broken> {
        let sent = self.0.try_send_request(request).await;
        let response = sent.map_err(|mut error| match error.take_message() {
            Some(request) => Broken::Unsent(Box::new(request), error.into_error()),
            None => Broken::Answer(ReadError::Broken(error.into_error())),
        })?;
        let status = response.status().as_u16();
        // Leaving with the body unread drops it, and hyper then closes the connection.
        let body = read(&mut response.into_body(), answer_max).await;
        Ok((status, body.map_err(Broken::Answer)?))
    }
}

/// Whom a connection leads to.
pub(super) type Peer = (Scheme, HeaderValue);

/// Connections that wait for the next call to their peer.
#[derive(Debug)]
pub(super) struct Pool(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    idle: Mutex<Idle>,
    idle_max: Duration,
    idle_per_peer_max: usize,
}

#[derive(Debug, Default)]
struct Idle {
    /// Those of a peer, the youngest last.
    connections: HashMap<Peer, Vec<(Instant, Connection)>>,
    /// Somebody comes and clears out what has waited too long.
    is_swept: bool,
}

impl Pool {
    /// Keeps so many for each peer, each for so long.
    pub(super) fn new(idle_per_peer_max: usize, idle_max: Duration) -> Self {
        let idle = Mutex::default();
        Self(Arc::new(Shared { idle, idle_max, idle_per_peer_max }))
    }

    /// The connection to that peer that was used last: it is the most likely to be there still.
    pub(super) fn take(&self, peer: &Peer) -> Option<Connection> {
        let mut idle = self.0.idle();
        let waiting = idle.connections.get_mut(peer)?;
        loop {
            let (since, connection) = waiting.pop()?;
            if !connection.0.is_closed() && since.elapsed() < self.0.idle_max {
                return Some(connection);
            }
        }
    }

    /// Keeps a connection for the next call, if it can take one and there is room.
    pub(super) fn put(&self, peer: Peer, connection: Connection) {
        if self.0.idle_per_peer_max == 0 || connection.0.is_closed() {
            return;
        }
        let mut idle = self.0.idle();
        let waiting = idle.connections.entry(peer).or_default();
        if waiting.len() < self.0.idle_per_peer_max {
            waiting.push((Instant::now(), connection));
        }
        if !std::mem::replace(&mut idle.is_swept, true) {
            tokio::spawn(sweep(Arc::downgrade(&self.0), self.0.idle_max));
        }
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes what has waited too long, as long as anything waits.
async fn sweep(pool: Weak<Shared>, idle_max: Duration) {
    loop {
        sleep(idle_max).await;
        let Some(pool) = pool.upgrade() else { return };
        let mut idle = pool.idle();
        idle.connections.retain(|_, waiting| {
            waiting.retain(|(since, _)| since.elapsed() < idle_max);
            !waiting.is_empty()
        });
        if idle.connections.is_empty() {
            idle.is_swept = false;
            return;
        }
    }
}
