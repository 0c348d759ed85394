//! How a server ends: politely, and in bounded time.

use agon_net::{CallError, Reply, ServerConfig};
use bytes::Bytes;
use tokio::net::TcpStream;

use crate::support::{Echo, PATIENT, SHORT, client, hear_out, server_config, start, start_desk};

#[tokio::test]
async fn requests_in_flight_finish() {
    let (server, mut requests) = start_desk(server_config(), 1).await;
    let endpoint = server.endpoint();
    let call = tokio::spawn(async move { client().post(&endpoint, Bytes::new(), PATIENT).await });
    let request = requests.recv().await.unwrap();
    server.stop.send(true).unwrap();
    while TcpStream::connect(server.address).await.is_ok() {
        tokio::task::yield_now().await; // Until nobody is let in any more.
    }
    assert!(!server.task.is_finished());
    request.reply.send(Reply::accepted());
    assert_eq!(call.await.unwrap().unwrap().status, 202);
    server.task.await.unwrap();
}

#[tokio::test]
async fn an_unanswered_request_does_not_hold_the_server() {
    let config = ServerConfig { stop_grace: SHORT, ..server_config() };
    let (server, mut requests) = start_desk(config, 1).await;
    let endpoint = server.endpoint();
    let call = tokio::spawn(async move { client().post(&endpoint, Bytes::new(), PATIENT).await });
    let request = requests.recv().await.unwrap();
    server.stop.send(true).unwrap();
    server.task.await.unwrap();
    assert!(matches!(call.await.unwrap(), Err(CallError::Broken(_))));
    request.reply.send(Reply::accepted()); // Too late, and harmless.
}

#[tokio::test]
async fn idle_connections_are_closed() {
    let server = start(server_config(), Echo).await;
    let (client, endpoint) = (client(), server.endpoint());
    client.post(&endpoint, Bytes::new(), PATIENT).await.unwrap();
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    server.stop.send(true).unwrap();
    server.task.await.unwrap();
    assert_eq!(hear_out(&mut silent).await, "");
    let result = client.post(&endpoint, Bytes::new(), PATIENT).await;
    assert!(matches!(result, Err(CallError::Connect(_))), "{result:?}");
}

#[tokio::test]
async fn a_lost_sender_is_a_stop() {
    let server = start(server_config(), Echo).await;
    drop(server.stop);
    server.task.await.unwrap();
}
