//! The HTTP client: one POST, one answer, both bounded in bytes and in time.
//!
//! A call is made exactly once. The only exception costs nothing: when a pooled connection turns
//! out to be closed before a byte of the request was written, the request goes out on another one.
//! Redirects are answers like any other and are not followed.

use std::error;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderValue};
use hyper::{Method, Request};
use tokio::time;
use tracing::{debug, warn};

use crate::body::{BUFFER_MIN, ReadError};
use crate::causes;
use crate::shortage::{self, Shortage, is_there_a_way};
use crate::tls::{TlsFault, Trust};

mod connect;
mod endpoint_url;
mod policy;
mod pool;

pub use endpoint_url::{BadEndpoint, EndpointUrl, Scheme};
pub use policy::AddressPolicy;

use connect::{Connector, Unreached};
use pool::{Broken, Connection, Pool};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Calls other agents. A clone is cheap and shares the connections.
#[derive(Debug, Clone)]
pub struct Client(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    connector: Connector,
    pool: Pool,
    answer_max: usize,
    buffer_max: usize,
    /// Handshakes that failed. Decides which of them get a line in the log.
    tls_faults: AtomicU64,
}

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
        causes::find(self)
    }
}

impl Client {
    /// A client without connections. They are made as calls need them.
    pub fn new(config: ClientConfig) -> Self {
        let ClientConfig { policy, trust, connect_timeout: patience, answer_max, .. } = config;
        Self(Arc::new(Shared {
            connector: Connector { policy, trust, patience },
            pool: Pool::new(config.idle_per_host_max, config.idle_timeout),
            answer_max,
            buffer_max: BUFFER_MIN.max(config.head_max),
            tls_faults: AtomicU64::new(0),
        }))
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
        timeout: Duration,
    ) -> Result<HttpAnswer, CallError> {
        // Names are checked when they are resolved; an address in the endpoint never is.
        if let Some(address) = endpoint.address()
            && !self.0.connector.policy.permits(address)
        {
            return Err(CallError::Forbidden { address });
        }
        let call = self.call(endpoint, request(content_type, endpoint, body));
        time::timeout(timeout, call).await.unwrap_or(Err(CallError::Timeout))
    }

    async fn call(
        &self,
        endpoint: &EndpointUrl,
        mut request: Request<Full<Bytes>>,
    ) -> Result<HttpAnswer, CallError> {
        let Shared { connector, pool, answer_max: limit, buffer_max, .. } = &*self.0;
        let peer = (endpoint.scheme(), endpoint.host_header());
        loop {
            let waiting = pool.take(&peer);
            let is_fresh = waiting.is_none();
            let mut connection = match waiting {
                Some(connection) => connection,
                None => match connector.connect(endpoint).await {
                    Ok(stream) => {
                        shortage::passed();
                        let made = Connection::over(stream, *buffer_max).await;
                        made.map_err(|error| CallError::Broken(error.into()))?
                    }
                    Err(unreached) => return Err(self.failed(endpoint, unreached).await),
                },
            };
            match connection.exchange(request, *limit).await {
                Ok((status, body)) => {
                    let at = Instant::now();
                    pool.put(peer, connection);
                    return Ok(HttpAnswer { status, body, at });
                }
                Err(Broken::Unsent(unsent, _)) if !is_fresh => request = *unsent,
                Err(Broken::Answer(ReadError::TooLarge)) => {
                    return Err(CallError::TooLarge { limit: *limit });
                }
                Err(Broken::Unsent(_, error) | Broken::Answer(ReadError::Broken(error))) => {
                    return Err(CallError::Broken(error.into()));
                }
            }
        }
    }

    async fn failed(&self, endpoint: &EndpointUrl, unreached: Unreached) -> CallError {
        match unreached {
            Unreached::Forbidden { address } => return CallError::Forbidden { address },
            Unreached::Tls(fault) => {
                self.note(endpoint, &fault);
                return CallError::Connect(Box::new(fault));
            }
            Unreached::Lookup(_) | Unreached::Slow | Unreached::Tcp(_) => {}
        }
        if let Some(met) = Shortage::of(&unreached) {
            let addresses = self.0.connector.addresses(endpoint).await.unwrap_or_default();
            if met == Shortage::Files || is_there_a_way(addresses) {
                shortage::met(met);
                return CallError::Exhausted(met);
            }
        }
        CallError::Connect(Box::new(unreached))
    }

    /// Says why a peer is not believed, because the callers above only see that nobody was reached:
    /// aloud at the first, second, fourth, eighth … time, and always to those who look closely.
    fn note(&self, endpoint: &EndpointUrl, fault: &TlsFault) {
        let count = self.0.tls_faults.fetch_add(1, Ordering::Relaxed) + 1;
        let (host, port, reason) = (endpoint.host(), endpoint.port(), causes::whole(fault));
        if count.is_power_of_two() {
            warn!(host, port, reason, count, "no TLS connection");
        } else {
            debug!(host, port, reason, count, "no TLS connection");
        }
    }
}

/// Everything in the head is shared with the endpoint or static; nothing is formatted.
fn request(content_type: HeaderValue, endpoint: &EndpointUrl, body: Bytes) -> Request<Full<Bytes>> {
    let mut headers = HeaderMap::with_capacity(3); // Ours, and hyper's `content-length`.
    headers.insert(HOST, endpoint.host_header());
    headers.insert(CONTENT_TYPE, content_type);
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = endpoint.target();
    *request.headers_mut() = headers;
    request
}
