//! Callers that never come to an end, and heads that mean two things: each costs its bound.

use std::time::Duration;

use agon_net::ServerConfig;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{interval, timeout};

use crate::support::{Echo, PATIENT, SHORT, Server, at_most, hear_out, server_config, start};

const POST: &str = "POST /mcp HTTP/1.1\r\nhost: localhost\r\n";
/// Far below the server's patience: a peer that is never silent for long.
const TRICKLE: Duration = Duration::from_millis(5);

/// Sends the beginning at once, and then a byte at a time for as long as the server listens.
async fn trickle(server: &Server, begin: &str) -> String {
    let (mut read, mut write) = TcpStream::connect(server.address).await.unwrap().into_split();
    write.write_all(begin.as_bytes()).await.unwrap();
    let drops = async {
        let mut beat = interval(TRICKLE);
        loop {
            beat.tick().await;
            if write.write_all(b"x").await.is_err() {
                std::future::pending::<()>().await; // What it said last is still to be read.
            }
        }
    };
    let mut heard = Vec::new();
    tokio::select! {
        () = drops => unreachable!("it never ends by itself"),
        _end_or_reset = timeout(PATIENT, read.read_to_end(&mut heard)) => {}
    }
    String::from_utf8(heard).unwrap()
}

#[tokio::test]
async fn an_endless_body_is_cut_off() {
    let server = start(server_config(), Echo).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = format!("{POST}transfer-encoding: chunked\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let chunk = format!("400\r\n{:1024}\r\n", "");
    let mut sent = 0_usize;
    while stream.write_all(chunk.as_bytes()).await.is_ok() {
        sent += chunk.len(); // Until the server hangs up.
        assert!(sent < 64 * 1024 * 1024, "the server takes everything");
    }
    hear_out(&mut stream).await;
    assert_eq!(server.count("too_large"), 1);
}

#[tokio::test]
async fn a_head_that_trickles_is_hung_up_on() {
    let server = start(ServerConfig { header_timeout: SHORT, ..server_config() }, Echo).await;
    assert_eq!(trickle(&server, &format!("{POST}x-slow: ")).await, "");
    assert_eq!(server.count("timeout"), 1);
}

#[tokio::test]
async fn a_body_that_trickles_gets_a_408() {
    let server = start(ServerConfig { body_pace: at_most(SHORT), ..server_config() }, Echo).await;
    let heard = trickle(&server, &format!("{POST}content-length: 60000\r\n\r\n")).await;
    assert!(heard.starts_with("HTTP/1.1 408 "), "{heard}");
    assert_eq!(server.count("timeout"), 1);
}

#[tokio::test]
async fn a_head_of_very_many_lines_is_refused() {
    let server = start(server_config(), Echo).await;
    let lines = "a: b\r\n".repeat(1000);
    let heard = server.shout(format!("{POST}{lines}\r\n")).await;
    assert!(heard.starts_with("HTTP/1.1 431 "), "{heard}");
}

#[tokio::test]
async fn a_body_with_two_lengths_is_no_request() {
    let server = start(server_config(), Echo).await;
    for lengths in ["content-length: 2\r\ncontent-length: 3", "content-length: -2"] {
        let heard = server.shout(format!("{POST}{lengths}\r\n\r\n{{}}x")).await;
        assert!(heard.starts_with("HTTP/1.1 400 "), "{lengths}: {heard}");
    }
    // Of a length and chunks the chunks count, and the connection is not used again.
    let both = format!("{POST}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n");
    let heard = server.shout(both + "2\r\n{}\r\n0\r\n\r\nGET /health HTTP/1.1\r\n\r\n").await;
    assert_eq!(heard.matches("HTTP/1.1 ").count(), 1, "{heard}");
}
