//! The way to an endpoint: its name turned into addresses that may be called, TCP, and for
//! `https://` the handshake, each within its time.
//!
//! The check sits between the lookup and the connection, on the very addresses that are connected
//! to. A name that changes its address between two lookups gains nothing by it.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::pin;
use std::time::Duration;

use tokio::net::{TcpStream, UdpSocket, lookup_host};
use tokio::time::timeout;

use super::{CallError, ClientConfig, EndpointUrl, Scheme, Source};
use crate::wire::{Stream, stream};

/// Addresses of the other family are tried beside the first ones when those take longer than this.
const HEAD_START: Duration = Duration::from_millis(300);

/// Why nobody was reached.
#[derive(Debug, thiserror::Error)]
enum Unreached {
    #[error("could not look up the name")]
    Lookup(#[source] io::Error),
    #[error("looking up the name took too long")]
    Slow,
    #[error("could not connect by TCP")]
    Tcp(#[source] io::Error),
}

/// From which of our addresses a call to there leaves, if there is a way at all. Nothing is sent.
pub async fn source_towards(endpoint: &EndpointUrl) -> Option<IpAddr> {
    let to = match endpoint.address() {
        Some(address) => SocketAddr::new(address, endpoint.port()),
        None => lookup_host((endpoint.host(), endpoint.port())).await.ok()?.next()?,
    };
    let any: IpAddr = match to {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0)).await.ok()?;
    socket.connect(to).await.ok()?;
    Some(socket.local_addr().ok()?.ip().to_canonical())
}

/// Whether that address is one of this machine's. Nothing is sent.
pub fn is_of_this_machine(address: IpAddr) -> bool {
    std::net::UdpSocket::bind((address, 0)).is_ok()
}

impl ClientConfig {
    /// A stream to that endpoint, ready to be spoken over.
    pub(super) async fn connect(&self, endpoint: &EndpointUrl) -> Result<Stream, CallError> {
        let addresses = self.addresses(endpoint).await?;
        let tcp = async {
            let reached = reach(addresses, self.connect_timeout).await;
            reached.map_err(|error| failed(Unreached::Tcp(error)))
        };
        Ok(match endpoint.scheme() {
            Scheme::Http => stream(tcp.await?),
            Scheme::Https => {
                // First, so that a peer does not wait while we read the system's issuers.
                let host = endpoint.host().trim_matches(['[', ']']);
                let handshake = self.trust.handshake(host).await.map_err(failed)?;
                handshake.shake(tcp.await?, self.connect_timeout).await.map_err(failed)?
            }
        })
    }

    /// Where that endpoint is, as far as it may be called.
    pub(super) async fn addresses(
        &self,
        endpoint: &EndpointUrl,
    ) -> Result<Vec<SocketAddr>, CallError> {
        let found = match endpoint.address() {
            Some(address) => vec![SocketAddr::new(address, endpoint.port())],
            None => {
                let lookup = lookup_host((endpoint.host(), endpoint.port()));
                let found = timeout(self.connect_timeout, lookup).await;
                let found = found.map_err(|_elapsed| failed(Unreached::Slow))?;
                found.map_err(|error| failed(Unreached::Lookup(error)))?.collect()
            }
        };
        let policy = self.policy.towards(endpoint);
        let (permitted, forbidden): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|address| policy.permits(address.ip()));
        if let ([], Some(address)) = (&*permitted, forbidden.first()) {
            return Err(CallError::Forbidden { address: address.ip() });
        }
        Ok(permitted)
    }
}

fn failed(why: impl Into<Source>) -> CallError {
    CallError::Connect(why.into())
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
    let mut others = pin!(one_of(&others, patience));
    let (connected, left) = match timeout(HEAD_START, &mut first).await {
        Ok(connected) => (connected, others),
        Err(_elapsed) => tokio::select! {
            connected = &mut first => (connected, others),
            connected = &mut others => (connected, first),
        },
    };
    match connected {
        Ok(stream) => Ok(stream),
        Err(_unreached) => left.await,
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
