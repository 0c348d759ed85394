//! The way to an endpoint: its name turned into addresses that may be called, TCP, and for
//! `https://` the handshake, each within its time.
//!
//! The check sits between the lookup and the connection, on the very addresses that are connected
//! to. A name that changes its address between two lookups gains nothing by it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use super::endpoint_url::{EndpointUrl, Scheme};
use super::policy::AddressPolicy;
use crate::stream::Stream;
use crate::tls::{TlsFault, Trust};

/// Addresses of the other family are tried beside the first ones when those take longer than this.
const HEAD_START: Duration = Duration::from_millis(300);

/// How connections are made.
#[derive(Debug)]
pub(super) struct Connector {
    pub(super) policy: AddressPolicy,
    pub(super) trust: Trust,
    /// For the lookup, again for TCP, and again for the handshake.
    pub(super) patience: Duration,
}

/// Why nobody was reached.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreached {
    #[error("could not look up the name")]
    Lookup(#[source] io::Error),
    #[error("looking up the name took too long")]
    Slow,
    #[error("the address {address} may not be called")]
    Forbidden { address: IpAddr },
    #[error("could not connect by TCP")]
    Tcp(#[source] io::Error),
    #[error(transparent)]
    Tls(#[from] TlsFault),
}

impl Connector {
    /// A stream to that endpoint, ready to be spoken over.
    pub(super) async fn connect(&self, endpoint: &EndpointUrl) -> Result<Stream, Unreached> {
        let addresses = self.addresses(endpoint).await?;
        let tcp = reach(addresses, self.patience);
        Ok(match endpoint.scheme() {
            Scheme::Http => Stream::new(tcp.await.map_err(Unreached::Tcp)?),
            Scheme::Https => {
                // First, so that a peer does not wait while we read the system's issuers.
                let host = endpoint.host().trim_matches(['[', ']']);
                let handshake = self.trust.handshake(host).await?;
                handshake.shake(tcp.await.map_err(Unreached::Tcp)?, self.patience).await?
            }
        })
    }

    /// Where that endpoint is, as far as it may be called.
    pub(super) async fn addresses(
        &self,
        endpoint: &EndpointUrl,
    ) -> Result<Vec<SocketAddr>, Unreached> {
        let found = match endpoint.address() {
            Some(address) => vec![SocketAddr::new(address, endpoint.port())],
            None => {
                let lookup = lookup_host((endpoint.host(), endpoint.port()));
                let found = timeout(self.patience, lookup).await;
                found.map_err(|_elapsed| Unreached::Slow)?.map_err(Unreached::Lookup)?.collect()
            }
        };
        let (permitted, forbidden): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|address| self.policy.permits(address.ip()));
        match forbidden.first() {
            Some(address) if permitted.is_empty() => {
                Err(Unreached::Forbidden { address: address.ip() })
            }
            Some(_) | None => Ok(permitted),
        }
    }
}

/// Connects to one of these addresses: those of the first one's family, and soon the others.
async fn reach(addresses: Vec<SocketAddr>, patience: Duration) -> io::Result<TcpStream> {
    let is_v6 = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let (first, others): (Vec<_>, Vec<_>) =
        addresses.into_iter().partition(|address| address.is_ipv6() == is_v6);
    if others.is_empty() {
        return one_of(&first, patience).await;
    }
    let mut first = pin!(one_of(&first, patience));
    if let Ok(connected) = timeout(HEAD_START, &mut first).await {
        return match connected {
            Ok(stream) => Ok(stream),
            Err(_unreached) => one_of(&others, patience).await,
        };
    }
    let mut others = pin!(one_of(&others, patience));
    tokio::select! {
        connected = &mut first => match connected {
            Ok(stream) => Ok(stream),
            Err(_unreached) => others.await,
        },
        connected = &mut others => match connected {
            Ok(stream) => Ok(stream),
            Err(_unreached) => first.await,
        },
    }
}

/// Connects to the first of these addresses that can be, each within its share of the time.
async fn one_of(addresses: &[SocketAddr], patience: Duration) -> io::Result<TcpStream> {
    let share = patience / addresses.len().max(1) as u32;
    let mut failed = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in addresses {
        match timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return stream.set_nodelay(true).map(|()| stream),
            Ok(Err(error)) => failed = error,
            Err(_elapsed) => failed = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(failed)
}
