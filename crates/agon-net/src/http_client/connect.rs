//! The way to an endpoint: its name turned into addresses that may be called, TCP, and for
//! `https://` the handshake, each within its time.
//!
//! The check sits between the lookup and the connection, on the very addresses that are connected
//! to. A name that changes its address between two lookups gains nothing by it.

use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use std::{io, vec};

use hyper::Uri;
use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use tokio::time::timeout;
use tower_service::Service;

use super::Source;
use super::policy::AddressPolicy;
use crate::stream::Stream;
use crate::tls::Trust;

/// The system's resolver behind a policy.
#[derive(Debug, Clone)]
pub(super) struct Resolver {
    system: GaiResolver,
    policy: AddressPolicy,
    patience: Duration,
}

impl Resolver {
    pub(super) fn new(policy: AddressPolicy, patience: Duration) -> Self {
        Self { system: GaiResolver::new(), policy, patience }
    }
}

/// Why a name led nowhere.
#[derive(Debug, thiserror::Error)]
pub(super) enum ResolveError {
    #[error("could not look up the name")]
    Lookup(#[source] io::Error),
    #[error("looking up the name took too long")]
    Slow,
    #[error("the name stands for {address}, which may not be called")]
    Forbidden { address: IpAddr },
}

impl Service<Name> for Resolver {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = ResolveError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, ResolveError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ResolveError>> {
        self.system.poll_ready(context).map_err(ResolveError::Lookup)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let lookup = timeout(self.patience, self.system.call(name));
        let policy = self.policy;
        Box::pin(async move {
            let found = lookup.await.map_err(|_elapsed| ResolveError::Slow)?;
            let (permitted, forbidden): (Vec<_>, Vec<_>) = found
                .map_err(ResolveError::Lookup)?
                .partition(|address| policy.permits(address.ip()));
            match forbidden.first() {
                Some(address) if permitted.is_empty() => {
                    Err(ResolveError::Forbidden { address: address.ip() })
                }
                Some(_) | None => Ok(permitted.into_iter()),
            }
        })
    }
}

/// Connects to an `https://` endpoint and shakes hands. A clone is cheap.
#[derive(Debug, Clone)]
pub(super) struct Secure {
    tcp: HttpConnector<Resolver>,
    trust: Trust,
    patience: Duration,
}

impl Secure {
    /// On top of a connector that also takes `https`.
    pub(super) fn new(tcp: HttpConnector<Resolver>, trust: Trust, patience: Duration) -> Self {
        Self { tcp, trust, patience }
    }
}

impl Service<Uri> for Secure {
    type Response = TokioIo<Stream>;
    type Error = Source;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Source>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Source>> {
        self.tcp.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (trust, patience) = (self.trust.clone(), self.patience);
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let tcp = self.tcp.call(uri);
        Box::pin(async move {
            // First, so that a peer does not wait while we read the system's issuers.
            let handshake = trust.handshake(&host).await?;
            let stream = handshake.shake(tcp.await?.into_inner(), patience).await?;
            Ok(TokioIo::new(stream))
        })
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}
