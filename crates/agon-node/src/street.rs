//! A node's place on the street: its listener, and the endpoint by which others call it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use agon_net::{AddressPolicy, Hosts, Listener, ServerConfig};
use agon_proto::Endpoint;
use std::time::Duration;

use crate::config::Config;

/// How long requests in flight may take when a node stops.
const STOP_GRACE: Duration = Duration::from_secs(2);
/// Longest head of a request that is read.
const HEAD_MAX: usize = 16 * 1024;

/// Why a node has no place on the street.
#[derive(Debug, thiserror::Error)]
pub enum StreetError {
    #[error("could not listen")]
    Bind(#[from] agon_net::Error),
    #[error(
        "{0} can be reached from other machines, and nothing would be encrypted; \
         listen on 127.0.0.1, or say --insecure"
    )]
    Exposed(SocketAddr),
}

/// A listener with its address.
pub struct Street {
    pub(crate) listener: Listener,
    pub(crate) server: ServerConfig,
}

impl Street {
    /// Takes the address. Port 0 takes a free one.
    ///
    /// # Errors
    /// When the address is taken, or reachable from outside without `insecure`.
    pub async fn open(
        listen: SocketAddr,
        config: &Config,
        insecure: bool,
    ) -> Result<Self, StreetError> {
        if !insecure && !listen.ip().to_canonical().is_loopback() {
            return Err(StreetError::Exposed(listen));
        }
        let listener = agon_net::bind(listen).await?;
        let server = ServerConfig {
            body_max: config.server.body_max,
            head_max: HEAD_MAX,
            header_timeout: config.server.header_timeout,
            body_timeout: config.server.body_timeout,
            connections_max: config.server.connections_max,
            stop_grace: STOP_GRACE,
            retry_after: Duration::from_secs(1),
            hosts: Hosts { listed: config.server.hosts.clone() },
        };
        Ok(Self { listener, server })
    }

    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr()
    }

    /// How others call us.
    pub fn endpoint(&self) -> Endpoint {
        let address = self.address();
        let ip = match address.ip() {
            ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            ip => ip,
        };
        Endpoint::new(&format!("http://{}/mcp", SocketAddr::new(ip, address.port())))
    }

    /// Whom we may call: our own machine and network only if that is where we are.
    pub(crate) fn policy(&self) -> AddressPolicy {
        let ip = self.address().ip().to_canonical();
        let private = match ip {
            IpAddr::V4(ip) => ip.is_private() || ip.is_loopback() || ip.is_unspecified(),
            IpAddr::V6(ip) => ip.is_unique_local() || ip.is_loopback() || ip.is_unspecified(),
        };
        AddressPolicy { loopback: private, private, public: true }
    }
}
