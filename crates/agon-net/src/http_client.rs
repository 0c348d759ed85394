//! The HTTP client: one POST, one answer, both bounded in bytes and in time.
//!
//! A call is made exactly once. The only exception costs nothing: when a pooled connection turns
//! out to be closed before a byte of the request was written, the request goes out on another one.
//! Redirects are answers like any other and are not followed. Between two calls connections wait
//! here, so many for each peer and each for so long.

use std::collections::HashMap;
use std::error;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderValue};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use tokio::time::{sleep, timeout};
use tracing::{debug, warn};

use crate::causes;
use crate::shortage::{self, Shortage, is_there_a_way};
use crate::tls::{TlsFault, Trust};
use crate::wire::{BUFFER_MIN, ReadError, read};

mod connect;
mod endpoint;

pub use connect::{is_of_this_machine, source_towards};
pub(crate) use endpoint::split_authority;
pub use endpoint::{AddressPolicy, BadEndpoint, EndpointUrl, Scheme};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Calls other agents. A clone is cheap and shares the connections.
#[derive(Debug, Clone)]
pub struct Client(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    config: ClientConfig,
    idle: Mutex<Idle>,
    /// Handshakes that failed. Decides which of them get a line in the log.
    tls_faults: AtomicU64,
}

/// Connections that wait for the next call to their peer.
#[derive(Debug, Default)]
struct Idle {
    /// Those of a peer, the youngest last.
    connections: HashMap<Peer, Vec<(Instant, Connection)>>,
    /// Somebody comes and clears out what has waited too long.
    is_swept: bool,
}

/// Whom a connection leads to, and whether only a public address may.
type Peer = (Scheme, HeaderValue, bool);

/// One connection to a peer, for one call at a time. A task moves it, and ends with it.
type Connection = http1::SendRequest<Full<Bytes>>;

/// The bounds of a client.
#[derive(Debug, Clone)]
pub struct ClientConfig {
    /// Longest body of an answer, in bytes.
    pub answer_max: usize,
    /// Longest head of an answer, in bytes; at least 8 KiB are always allowed.
    pub head_max: usize,
    /// How long finding the address may take, again how long connecting to it may take, and again
    /// how long the TLS handshake may take.
    pub connect_timeout: Duration,
    /// How long an unused connection is kept. Should be shorter than the peers' own patience, which
    /// is five seconds with common servers: a request that meets their closing is lost.
    pub idle_timeout: Duration,
    /// Unused connections kept for one host and port.
    pub idle_per_host_max: usize,
    /// Which addresses may be called at all.
    pub policy: AddressPolicy,
    /// Whose certificates are believed when an `https://` endpoint is called.
    pub trust: Trust,
}

/// What a peer answered, whatever its status.
#[derive(Debug, Clone)]
pub struct HttpAnswer {
    pub status: u16,
    pub body: Bytes,
    /// When the last byte had arrived.
    pub at: Instant,
}

/// The cause of a failed call, to be printed and not to be matched on.
pub type Source = Box<dyn error::Error + Send + Sync>;

