//! Doors, servers and raw peers that the tests share.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use agon_net::{
    AddressPolicy, BodyPace, Busy, Client, ClientConfig, Door, EndpointUrl, Hosts, Incoming,
};
use agon_net::{
    MCP_PATH, Pacing, Page, Proxies, Rate, Reply, ServerConfig, ServerCounters, Trust, bind, serve,
};
use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

/// Long enough never to matter on a slow machine.
pub(crate) const PATIENT: Duration = Duration::from_secs(30);
/// Short enough to be waited for.
pub(crate) const SHORT: Duration = Duration::from_millis(60);

/// Answers every request with its own body.
pub(crate) struct Echo;

impl Door for Echo {
    fn handle(&self, incoming: Incoming) -> Result<(), Busy> {
        incoming.reply.send(Reply::json(incoming.body));
        Ok(())
    }

    fn get(&self, path: &str) -> Option<Page> {
        let body = Bytes::from_static(b"fine\n");
        (path == "/health").then_some(Page { content_type: "text/plain", body })
    }
}

/// Hands every request to the test, and is busy when its channel is full.
pub(crate) struct Desk(pub(crate) mpsc::Sender<Incoming>);

impl Door for Desk {
    fn handle(&self, incoming: Incoming) -> Result<(), Busy> {
        self.0.try_send(incoming).map_err(|_full| Busy)
    }

    fn get(&self, _path: &str) -> Option<Page> {
        None
    }
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) counters: Arc<ServerCounters>,
    pub(crate) stop: watch::Sender<bool>,
    pub(crate) task: JoinHandle<()>,
}

impl Server {
    pub(crate) fn endpoint(&self) -> EndpointUrl {
        endpoint(self.address)
    }

    /// How often the server refused for this reason.
    pub(crate) fn count(&self, reason: &str) -> u64 {
        self.counters.read().iter().find(|(name, _)| *name == reason).unwrap().1
    }

    /// Writes raw bytes on a new connection and reads until the server closes it.
    pub(crate) async fn shout(&self, request: impl AsRef<[u8]>) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_ref()).await.unwrap();
        hear_out(&mut stream).await
    }
}

/// Everything until the other side closes; a reset counts as closing.
pub(crate) async fn hear_out(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    let _reset = stream.read_to_end(&mut heard).await;
    String::from_utf8(heard).unwrap()
}

pub(crate) fn server_config() -> ServerConfig {
    ServerConfig {
        body_max: 64 * 1024,
        head_max: 16 * 1024,
        header_timeout: PATIENT,
        body_pace: BodyPace { grace: PATIENT, per_s: 1, at_most: PATIENT },
        bodies_max: 1024 * 1024,
        connections_max: 64,
        connections_per_address_max: 64,
        proxies: Proxies::default(),
        stop_grace: PATIENT,
        retry_after: Duration::from_millis(1500),
        pacing: Pacing {
            rate: Rate::new(1000, 1000),
            wait_max: PATIENT,
            waiting_max: 64,
            words: Bytes::new(),
        },
        hosts: Hosts::default(),
        identity: None,
    }
}

/// A body may take so long, whatever its pace.
pub(crate) fn at_most(at_most: Duration) -> BodyPace {
    BodyPace { at_most, ..server_config().body_pace }
}

pub(crate) async fn start(config: ServerConfig, door: impl Door) -> Server {
    let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let (stop, stopped) = watch::channel(false);
    Server {
        address: listener.address,
        counters: Arc::clone(&listener.counters),
        stop,
        task: tokio::spawn(serve(listener, config, door, stopped)),
    }
}

/// A server whose requests the test answers itself, `room` of them waiting at most.
pub(crate) async fn start_desk(
    config: ServerConfig,
    room: usize,
) -> (Server, mpsc::Receiver<Incoming>) {
    let (desk, requests) = mpsc::channel(room);
    (start(config, Desk(desk)).await, requests)
}

pub(crate) const ALL: AddressPolicy = AddressPolicy { loopback: true, private: true, public: true };

pub(crate) fn client_config() -> ClientConfig {
    ClientConfig {
        answer_max: 64 * 1024,
        head_max: 16 * 1024,
        connect_timeout: PATIENT,
        idle_timeout: PATIENT,
        idle_per_host_max: 64,
        policy: ALL,
        trust: Trust::system(),
    }
}

pub(crate) fn client() -> Client {
    Client::new(client_config())
}

pub(crate) fn endpoint(address: SocketAddr) -> EndpointUrl {
    EndpointUrl::parse(&format!("http://{address}{MCP_PATH}")).unwrap()
}

/// A peer that is no server of ours: a bare socket and where to call it.
pub(crate) async fn peer() -> (TcpListener, EndpointUrl) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let endpoint = endpoint(listener.local_addr().unwrap());
    (listener, endpoint)
}

/// Reads until the bytes so far end with `end`.
pub(crate) async fn hear_until(stream: &mut TcpStream, end: &str) -> String {
    let mut heard = Vec::new();
    while !heard.ends_with(end.as_bytes()) {
        assert_ne!(stream.read_buf(&mut heard).await.unwrap(), 0, "closed before {end:?}");
    }
    String::from_utf8(heard).unwrap()
}
