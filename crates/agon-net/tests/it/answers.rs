//! What the server answers to good requests and to misdirected ones.

use std::sync::atomic::Ordering;
use std::time::Instant;

use agon_net::Reply;
use bytes::Bytes;

use crate::support::{Echo, PATIENT, client, server_config, start, start_desk};

#[tokio::test]
async fn a_body_goes_there_and_back() {
    let server = start(server_config(), Echo).await;
    let before = Instant::now();
    for size in [0, 2, 1000, 20_000, 64 * 1024] {
        let body = Bytes::from(vec![b'x'; size]);
        let answer = client().post(&server.endpoint(), body.clone(), PATIENT).await.unwrap();
        assert_eq!((answer.status, answer.body.len()), (200, size));
        assert_eq!(answer.body, body);
        assert!(answer.at >= before);
    }
}

#[tokio::test]
async fn one_connection_serves_many_calls() {
    let (server, mut requests) = start_desk(server_config(), 1).await;
    let calls = tokio::spawn(async move {
        let client = client();
        for _ in 0..100 {
            client.post(&server.endpoint(), Bytes::from_static(b"{}"), PATIENT).await.unwrap();
        }
    });
    let mut callers = Vec::new();
    while let Some(incoming) = requests.recv().await {
        callers.push(incoming.from);
        incoming.reply.send(Reply::json(incoming.body));
        if callers.len() == 100 {
            break;
        }
    }
    calls.await.unwrap();
    callers.dedup();
    assert_eq!(callers.len(), 1);
}

#[tokio::test]
async fn the_door_chooses_the_status() {
    let (server, mut requests) = start_desk(server_config(), 4).await;
    let replies = [Reply::accepted(), Reply::too_many(Bytes::from_static(b"{}"))];
    for (reply, status) in replies.into_iter().zip([202, 429]) {
        let (client, endpoint) = (client(), server.endpoint());
        let call = client.post(&endpoint, Bytes::new(), PATIENT);
        let work = async { requests.recv().await.unwrap().reply.send(reply.clone()) };
        let (answer, ()) = tokio::join!(call, work);
        let answer = answer.unwrap();
        assert_eq!((answer.status, &answer.body), (status, &reply.body));
    }
}

#[tokio::test]
async fn answers_are_json_and_close_when_asked() {
    let server = start(server_config(), Echo).await;
    let heard = server
        .shout(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
             content-length: 2\r\n\r\n{}",
        )
        .await;
    assert!(heard.starts_with("HTTP/1.1 200 OK\r\n"), "{heard}");
    assert!(heard.contains("\r\ncontent-type: application/json\r\n"), "{heard}");
    assert!(heard.ends_with("\r\n\r\n{}"), "{heard}");
}

/// Sends a request line, some headers and no body, and compares how the answer begins.
async fn check(request: &str, headers: &str, status: &str) -> String {
    let server = start(server_config(), Echo).await;
    let request = format!("{request} HTTP/1.1\r\nconnection: close\r\n{headers}\r\n");
    let heard = server.shout(&request).await;
    assert!(heard.starts_with(&format!("HTTP/1.1 {status} ")), "{request}{heard}");
    heard
}

#[tokio::test]
async fn pages_are_for_reading() {
    let heard = check("GET /health", "host: localhost\r\n", "200").await;
    assert!(heard.contains("\r\ncontent-type: text/plain\r\n"), "{heard}");
    assert!(heard.ends_with("\r\n\r\nfine\n"), "{heard}");
    assert!(check("HEAD /health", "host: localhost\r\n", "200").await.ends_with("\r\n\r\n"));
    check("GET /health", "host: any.example\r\n", "403").await;
    check("GET /nothing", "host: localhost\r\n", "404").await;
    check("POST /health", "host: localhost\r\n", "404").await;
    check("POST /mcp/more", "host: localhost\r\n", "404").await;
}

#[tokio::test]
async fn only_post_is_understood_on_mcp() {
    for method in ["GET", "PUT", "DELETE", "OPTIONS"] {
        let heard = check(&format!("{method} /mcp"), "host: localhost\r\n", "405").await;
        assert!(heard.contains("\r\nallow: POST\r\n"), "{heard}");
    }
}

#[tokio::test]
async fn strangers_are_refused_before_anything_else() {
    check("POST /mcp", "host: evil.example\r\n", "403").await;
    check("GET /mcp", "host: evil.example\r\n", "403").await;
    check("POST /mcp", "", "403").await;
    check("POST /mcp", "host: localhost\r\norigin: https://evil.example\r\n", "403").await;
    check("POST /mcp", "host: evil.example\r\ncontent-length: 999999999\r\n", "403").await;
    check("POST /mcp", "host: localhost\r\norigin: http://localhost\r\n", "200").await;
}

#[tokio::test]
async fn a_busy_door_says_when_to_come_back() {
    let (server, requests) = start_desk(server_config(), 1).await;
    drop(requests); // A closed desk takes nothing.
    let request = "POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let heard = server.shout(request).await;
    assert!(heard.starts_with("HTTP/1.1 503 "), "{heard}");
    assert!(heard.contains("\r\nretry-after: 2\r\n"), "{heard}");
    assert_eq!(server.counters.busy.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_dropped_reply_is_our_fault() {
    let (server, mut requests) = start_desk(server_config(), 1).await;
    let (client, endpoint) = (client(), server.endpoint());
    let call = client.post(&endpoint, Bytes::new(), PATIENT);
    let work = async { drop(requests.recv().await.unwrap()) };
    let (answer, ()) = tokio::join!(call, work);
    assert_eq!(answer.unwrap().status, 500);
    assert_eq!(server.count("unanswered"), 1);
}
