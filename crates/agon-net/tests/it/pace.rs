//! Bad requests are answered slowly; good ones of the same address at once.

use std::time::{Duration, Instant};

use agon_net::{Busy, Door, Incoming, Pacing, Page, Rate, Reply, ServerConfig};
use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{PATIENT, Server, client, hear_out, hear_until, server_config, start};

const POST: &str = "POST /mcp HTTP/1.1\r\nhost: localhost\r\n";
const TURN: Duration = Duration::from_millis(100);
/// Never comes in a test.
const NEVER: Duration = Duration::from_secs(3600);

/// Refuses every body, and knows one page.
struct Sceptic;

impl Door for Sceptic {
    fn handle(&self, incoming: Incoming) -> Result<(), Busy> {
        let reply = Reply::json(incoming.body);
        let is_good = &*reply.body == b"good";
        incoming.reply.send(if is_good { reply } else { reply.in_turn() });
        Ok(())
    }

    fn get(&self, path: &str) -> Option<Page> {
        let body = Bytes::from_static(b"fine\n");
        (path == "/health").then_some(Page { content_type: "text/plain", body })
    }
}

/// Two bad requests are free, then one in `TURN`.
fn pacing() -> Pacing {
    let words = Bytes::from_static(b"{\"too\":\"many\"}");
    Pacing { rate: Rate::new(10, 2), wait_max: PATIENT, waiting_max: 64, words }
}

async fn start_with(pacing: Pacing) -> Server {
    start(ServerConfig { pacing, ..server_config() }, Sceptic).await
}

fn post(body: &str) -> String {
    format!("{POST}content-length: {}\r\n\r\n{body}", body.len())
}

/// What comes first: the head of an answer, and perhaps its body.
async fn hear_some(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    stream.read_buf(&mut heard).await.unwrap();
    String::from_utf8(heard).unwrap()
}

/// One bad request of each kind, and the status that it gets.
fn bad() -> [(String, &'static str); 6] {
    [
        (post("bad"), "200"),
        ("GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n".into(), "404"),
        ("GET /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n".into(), "405"),
        ("GET /mcp HTTP/1.1\r\nhost: evil.example\r\n\r\n".into(), "403"),
        (format!("{POST}content-length: 9999999\r\n\r\n"), "413"),
        ("\x16\x03 this is no HTTP\r\n\r\n".into(), "400"),
    ]
}

#[tokio::test]
async fn every_kind_of_bad_request_waits_for_its_turn() {
    for (request, status) in bad() {
        let server = start_with(pacing()).await;
        let began = Instant::now();
        for number in 0..4 {
            let mut stream = TcpStream::connect(server.address).await.unwrap();
            stream.write_all(request.as_bytes()).await.unwrap();
            let heard = hear_some(&mut stream).await;
            assert!(heard.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {heard}");
            let due = TURN * (number as u32).saturating_sub(1);
            assert!(began.elapsed() >= due, "{status}: answer {number} came too soon");
        }
        assert_eq!(server.count("paced"), 2, "{status}");
        assert_eq!(server.count("too_many"), 0, "{status}");
    }
}

#[tokio::test]
async fn a_flood_delays_no_good_request_of_its_own_address() {
    let server = start_with(Pacing { rate: Rate::new(1, 1), ..pacing() }).await;
    let mut flood = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(post("bad").as_bytes()).await.unwrap();
        flood.push(stream);
    }
    let began = Instant::now();
    for _ in 0..50 {
        let answer = client().post(&server.endpoint(), Bytes::from_static(b"good"), PATIENT).await;
        assert_eq!(answer.unwrap().body, "good");
    }
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    hear_until(&mut stream, "fine\n").await;
    // One of the flood was free; the last of the others has its turn in 19 seconds.
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(server.count("too_many"), 0);
}

#[tokio::test]
async fn whose_turn_is_too_far_away_waits_and_hears_429() {
    let wait_max = Duration::from_millis(50);
    let server = start_with(Pacing { rate: Rate::new(1, 1), wait_max, ..pacing() }).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(post("bad").as_bytes()).await.unwrap();
    hear_until(&mut stream, "bad").await;
    let began = Instant::now();
    stream.write_all(post("bad").as_bytes()).await.unwrap();
    let heard = hear_out(&mut stream).await;
    assert!(began.elapsed() >= wait_max);
    assert!(heard.starts_with("HTTP/1.1 429 "), "{heard}");
    assert!(heard.contains("\r\nretry-after: 2\r\n"), "{heard}");
    assert!(heard.contains("\r\nconnection: close\r\n"), "{heard}");
    assert!(heard.ends_with("{\"too\":\"many\"}"), "{heard}");
    assert_eq!((server.count("paced"), server.count("too_many")), (1, 1));
    // What is no HTTP is not worth an answer then.
    assert_eq!(server.shout("\x16\x03 this is no HTTP\r\n\r\n").await, "");
    assert_eq!(server.count("too_many"), 2);
}

#[tokio::test]
async fn how_many_wait_is_bounded_and_whoever_hangs_up_gives_its_place_back() {
    let rate = Rate::new(1, 1);
    let server = start_with(Pacing { rate, wait_max: NEVER, waiting_max: 1, ..pacing() }).await;
    assert!(server.shout(format!("{POST}content-length: 9999999\r\n\r\n")).await.contains(" 413 "));
    let mut waits = TcpStream::connect(server.address).await.unwrap();
    waits.write_all(post("bad").as_bytes()).await.unwrap();
    while server.count("paced") < 1 {
        tokio::task::yield_now().await;
    }
    assert!(server.shout(post("bad")).await.starts_with("HTTP/1.1 429 "));
    drop(waits);
    // Its place is free as soon as the server has noticed.
    loop {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(post("bad").as_bytes()).await.unwrap();
        let refused = server.count("too_many");
        while server.count("paced") < 2 && server.count("too_many") == refused {
            tokio::task::yield_now().await;
        }
        if server.count("paced") == 2 {
            break;
        }
    }
}