/// Why a call brought no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// Nobody was reached: no such name, refused, unreachable, no connection in time, or nobody
    /// who could prove by TLS to be the one; then the source is a [`TlsFault`].
    #[error("could not connect")]
    Connect(#[source] Source),
    #[error("no whole answer came in time")]
    Timeout,
    #[error("the answer is larger than {limit} bytes")]
    TooLarge { limit: usize },
    /// The connection died before the answer was whole, or what came was no HTTP.
    #[error("the answer broke off")]
    Broken(#[source] Source),
    /// The policy does not let us call this address. Nothing was sent.
    #[error("the address {address} may not be called")]
    Forbidden { address: IpAddr },
    /// Our own host could not make another connection. Nothing was sent, and the peer knows
    /// nothing of it.
    #[error("this host has no {0} left for another connection")]
    Exhausted(Shortage),
}

impl CallError {
    /// What was wrong with the peer's TLS, if that is why nobody was reached.
    pub fn tls_fault(&self) -> Option<&TlsFault> {
        causes(self).find_map(|cause| cause.downcast_ref())
    }
}

impl Client {
    /// A client without connections. They are made as calls need them.
    pub fn new(config: ClientConfig) -> Self {
        Self(Arc::new(Shared { config, idle: Mutex::default(), tls_faults: AtomicU64::new(0) }))
    }

    /// Posts a JSON body once and reads the whole answer, all of it within `timeout`.
    pub async fn post(
        &self,
        endpoint: &EndpointUrl,
        body: Bytes,
        timeout: Duration,
    ) -> Result<HttpAnswer, CallError> {
        self.post_as(JSON, endpoint, body, timeout).await
    }

    /// Posts a body of any type, in the same way.
    pub(crate) async fn post_as(
        &self,
        content_type: HeaderValue,
        endpoint: &EndpointUrl,
        body: Bytes,
        at_most: Duration,
    ) -> Result<HttpAnswer, CallError> {
        // Names are checked when they are resolved; an address in the endpoint never is.
        if let Some(address) = endpoint.address()
            && !self.0.config.policy.towards(endpoint).permits(address)
        {
            return Err(CallError::Forbidden { address });
        }
        let call = self.0.call(endpoint, request(content_type, endpoint, body));
        timeout(at_most, call).await.unwrap_or(Err(CallError::Timeout))
    }
}

/// Everything in the head is shared with the endpoint or static; nothing is formatted.
fn request(content_type: HeaderValue, endpoint: &EndpointUrl, body: Bytes) -> Request<Full<Bytes>> {
    let mut headers = HeaderMap::with_capacity(3); // Ours, and hyper's `content-length`.
    headers.insert(HOST, endpoint.host.clone());
    headers.insert(CONTENT_TYPE, content_type);
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = endpoint.target.clone();
    *request.headers_mut() = headers;
    request
}

impl Shared {
    async fn call(
        self: &Arc<Self>,
        endpoint: &EndpointUrl,
        mut request: Request<Full<Bytes>>,
    ) -> Result<HttpAnswer, CallError> {
        let limit = self.config.answer_max;
        let peer = (endpoint.scheme(), endpoint.host.clone(), endpoint.public_only);
        loop {
            let waiting = self.take(&peer);
            let is_fresh = waiting.is_none();
            let mut connection = match waiting {
                Some(connection) => connection,
                None => self.connect(endpoint).await?,
            };
            match exchange(&mut connection, request, limit).await {
                Ok((status, body)) => {
                    let at = Instant::now();
                    self.put(peer, connection);
                    return Ok(HttpAnswer { status, body, at });
                }
                Err((Some(unsent), _)) if !is_fresh => request = *unsent,
                Err((_, ReadError::TooLarge)) => return Err(CallError::TooLarge { limit }),
                Err((_, ReadError::Broken(error))) => return Err(CallError::Broken(error.into())),
            }
        }
    }

    /// The connection to that peer that was used last: it is the most likely to be there still.
    fn take(&self, peer: &Peer) -> Option<Connection> {
        let mut idle = self.idle();
        let waiting = idle.connections.get_mut(peer)?;
        loop {
            let (since, connection) = waiting.pop()?;
            if !connection.is_closed() && since.elapsed() < self.config.idle_timeout {
                return Some(connection);
            }
        }
    }

    /// Keeps a connection for the next call, if it can take one and there is room.
    fn put(self: &Arc<Self>, peer: Peer, connection: Connection) {
        let idle_max = self.config.idle_per_host_max;
        if idle_max == 0 || connection.is_closed() {
            return;
        }
        let mut idle = self.idle();
        let waiting = idle.connections.entry(peer).or_default();
        if waiting.len() < idle_max {
            waiting.push((Instant::now(), connection));
        }
        if !std::mem::replace(&mut idle.is_swept, true) {
            tokio::spawn(sweep(Arc::downgrade(self), self.config.idle_timeout));
        }
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection. The head of what is answered on it is bounded from the first byte.
    async fn connect(&self, endpoint: &EndpointUrl) -> Result<Connection, CallError> {
        let stream = match self.config.connect(endpoint).await {
            Ok(stream) => stream,
            Err(error) => return Err(self.failed(endpoint, error).await),
        };
        shortage::passed();
        let mut protocol = http1::Builder::new();
        protocol.max_buf_size(BUFFER_MIN.max(self.config.head_max));
        let made = protocol.handshake(TokioIo::new(stream)).await;
        let (connection, wire) = made.map_err(|error| CallError::Broken(error.into()))?;
        tokio::spawn(wire); // How it ends, its calls are told.
        Ok(connection)
    }

    /// Why nobody was reached: perhaps our own host is to blame.
    async fn failed(&self, endpoint: &EndpointUrl, error: CallError) -> CallError {
        if let Some(fault) = error.tls_fault() {
            self.note(endpoint, fault);
        }
        if let Some(met) = Shortage::of(&error) {
            let addresses = self.config.addresses(endpoint).await.unwrap_or_default();
            if met == Shortage::Files || is_there_a_way(addresses) {
                shortage::met(met);
                return CallError::Exhausted(met);
            }
        }
        error
    }

    /// Says why a peer is not believed, because the callers above only see that nobody was reached:
    /// aloud at the first, second, fourth, eighth … time, and always to those who look closely.
    fn note(&self, endpoint: &EndpointUrl, fault: &TlsFault) {
        let count = self.tls_faults.fetch_add(1, Ordering::Relaxed) + 1;
        let (host, port, reason) = (endpoint.host(), endpoint.port(), crate::whole(fault));
        if count.is_power_of_two() {
            warn!(host, port, reason, count, "no TLS connection");
        } else {
            debug!(host, port, reason, count, "no TLS connection");
        }
    }
}

/// Why a call on a connection brought no answer; and the request, if the peer had closed it before
/// anything was written: then it may go out on another one.
type Unanswered = (Option<Box<Request<Full<Bytes>>>>, ReadError);

/// Sends a request, and reads the status and the whole body of its answer.
async fn exchange(
    connection: &mut Connection,
    request: Request<Full<Bytes>>,
    answer_max: usize,
) -> Result<(u16, Bytes), Unanswered> {
    let sent = connection.try_send_request(request).await;
    let response = sent.map_err(|mut error| {
        let unsent = error.take_message().map(Box::new);
        (unsent, ReadError::Broken(error.into_error()))
    })?;
    let status = response.status().as_u16();
    // Leaving with the body unread drops it, and hyper then closes the connection.
    let body = read(&mut response.into_body(), answer_max).await;
    Ok((status, body.map_err(|error| (None, error))?))
}

/// Closes what has waited too long, as long as anything waits.
async fn sweep(client: Weak<Shared>, idle_max: Duration) {
    loop {
        sleep(idle_max).await;
        let Some(client) = client.upgrade() else { return };
        let mut idle = client.idle();
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
