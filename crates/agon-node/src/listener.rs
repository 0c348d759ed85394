//! Where a node is called: its listener, and the endpoint that others know of it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use agon_net::{
    AddressPolicy, BadEndpoint, BodyPace, BoundSocket, EndpointUrl, Hosts, MCP_PATH, Pacing,
    Proxies, Rate, Scheme, ServerConfig, Trust, source_towards,
};
use agon_proto::frame::{RpcId, encode_answer};
use agon_proto::{Answer, Endpoint, ErrorCode, Fault};
use tokio::time::sleep;

use crate::config::{self, Config, HEAD_MAX};
use crate::inbound::OwnPlace;
use crate::tls_files::{TlsFiles, TlsFilesError};

/// How long requests in flight may take when a node stops.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// As long as no way leads to a manager, it is looked for again after so long, and that is said.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
const SAY_EVERY: Duration = Duration::from_secs(5);

/// Why a node has no listener.
#[derive(Debug, thiserror::Error)]
pub enum ListenerError {
    #[error("could not listen")]
    Bind(#[from] agon_net::BindError),
    #[error(
        "{0} can be reached from other machines, and nothing would be encrypted; listen on \
         127.0.0.1, name a certificate with --tls-cert and --tls-key, or say --insecure"
    )]
    Exposed(SocketAddr),
    #[error("the settings of [tls] do not work")]
    TlsFiles(#[from] TlsFilesError),
    #[error(
        "there is no way to the manager at {manager}: its name has no address here, or no route \
         leads there"
    )]
    NoWay { manager: String },
    #[error("{said:?} cannot be advertised; give a host, a host and a port, or a whole URL")]
    Advertise { said: String, source: BadEndpoint },
    #[error(
        "the manager at {manager} is on another machine, and cannot call {}; listen where it can: \
         --listen {reached} --insecure, or --tls-cert and --tls-key in place of --insecure; or \
         name what leads here with --advertise",
        own.ip()
    )]
    OutOfReach { manager: String, own: SocketAddr, reached: SocketAddr },
}

/// A bound socket, with what is spoken there and what others call it.
pub struct Listener {
    pub(crate) socket: BoundSocket,
    pub(crate) server: ServerConfig,
    pub(crate) trust: Trust,
    advertised: Option<Endpoint>,
}

impl Listener {
    /// Takes the address, with the files that the configuration names. Port 0 takes a free one.
    ///
    /// # Errors
    /// When the address is taken, or reachable from outside with neither encryption nor `insecure`;
    /// when the files of `[tls]` cannot be used.
    pub async fn open(
        listen: SocketAddr,
        config: &Config,
        insecure: bool,
    ) -> Result<Self, ListenerError> {
        let listener = Self::reserve(listen, config, insecure).await?;
        listener.listen()?;
        Ok(listener)
    }

    /// The same, but nobody is answered before [`Listener::listen`].
    ///
    /// # Errors
    /// As for [`Listener::open`].
    pub async fn reserve(
        listen: SocketAddr,
        config: &Config,
        insecure: bool,
    ) -> Result<Self, ListenerError> {
        Self::prepare(&TlsFiles::load(&config.tls)?, listen, config, insecure).await
    }

    /// From now on whoever calls is answered, or waits until somebody does.
    ///
    /// # Errors
    /// When somebody else has begun to listen there.
    pub fn listen(&self) -> Result<(), ListenerError> {
        Ok(self.socket.listen()?)
    }

    /// As [`Listener::open`], with files that were read before, for many nodes of one process.
    ///
    /// # Errors
    /// As for [`Listener::open`].
    pub async fn open_with(
        tls_files: &TlsFiles,
        listen: SocketAddr,
        config: &Config,
        insecure: bool,
    ) -> Result<Self, ListenerError> {
        let listener = Self::prepare(tls_files, listen, config, insecure).await?;
        listener.listen()?;
        Ok(listener)
    }

    async fn prepare(
        tls_files: &TlsFiles,
        listen: SocketAddr,
        config: &Config,
        insecure: bool,
    ) -> Result<Self, ListenerError> {
        let encrypted = tls_files.identity.is_some();
        if !insecure && !encrypted && !listen.ip().to_canonical().is_loopback() {
            return Err(ListenerError::Exposed(listen));
        }
        let socket = agon_net::reserve(listen).await?;
        let server = ServerConfig {
            body_max: config.server.body_max,
            head_max: HEAD_MAX,
            bodies_max: config.server.bodies_max,
            header_timeout: *config.server.header_timeout_s,
            body_pace: BodyPace {
                grace: *config.server.body_grace_s,
                per_s: config.server.body_bytes_per_s,
                at_most: *config.server.body_timeout_s,
            },
            connections_max: config.server.connections_max,
            connections_per_address_max: config.server.connections_per_address_max,
            proxies: Proxies(config.server.trusted_proxies.clone()),
            stop_grace: STOP_GRACE,
            retry_after: Duration::from_secs(1),
            pacing: pacing(&config.server),
            hosts: Hosts { listed: config.server.hosts.clone() },
            identity: tls_files.identity.clone(),
        };
        Ok(Self { socket, server, trust: tls_files.trust.clone(), advertised: None })
    }

