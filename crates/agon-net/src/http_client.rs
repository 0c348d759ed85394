//! The HTTP client: one POST, one answer, both bounded in bytes and in time.
//!
//! A call is made exactly once. The only exception costs nothing: when a pooled connection turns
//! out to be closed before a byte of the request was written, the request goes out on a fresh one.
//! Redirects are answers like any other and are not followed.
//!
//! Plain and encrypted connections have a pool each, so neither pays for the other's existence.

use std::error;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderValue};
use hyper::{Method, Request};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::net::lookup_host;
use tokio::time;
use tracing::{debug, warn};

use crate::body::{BUFFER_MIN, ReadError, read};
use crate::causes;
use crate::shortage::{self, Shortage, is_there_a_way};
use crate::tls::{TlsFault, Trust};

mod connect;
mod endpoint_url;
mod policy;

pub use endpoint_url::{BadEndpoint, EndpointUrl, Scheme};
pub use policy::AddressPolicy;

use connect::{ResolveError, Resolver, Secure};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Calls other agents. A clone is cheap and shares the connections.
#[derive(Debug, Clone)]
pub struct Client(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    plain: legacy::Client<HttpConnector<Resolver>, Full<Bytes>>,
    secure: legacy::Client<Secure, Full<Bytes>>,
    policy: AddressPolicy,
    answer_max: usize,
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
        let ClientConfig { connect_timeout, policy, .. } = config;
        let resolver = Resolver::new(policy, connect_timeout);
        let mut connector = HttpConnector::new_with_resolver(resolver);
        connector.set_nodelay(true);
        connector.set_connect_timeout(Some(connect_timeout));
        connector.enforce_http(false); // `https` as well; who speaks it is decided below.
        let mut pooled = legacy::Client::builder(TokioExecutor::new());
        pooled
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(config.idle_timeout)
            .pool_max_idle_per_host(config.idle_per_host_max)
            .http1_max_buf_size(BUFFER_MIN.max(config.head_max))
            .retry_canceled_requests(true)
            .set_host(false); // The endpoint brings its own, made once.
        Self(Arc::new(Shared {
            secure: pooled.build(Secure::new(connector.clone(), config.trust, connect_timeout)),
            plain: pooled.build(connector),
            policy,
            answer_max: config.answer_max,
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
            && !self.0.policy.permits(address)
        {
            return Err(CallError::Forbidden { address });
        }
        let call = self.call(endpoint, request(content_type, endpoint, body));
        time::timeout(timeout, call).await.unwrap_or(Err(CallError::Timeout))
    }

    async fn call(
        &self,
        endpoint: &EndpointUrl,
        request: Request<Full<Bytes>>,
    ) -> Result<HttpAnswer, CallError> {
        let response = match endpoint.scheme() {
            Scheme::Http => self.0.plain.request(request),
            Scheme::Https => self.0.secure.request(request),
        };
        let response = match response.await {
            Ok(response) => response,
            Err(error) => return Err(self.failed(endpoint, error).await),
        };
        shortage::passed();
        let status = response.status().as_u16();
        let limit = self.0.answer_max;
        // Leaving with the body unread drops it, and hyper then closes the connection.
        let body = read(&mut response.into_body(), limit).await.map_err(|error| match error {
            ReadError::TooLarge => CallError::TooLarge { limit },
            ReadError::Broken(source) => CallError::Broken(source.into()),
        })?;
        Ok(HttpAnswer { status, body, at: Instant::now() })
    }

    async fn failed(&self, endpoint: &EndpointUrl, error: legacy::Error) -> CallError {
        if let Some(ResolveError::Forbidden { address }) = causes::find(&error) {
            return CallError::Forbidden { address: *address };
        }
        if let Some(fault) = causes::find(&error) {
            self.note(endpoint, fault);
            return CallError::Connect(Box::new(fault.clone()));
        }
        if let Some(met) = Shortage::of(&error)
            && (met == Shortage::Files || is_there_a_way(addresses(endpoint).await))
        {
            shortage::met(met);
            return CallError::Exhausted(met);
        }
        if error.is_connect() {
            return CallError::Connect(error.into());
        }
        CallError::Broken(error.into())
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

/// Where that endpoint is; nowhere, if its name cannot be looked up now.
async fn addresses(endpoint: &EndpointUrl) -> Vec<SocketAddr> {
    match endpoint.address() {
        Some(address) => vec![SocketAddr::new(address, endpoint.port())],
        None => lookup_host((endpoint.host(), endpoint.port()))
            .await
            .map_or_else(|_unknown| Vec::new(), Iterator::collect),
    }
}

/// Everything in the head is shared with the endpoint or static; nothing is formatted.
fn request(content_type: HeaderValue, endpoint: &EndpointUrl, body: Bytes) -> Request<Full<Bytes>> {
    let mut headers = HeaderMap::with_capacity(3); // Ours, and hyper's `content-length`.
    headers.insert(HOST, endpoint.host_header());
    headers.insert(CONTENT_TYPE, content_type);
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = endpoint.uri();
    *request.headers_mut() = headers;
    request
}
