//! What the server does with requests that are too large or too slow.

use agon_net::ServerConfig;
use bytes::Bytes;

use crate::support::{Echo, PATIENT, SHORT, at_most, client, server_config, start};

const POST: &str = "POST /mcp HTTP/1.1\r\nhost: localhost\r\n";

#[tokio::test]
async fn a_long_body_is_refused_by_its_header() {
    let server = start(ServerConfig { body_max: 100, ..server_config() }, Echo).await;
    let heard = server.shout(format!("{POST}content-length: 101\r\n\r\n{:101}", "")).await;
    assert!(heard.starts_with("HTTP/1.1 413 "), "{heard}");
    assert!(heard.contains("\r\nconnection: close\r\n"), "{heard}");
    // Far beyond the limit nothing is waited for.
    let heard = server.shout(format!("{POST}content-length: 99999999999\r\n\r\n")).await;
    assert!(heard.starts_with("HTTP/1.1 413 "), "{heard}");
    let wait = "expect: 100-continue\r\ncontent-length: 101\r\n\r\n";
    let heard = server.shout(format!("{POST}{wait}")).await;
    assert!(heard.starts_with("HTTP/1.1 413 "), "{heard}");
    assert_eq!(server.count("too_large"), 3);
}

#[tokio::test]
async fn a_long_body_is_refused_while_it_streams() {
    let server = start(ServerConfig { body_max: 100, ..server_config() }, Echo).await;
    let chunk = format!("3c\r\n{:60}\r\n", "");
    let request = format!("{POST}transfer-encoding: chunked\r\n\r\n{chunk}{chunk}0\r\n\r\n");
    let heard = server.shout(request).await;
    assert!(heard.starts_with("HTTP/1.1 413 "), "{heard}");
    // Within the limit, chunks are put together.
    let request = format!("{POST}connection: close\r\ntransfer-encoding: chunked\r\n\r\n");
    let heard = server.shout(request + "2\r\nab\r\n1\r\nc\r\n2\r\nde\r\n0\r\n\r\n").await;
    assert!(heard.ends_with("\r\n\r\nabcde"), "{heard}");
    assert_eq!(server.count("too_large"), 1);
}

#[tokio::test]
async fn an_honest_caller_sees_why_its_body_was_refused() {
    let config = ServerConfig { body_max: 1024 * 1024, ..server_config() };
    let server = start(config, Echo).await;
    let body = Bytes::from(vec![b'x'; 2 * 1024 * 1024]);
    let answer = client().post(&server.endpoint(), body, PATIENT).await.unwrap();
    assert_eq!(answer.status, 413);
}

#[tokio::test]
async fn a_long_head_is_refused() {
    let server = start(server_config(), Echo).await;
    let heard = server.shout(format!("{POST}x: {:17000}\r\n\r\n", "y")).await;
    assert!(heard.starts_with("HTTP/1.1 431 "), "{heard}");
}

#[tokio::test]
async fn a_slow_head_is_hung_up_on() {
    let server = start(ServerConfig { header_timeout: SHORT, ..server_config() }, Echo).await;
    assert_eq!(server.shout("POST /mcp HT").await, "");
    assert_eq!(server.shout("").await, "");
    assert_eq!(server.count("timeout"), 2);
}

#[tokio::test]
async fn an_idle_connection_is_let_go_without_blame() {
    let server = start(ServerConfig { header_timeout: SHORT, ..server_config() }, Echo).await;
    let heard = server.shout(format!("{POST}content-length: 2\r\n\r\n{{}}")).await;
    assert!(heard.ends_with("\r\n\r\n{}"), "{heard}");
    assert_eq!(server.count("timeout"), 0);
}

#[tokio::test]
async fn a_slow_body_gets_a_408() {
    let server = start(ServerConfig { body_pace: at_most(SHORT), ..server_config() }, Echo).await;
    let heard = server.shout(format!("{POST}content-length: 5\r\n\r\n{{")).await;
    assert!(heard.starts_with("HTTP/1.1 408 "), "{heard}");
    assert!(heard.contains("\r\nconnection: close\r\n"), "{heard}");
    assert_eq!(server.count("timeout"), 1);
}

#[tokio::test]
async fn a_broken_body_gets_a_400() {
    let server = start(server_config(), Echo).await;
    let heard = server.shout(format!("{POST}transfer-encoding: chunked\r\n\r\nzz\r\n")).await;
    assert!(heard.starts_with("HTTP/1.1 400 "), "{heard}");
}
