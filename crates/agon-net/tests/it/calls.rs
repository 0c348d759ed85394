//! How a call ends when the peer is slow, rude, gone or not HTTP at all.

use std::error::Error;
use std::time::Duration;

use agon_net::{CallError, Client, ClientConfig, HttpAnswer, ServerConfig};
use bytes::Bytes;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::{
    Echo, PATIENT, SHORT, client, client_config, hear_out, hear_until, peer, server_config, start,
    start_desk,
};

const BODY: Bytes = Bytes::from_static(b"{}");

/// Calls a peer that reads the request and then does as `rest` says.
async fn call_peer<F>(rest: impl FnOnce(TcpStream) -> F) -> Result<HttpAnswer, CallError>
where
    F: Future<Output = ()>,
{
    let (listener, endpoint) = peer().await;
    let client = client();
    let call = client.post(&endpoint, BODY, PATIENT);
    let peer = async {
        let mut stream = listener.accept().await.unwrap().0;
        hear_until(&mut stream, "{}").await;
        rest(stream).await;
    };
    tokio::join!(call, peer).0
}

#[tokio::test]
async fn the_request_is_what_a_server_expects() {
    let (listener, endpoint) = peer().await;
    let client = client();
    let call = client.post(&endpoint, BODY, PATIENT);
    let peer = async {
        let mut stream = listener.accept().await.unwrap().0;
        let heard = hear_until(&mut stream, "{}").await;
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
        heard
    };
    let (answer, heard) = tokio::join!(call, peer);
    assert_eq!(answer.unwrap().status, 204);
    let host = format!("{}:{}", endpoint.host(), endpoint.port());
    assert_eq!(
        heard,
        format!(
            "POST /mcp HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             content-length: 2\r\n\r\n{{}}"
        )
    );
}

#[tokio::test]
async fn a_silent_peer_is_a_timeout() {
    let (server, mut requests) = start_desk(server_config(), 1).await;
    let result = client().post(&server.endpoint(), BODY, SHORT).await;
    assert!(matches!(result, Err(CallError::Timeout)), "{result:?}");
    // Its request did arrive, and a late reply goes nowhere without harm.
    let late = requests.recv().await.unwrap();
    late.reply.send(agon_net::Reply::accepted());
}

#[tokio::test]
async fn an_answer_that_trickles_is_a_timeout() {
    let (listener, endpoint) = peer().await;
    let client = client();
    let call = client.post(&endpoint, BODY, SHORT);
    let peer = async {
        let mut stream = listener.accept().await.unwrap().0;
        hear_until(&mut stream, "{}").await;
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{").await.unwrap();
        hear_out(&mut stream).await // Until the caller hangs up.
    };
    let (result, _) = tokio::join!(call, peer);
    assert!(matches!(result, Err(CallError::Timeout)), "{result:?}");
}

#[tokio::test]
async fn an_endless_answer_is_cut_off() {
    let result = call_peer(|mut stream| async move {
        let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        stream.write_all(head).await.unwrap();
        let chunk = format!("400\r\n{:1024}\r\n", "");
        while stream.write_all(chunk.as_bytes()).await.is_ok() {} // Until the caller hangs up.
    })
    .await;
    assert!(matches!(result, Err(CallError::TooLarge { limit: 65_536 })), "{result:?}");
}

#[tokio::test]
async fn an_answer_announced_too_long_is_not_read() {
    let result = call_peer(|mut stream| async move {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 65537\r\n\r\n";
        stream.write_all(head).await.unwrap();
        hear_out(&mut stream).await;
    })
    .await;
    assert!(matches!(result, Err(CallError::TooLarge { limit: 65_536 })), "{result:?}");
}

#[tokio::test]
async fn nobody_there_is_a_connect_error() {
    let (listener, endpoint) = peer().await;
    drop(listener);
    let error = client().post(&endpoint, BODY, PATIENT).await.unwrap_err();
    assert!(matches!(error, CallError::Connect(_)), "{error:?}");
    assert!(error.source().is_some());
}

#[tokio::test]
async fn an_unknown_name_is_a_connect_error() {
    let endpoint = agon_net::EndpointUrl::parse("http://no-such-host.invalid/mcp").unwrap();
    let error = client().post(&endpoint, BODY, PATIENT).await.unwrap_err();
    assert!(matches!(error, CallError::Connect(_)), "{error:?}");
}

#[tokio::test]
async fn a_redirect_is_an_answer() {
    let result = call_peer(|mut stream| async move {
        let answer =
            b"HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(answer).await.unwrap();
    })
    .await;
    assert_eq!(result.unwrap().status, 307);
}

#[tokio::test]
async fn an_answer_cut_short_is_broken() {
    let result = call_peer(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{").await.unwrap();
    })
    .await;
    assert!(matches!(result, Err(CallError::Broken(_))), "{result:?}");
}

#[tokio::test]
async fn no_answer_at_all_is_broken_and_not_tried_again() {
    let (listener, endpoint) = peer().await;
    let client = client();
    let call = client.post(&endpoint, BODY, PATIENT);
    let peer = async {
        let mut stream = listener.accept().await.unwrap().0;
        hear_until(&mut stream, "{}").await;
    };
    let (result, ()) = tokio::join!(call, peer);
    assert!(matches!(result, Err(CallError::Broken(_))), "{result:?}");
    let again = tokio::time::timeout(Duration::ZERO, listener.accept()).await;
    assert!(again.is_err(), "a second connection was made");
}

#[tokio::test]
async fn something_else_than_http_is_broken() {
    let result = call_peer(|mut stream| async move {
        stream.write_all(b"220 mail.example ESMTP\r\n\r\n").await.unwrap();
    })
    .await;
    assert!(matches!(result, Err(CallError::Broken(_))), "{result:?}");
}

#[tokio::test]
async fn connections_closed_while_idle_fail_no_call() {
    let (listener, endpoint) = peer().await;
    let peer = tokio::spawn(async move {
        for _ in 0..100 {
            let mut stream = listener.accept().await.unwrap().0;
            hear_until(&mut stream, "{}").await;
            // Promises to stay, and goes.
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await.unwrap();
        }
    });
    let client = client();
    for _ in 0..100 {
        assert_eq!(client.post(&endpoint, BODY, PATIENT).await.unwrap().body, BODY);
    }
    peer.await.unwrap();
}

#[tokio::test]
async fn connections_our_server_lets_go_fail_no_call() {
    let config = ServerConfig { header_timeout: SHORT, ..server_config() };
    let server = start(config, Echo).await;
    let client = client();
    for _ in 0..5 {
        client.post(&server.endpoint(), BODY, PATIENT).await.unwrap();
        // Another idle connection's end shows that the client's, older by a moment, has ended too.
        server.shout("").await;
    }
}

#[tokio::test]
async fn a_client_without_a_pool_works_as_well() {
    let server = start(server_config(), Echo).await;
    let client = Client::new(ClientConfig { idle_per_host_max: 0, ..client_config() });
    for _ in 0..10 {
        client.post(&server.endpoint(), BODY, PATIENT).await.unwrap();
    }
}
