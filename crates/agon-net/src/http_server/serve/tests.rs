//! What a connection costs before it has said anything.

use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::super::{BodyPace, Busy, Hosts, Incoming, Pacing, Page, Proxies, Rate};
use super::{Door, Presence, ServerConfig, Shared, converse};

struct Nobody;

impl Door for Nobody {
    fn handle(&self, _: Incoming) -> Result<(), Busy> {
        Err(Busy)
    }

    fn get(&self, _: &str) -> Option<Page> {
        None
    }
}

#[tokio::test]
async fn a_silent_connection_holds_little_room() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let from = stream.local_addr().unwrap();
    let second = std::time::Duration::from_secs(1);
    let rate = Rate::new(1, 1);
    let pacing = Pacing { rate, wait_max: second, waiting_max: 1, words: Default::default() };
    let config = ServerConfig {
        body_max: 1,
        head_max: 1,
        header_timeout: second,
        body_pace: BodyPace { grace: second, per_s: 1, at_most: second },
        bodies_max: 1,
        connections_max: 1,
        connections_per_address_max: 1,
        proxies: Proxies::default(),
        stop_grace: second,
        retry_after: second,
        pacing,
        hosts: Hosts::default(),
        identity: None,
    };
    let shared = Arc::new(Shared::new(config, Nobody, Arc::default()));
    let (_stop, stopped) = watch::channel(false);
    let talk = converse(stream, shared, (from, Presence::new()), stopped);
    assert!(size_of_val(&talk) <= 1024, "{} bytes", size_of_val(&talk));
}
