//! A node's place on the street: its listener, and the endpoint by which others call it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use agon_net::{
    AddressPolicy, BadEndpoint, Hosts, Listener, MCP_PATH, Pacing, Rate, Scheme, ServerConfig,
    Trust,
};
use agon_proto::frame::{RequestId, encode_answer};
use agon_proto::{Answer, Endpoint, ErrorCode, Fault};

use crate::config::{self, Config};
use crate::inbound::APPLICATION_ERROR;
use crate::papers::{Papers, PapersError};

/// How long requests in flight may take when a node stops.
const STOP_GRACE: Duration = Duration::from_secs(2);
/// Longest head of a request that is read.
const HEAD_MAX: usize = 16 * 1024;

/// Why a node has no place on the street.
#[derive(Debug, thiserror::Error)]
pub enum StreetError {
    #[error("could not listen")]
    Bind(#[from] agon_net::ListenError),
    #[error(
        "{0} can be reached from other machines, and nothing would be encrypted; listen on \
         127.0.0.1, name a certificate with --tls-cert and --tls-key, or say --insecure"
    )]
    Exposed(SocketAddr),
    #[error("the settings of [tls] do not work")]
    Papers(#[from] PapersError),
    #[error("{said:?} cannot be advertised; give a host, a host and a port, or a whole URL")]
    Advertise { said: String, source: BadEndpoint },
}

/// A listener with its address.
pub struct Street {
    pub(crate) listener: Listener,
    pub(crate) server: ServerConfig,
    pub(crate) trust: Trust,
    advertised: Option<Endpoint>,
}

impl Street {
    /// Takes the address, with the papers that the configuration names. Port 0 takes a free one.
    ///
    /// # Errors
    /// When the address is taken, or reachable from outside with neither encryption nor `insecure`;
    /// when the files of `[tls]` cannot be used.
    pub async fn open(
        listen: SocketAddr,
        config: &Config,
        insecure: bool,
    ) -> Result<Self, StreetError> {
        let papers = Papers::load(&config.tls)?;
        Self::open_with(&papers, listen, config, insecure).await
    }

    /// The same with papers that were read before, for many nodes of one process.
    ///
    /// # Errors
    /// As for [`Street::open`].
    pub async fn open_with(
        papers: &Papers,
        listen: SocketAddr,
        config: &Config,
        insecure: bool,
    ) -> Result<Self, StreetError> {
        let encrypted = papers.identity.is_some();
        if !insecure && !encrypted && !listen.ip().to_canonical().is_loopback() {
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
            pacing: pacing(&config.server),
            hosts: Hosts { listed: config.server.hosts.clone() },
            identity: papers.identity.clone(),
        };
        Ok(Self { listener, server, trust: papers.trust.clone(), advertised: None })
    }

    /// Lets others call us by something else than the address, if something is said: a host, a host
    /// and a port, or a whole URL. What is not said is taken from the listener.
    ///
    /// # Errors
    /// When nobody could call that.
    pub fn advertised(mut self, said: Option<&str>) -> Result<Self, StreetError> {
        let Some(said) = said else {
            return Ok(self);
        };
        let endpoint = spelled_out(said, self.scheme(), self.address().port())
            .map_err(|source| StreetError::Advertise { said: said.to_owned(), source })?;
        // Calls that come by this name are meant for us, so its `Host` must pass.
        self.server.hosts.listed.push(endpoint.host().to_owned());
        self.advertised = Some(Endpoint::new(&endpoint.to_string()));
        Ok(self)
    }

    /// The same place once more, for a node that takes over from another of this process.
    ///
    /// # Errors
    /// When the system has no descriptor left.
    pub fn twin(&self) -> Result<Self, StreetError> {
        Ok(Self {
            listener: self.listener.twin()?,
            server: self.server.clone(),
            trust: self.trust.clone(),
            advertised: self.advertised.clone(),
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr()
    }

    /// How others call us.
    pub fn endpoint(&self) -> Endpoint {
        if let Some(advertised) = &self.advertised {
            return advertised.clone();
        }
        let address = self.address();
        let ip = match address.ip() {
            ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            ip => ip,
        };
        let (scheme, address) = (self.scheme().as_str(), SocketAddr::new(ip, address.port()));
        Endpoint::new(&format!("{scheme}://{address}{MCP_PATH}"))
    }

    /// What is spoken on the listener.
    fn scheme(&self) -> Scheme {
        if self.server.identity.is_some() { Scheme::Https } else { Scheme::Http }
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

/// How slowly strangers are refused, and what they hear when they do not stop.
fn pacing(server: &config::Server) -> Pacing {
    let fault = Fault {
        code: APPLICATION_ERROR,
        message: "too many bad requests from your address; try again later".into(),
        league_code: Some(ErrorCode::RateLimited),
    };
    let mut words = Vec::new();
    encode_answer(&RequestId::Null, &Answer::Fault(fault), &mut words);
    Pacing {
        rate: Rate::new(server.refusals_per_s, server.refusals_burst),
        wait_max: server.refusal_wait,
        waiting_max: server.refusals_waiting_max,
        words: words.into(),
    }
}

/// The endpoint that was meant by a host, by a host and a port, or by a URL.
fn spelled_out(said: &str, scheme: Scheme, port: u16) -> Result<agon_net::Endpoint, BadEndpoint> {
    let url = match said.split_once("://") {
        Some((_, rest)) if rest.contains('/') => said.to_owned(),
        Some(_) => format!("{said}{MCP_PATH}"), // The path that everybody forgets.
        None if said.contains(['/', '?']) => return Err(BadEndpoint::BadHost),
        None => {
            let scheme = scheme.as_str();
            let host = match said.parse::<Ipv6Addr>() {
                Ok(address) => format!("[{address}]"),
                Err(_no_address) => said.to_owned(),
            };
            // Whatever follows the brackets of an address, or the name.
            let has_port = host.rsplit(']').next().is_some_and(|rest| rest.contains(':'));
            if has_port {
                format!("{scheme}://{host}{MCP_PATH}")
            } else {
                format!("{scheme}://{host}:{port}{MCP_PATH}")
            }
        }
    };
    agon_net::Endpoint::parse(&url)
}

#[cfg(test)]
mod tests;
