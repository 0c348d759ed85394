//! A full house: those at rest make room, those with a request at the door stay.

use agon_net::{Reply, ServerConfig};
use bytes::Bytes;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::{Echo, hear_out, hear_until, server_config, start, start_desk};

const REQUEST: &str = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}";

async fn ask(stream: &mut TcpStream) {
    stream.write_all(REQUEST.as_bytes()).await.unwrap();
    hear_until(stream, "{}").await;
}

#[tokio::test]
async fn silent_strangers_cannot_keep_an_honest_caller_out() {
    let server = start(ServerConfig { connections_max: 8, ..server_config() }, Echo).await;
    let mut strangers = Vec::new();
    for _ in 0..40 {
        strangers.push(TcpStream::connect(server.address).await.unwrap());
    }
    let mut late = TcpStream::connect(server.address).await.unwrap();
    ask(&mut late).await;
    for stranger in &mut strangers[..33] {
        assert_eq!(hear_out(stranger).await, "");
    }
    assert_eq!(server.count("made_room"), 33);
    assert_eq!(server.count("connections"), 0);
}

#[tokio::test]
async fn the_one_at_rest_longest_makes_room() {
    let server = start(ServerConfig { connections_max: 1, ..server_config() }, Echo).await;
    let mut first = TcpStream::connect(server.address).await.unwrap();
    ask(&mut first).await;
    let mut second = TcpStream::connect(server.address).await.unwrap();
    ask(&mut second).await;
    assert_eq!(hear_out(&mut first).await, "");
    assert_eq!(server.count("made_room"), 1);
}

#[tokio::test]
async fn when_all_are_busy_the_newcomer_has_to_go() {
    let config = ServerConfig { connections_max: 1, ..server_config() };
    let (server, mut requests) = start_desk(config, 1).await;
    let mut first = TcpStream::connect(server.address).await.unwrap();
    first.write_all(REQUEST.as_bytes()).await.unwrap();
    let request = requests.recv().await.unwrap();
    let mut second = TcpStream::connect(server.address).await.unwrap();
    assert_eq!(hear_out(&mut second).await, "");
    assert_eq!(server.count("connections"), 1);
    request.reply.send(Reply::json(Bytes::from_static(b"[7]")));
    hear_until(&mut first, "[7]").await;
}