    /// Lets others call us by something else than the address, if something is said: a host, a host
    /// and a port, or a whole URL. What is not said is taken from the listener.
    ///
    /// # Errors
    /// When nobody could call that.
    pub fn advertised(mut self, said: Option<&str>) -> Result<Self, ListenerError> {
        let Some(said) = said else {
            return Ok(self);
        };
        let endpoint = spelled_out(said, self.scheme(), self.address().port())
            .map_err(|source| ListenerError::Advertise { said: said.to_owned(), source })?;
        // Calls that come by this name are meant for us, so its `Host` must pass.
        self.server.hosts.listed.push(endpoint.host().to_owned());
        self.advertised = Some(Endpoint::new(&endpoint.to_string()));
        Ok(self)
    }

    /// Lets a manager there call us: whoever listens everywhere is called where our calls to it
    /// come from. Whoever listens where only its own machine can call it hears what to say instead.
    /// As long as there is no way to it, nobody knows, and that is waited for.
    ///
    /// # Errors
    /// When it could never call us, or no way is there in time.
    pub async fn towards(self, manager: &Endpoint, wait: Duration) -> Result<Self, ListenerError> {
        let own = self.address();
        let local = own.ip().is_loopback() || own.ip().is_unspecified();
        if self.advertised.is_some() || !local {
            return Ok(self);
        }
        let Ok(url) = EndpointUrl::parse(manager.as_str()) else { return Ok(self) };
        let manager = manager.shown();
        let until = Instant::now() + wait;
        let mut said = None;
        let source = loop {
            if let Some(source) = source_towards(&url).await {
                break source;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ListenerError::NoWay { manager });
            }
            if said.is_none_or(|said: Instant| said.elapsed() >= SAY_EVERY) {
                said = Some(Instant::now());
                let left_s = left.as_secs();
                tracing::warn!(manager, left_s, "no way leads to the manager yet; waiting for it");
            }
            sleep(LOOK_AGAIN.min(left)).await;
        };
        if source.is_loopback() {
            return Ok(self);
        }
        if own.ip().is_unspecified() {
            return self.advertised(Some(&source.to_string()));
        }
        let reached = SocketAddr::new(source, own.port());
        Err(ListenerError::OutOfReach { manager, own, reached })
    }

    /// The same place once more, for a node that takes over from another of this process.
    ///
    /// # Errors
    /// When the system has no descriptor left.
    pub fn twin(&self) -> Result<Self, ListenerError> {
        Ok(Self {
            socket: self.socket.twin()?,
            server: self.server.clone(),
            trust: self.trust.clone(),
            advertised: self.advertised.clone(),
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.socket.address
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

    /// Where we are, and what else leads here: the names that we go by, with our port, and the URLs
    /// that were said.
    pub(crate) fn place(&self, public_url: Option<&str>) -> OwnPlace {
        let (address, policy) = (self.address(), self.policy());
        let port = address.port();
        let listed = self.server.hosts.listed.iter().map(|host| format!("http://{host}:{port}/"));
        let said = self.advertised.as_ref().map(Endpoint::as_str).into_iter().chain(public_url);
        let urls = listed.chain(said.map(str::to_owned));
        let names = urls.filter_map(|url| EndpointUrl::parse(&url).ok()).collect();
        OwnPlace { policy, address, names }
    }

    /// What is spoken on the listener.
    fn scheme(&self) -> Scheme {
        if self.server.identity.is_some() { Scheme::Https } else { Scheme::Http }
    }

    /// Whom we may call: our own machine and network only if that is where we are.
    fn policy(&self) -> AddressPolicy {
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
    let text = "too many bad requests from your address; try again later";
    let fault = Fault::new(ErrorCode::RateLimited, text.into());
    let mut words = Vec::new();
    encode_answer(&RpcId::Null, &Answer::Fault(fault), &mut words);
    Pacing {
        rate: Rate::new(server.refusals_per_s, server.refusals_burst),
        wait_max: *server.refusal_wait_s,
        waiting_max: server.refusals_waiting_max,
        words: words.into(),
    }
}

/// The endpoint that was meant by a host, by a host and a port, or by a URL.
fn spelled_out(said: &str, scheme: Scheme, port: u16) -> Result<EndpointUrl, BadEndpoint> {
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
            let port = if has_port { String::new() } else { format!(":{port}") };
            format!("{scheme}://{host}{port}{MCP_PATH}")
        }
    };
    EndpointUrl::parse(&url)
}

#[cfg(test)]
mod tests;
