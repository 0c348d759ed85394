//! How many requests a second the street carries: 64 connections against an echo, one thread.
//!
//! Run it with `cargo run --profile dist --example ping -p agon-net`, and with `-- tls` to see what
//! encryption costs.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use agon_net::{
    AddressPolicy, BindError, Busy, Client, ClientConfig, Door, EndpointUrl, Hosts, Identity,
};
use agon_net::{Incoming, MCP_PATH, Pacing, Page, Rate, Reply, Scheme, ServerConfig, Trust};
use agon_net::{bind, serve};
use bytes::Bytes;
use rcgen::{CertificateParams, KeyPair};
use tokio::sync::watch;
use tokio::task::JoinSet;

const CONNECTIONS: usize = 64;
const LASTING: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(10);
/// About as long as a typical message of the league.
const BODY: Bytes = Bytes::from_static(&[b'x'; 400]);

struct Echo;

impl Door for Echo {
    fn handle(&self, incoming: Incoming) -> Result<(), Busy> {
        incoming.reply.send(Reply::json(incoming.body));
        Ok(())
    }

    fn get(&self, _path: &str) -> Option<Page> {
        None
    }
}

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "printing the figure is what this example is for")]
async fn main() -> Result<(), BindError> {
    let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    let scheme =
        if std::env::args().any(|word| word == "tls") { Scheme::Https } else { Scheme::Http };
    let (identity, trust) = papers(scheme);
    let url = format!("{}://{}{MCP_PATH}", scheme.as_str(), listener.local_addr());
    let endpoint = EndpointUrl::parse(&url).expect("a bound address is an endpoint");
    let (stop, stopped) = watch::channel(false);
    let server = tokio::spawn(serve(listener, server_config(identity), Echo, stopped));

    let client = Client::new(client_config(trust));
    let begun = Instant::now();
    let mut callers = JoinSet::new();
    for _ in 0..CONNECTIONS {
        callers.spawn(call_until(begun + LASTING, client.clone(), endpoint.clone()));
    }
    let calls: u64 = callers.join_all().await.iter().sum();
    let per_second = calls as f64 / begun.elapsed().as_secs_f64();
    let scheme = scheme.as_str();
    println!("{per_second:.0} {scheme} requests/s over {CONNECTIONS} connections ({calls} in all)");

    stop.send_replace(true);
    server.await.expect("the server does not panic");
    Ok(())
}

async fn call_until(end: Instant, client: Client, endpoint: EndpointUrl) -> u64 {
    let mut calls = 0;
    while Instant::now() < end {
        let answer = client.post(&endpoint, BODY, PATIENCE).await.expect("an echo answers");
        assert_eq!((answer.status, answer.body), (200, BODY));
        calls += 1;
    }
    calls
}

/// A certificate that vouches for itself, and belief in it.
fn papers(scheme: Scheme) -> (Option<Identity>, Trust) {
    if scheme == Scheme::Http {
        return (None, Trust::system());
    }
    let key = KeyPair::generate().expect("there is randomness");
    let params =
        CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("an address is a name");
    let pem = params.self_signed(&key).expect("the key can sign").pem();
    let identity = Identity::from_pem(pem.as_bytes(), key.serialize_pem().as_bytes());
    let trust = Trust::only(pem.as_bytes()).expect("a certificate");
    (Some(identity.expect("a certificate and its key")), trust)
}

fn server_config(identity: Option<Identity>) -> ServerConfig {
    ServerConfig {
        body_max: 64 * 1024,
        head_max: 16 * 1024,
        header_timeout: PATIENCE,
        body_timeout: PATIENCE,
        connections_max: 2 * CONNECTIONS,
        stop_grace: PATIENCE,
        retry_after: PATIENCE,
        pacing: Pacing {
            rate: Rate::new(1, 1),
            wait_max: PATIENCE,
            waiting_max: 1,
            words: Bytes::new(),
        },
        hosts: Hosts::default(),
        identity,
    }
}

fn client_config(trust: Trust) -> ClientConfig {
    ClientConfig {
        answer_max: 64 * 1024,
        head_max: 16 * 1024,
        connect_timeout: PATIENCE,
        idle_timeout: PATIENCE,
        idle_per_host_max: CONNECTIONS,
        policy: AddressPolicy { loopback: true, private: false, public: false },
        trust,
    }
}
