//! TLS on loopback: who is believed, who is not and why, and what a bad handshake costs.

use agon_net::{AddressPolicy, CallError, Client, ClientConfig, EndpointUrl, HttpAnswer, Identity};
use agon_net::{ServerConfig, TlsFault, Trust};
use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::certificates::{Authority, LONG, Years};
use crate::support::{ALL, Echo, PATIENT, SHORT, Server, client, client_config, hear_out, peer};
use crate::support::{server_config, start, start_desk};

const BODY: Bytes = Bytes::from_static(b"{}");
/// How every message of a handshake begins: a record of 512 bytes, and a ClientHello of 508.
const HALF_A_HELLO: [u8; 9] = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc];

async fn encrypted(identity: Identity) -> Server {
    start(ServerConfig { identity: Some(identity), ..server_config() }, Echo).await
}

/// Calls this port by a name, believing nobody but `trust`.
async fn call(host: &str, port: u16, trust: Trust) -> Result<HttpAnswer, CallError> {
    let client = Client::new(ClientConfig { trust, ..client_config() });
    let endpoint = EndpointUrl::parse(&format!("https://{host}:{port}/mcp")).unwrap();
    client.post(&endpoint, BODY, PATIENT).await
}

/// The fault of a call, which counts as not having reached anybody.
#[track_caller]
fn fault(result: Result<HttpAnswer, CallError>) -> TlsFault {
    let error = result.unwrap_err();
    assert!(matches!(error, CallError::Connect(_)), "{error:?}");
    error.tls_fault().unwrap_or_else(|| panic!("{error:?}")).clone()
}

/// Returns once the server has counted this. It may hear of it a moment after the client.
async fn wait_for(server: &Server, reason: &str) {
    let counted = async {
        while server.count(reason) == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENT, counted).await.unwrap_or_else(|_| panic!("no {reason}"));
}

/// What a believer hears who calls a server of that life and these names by `127.0.0.1`.
async fn fault_at(years: Years, names: &[&str]) -> TlsFault {
    let authority = Authority::new();
    let server = encrypted(authority.identity_in(years, names)).await;
    let fault = fault(call("127.0.0.1", server.address.port(), authority.trust()).await);
    wait_for(&server, "handshake").await; // The server hears that it is not believed.
    fault
}

#[tokio::test]
async fn bodies_go_there_and_back_encrypted() {
    let authority = Authority::new();
    let server = encrypted(authority.identity(&["localhost", "127.0.0.1"])).await;
    let client = Client::new(ClientConfig { trust: authority.trust(), ..client_config() });
    for host in ["localhost", "127.0.0.1"] {
        let url = format!("https://{host}:{}/mcp", server.address.port());
        let endpoint = EndpointUrl::parse(&url).unwrap();
        for size in [0, 2, 20_000, 64 * 1024] {
            let body = Bytes::from(vec![b'x'; size]);
            let answer = client.post(&endpoint, body.clone(), PATIENT).await.unwrap();
            assert_eq!((answer.status, answer.body), (200, body));
        }
    }
    assert!(server.counters.read().iter().all(|(_, count)| *count == 0));
}

#[tokio::test]
async fn one_handshake_serves_many_calls() {
    let authority = Authority::new();
    let identity = Some(authority.identity(&["127.0.0.1"]));
    let (server, mut requests) = start_desk(ServerConfig { identity, ..server_config() }, 1).await;
    let client = Client::new(ClientConfig { trust: authority.trust(), ..client_config() });
    let url = format!("https://{}/mcp", server.address);
    let endpoint = EndpointUrl::parse(&url).unwrap();
    let mut callers = Vec::new();
    for _ in 0..20 {
        let call = client.post(&endpoint, BODY, PATIENT);
        let work = async {
            let incoming = requests.recv().await.unwrap();
            incoming.reply.send(agon_net::Reply::accepted());
            incoming.from
        };
        let (answer, from) = tokio::join!(call, work);
        assert_eq!(answer.unwrap().status, 202);
        callers.push(from);
    }
    callers.dedup();
    assert_eq!(callers.len(), 1);
}

#[tokio::test]
async fn a_deputy_of_a_trusted_issuer_is_believed() {
    let authority = Authority::new();
    let server = encrypted(authority.deputy().identity(&["localhost"])).await;
    let answer = call("localhost", server.address.port(), authority.trust()).await.unwrap();
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn an_unknown_issuer_is_not_believed() {
    let server = encrypted(Authority::new().identity(&["localhost"])).await;
    let stranger = Authority::named("Stranger").trust();
    let fault = fault(call("localhost", server.address.port(), stranger).await);
    assert!(matches!(fault, TlsFault::UnknownIssuer), "{fault:?}");
    assert!(fault.to_string().contains("name that issuer's CA"), "{fault}");
}

#[tokio::test]
async fn an_issuer_of_the_same_name_is_not_believed() {
    let server = encrypted(Authority::new().identity(&["localhost"])).await;
    let fault = fault(call("localhost", server.address.port(), Authority::new().trust()).await);
    assert!(matches!(fault, TlsFault::BadSignature), "{fault:?}");
}

#[tokio::test]
async fn a_certificate_has_its_time() {
    let fault = fault_at(Years(1990, 2000), &["127.0.0.1"]).await;
    assert!(matches!(fault, TlsFault::Expired), "{fault:?}");
    let fault = fault_at(Years(2998, 2999), &["127.0.0.1"]).await;
    assert!(matches!(fault, TlsFault::NotYetValid), "{fault:?}");
}

#[tokio::test]
async fn a_certificate_for_another_name_is_not_believed() {
    for names in [["localhost"], ["127.0.0.2"], ["league.example.org"]] {
        let fault = fault_at(LONG, &names).await;
        assert!(matches!(&fault, TlsFault::WrongName { asked } if asked == "127.0.0.1"));
        assert!(fault.to_string().contains("127.0.0.1"), "{fault}");
    }
}

#[tokio::test]
async fn plain_words_are_not_understood_where_tls_is_spoken() {
    let identity = Some(Authority::new().identity(&["127.0.0.1"]));
    let (server, mut requests) = start_desk(ServerConfig { identity, ..server_config() }, 1).await;
    let result = client().post(&server.endpoint(), BODY, PATIENT).await;
    assert!(matches!(result, Err(CallError::Broken(_))), "{result:?}");
    wait_for(&server, "not_tls").await;
    assert_eq!((server.count("not_tls"), server.count("handshake")), (1, 0));
    server.stop.send(true).unwrap();
    server.task.await.unwrap();
    assert!(requests.recv().await.is_none(), "something got through");
}

#[tokio::test]
async fn tls_is_not_understood_where_plain_words_are_spoken() {
    let server = start(server_config(), Echo).await;
    let fault = fault(call("127.0.0.1", server.address.port(), Authority::new().trust()).await);
    assert!(matches!(fault, TlsFault::NotTls), "{fault:?}");
    assert!(fault.to_string().contains("http://"), "{fault}");
}

#[tokio::test]
async fn a_slow_handshake_is_hung_up_on() {
    let identity = Some(Authority::new().identity(&["127.0.0.1"]));
    let config = ServerConfig { identity, header_timeout: SHORT, ..server_config() };
    let server = start(config, Echo).await;
    assert_eq!(server.shout("").await, "");
    assert_eq!(server.shout(HALF_A_HELLO).await, "");
    assert_eq!(server.count("timeout"), 2);
}

#[tokio::test]
async fn a_handshake_that_does_not_come_to_an_end_makes_room() {
    let authority = Authority::new();
    let identity = Some(authority.identity(&["127.0.0.1"]));
    let config = ServerConfig { identity, connections_max: 1, ..server_config() };
    let server = start(config, Echo).await;
    let mut first = TcpStream::connect(server.address).await.unwrap();
    first.write_all(&HALF_A_HELLO).await.unwrap();
    // Whoever comes takes its place, and its end is nobody's trouble.
    call("127.0.0.1", server.address.port(), authority.trust()).await.unwrap();
    assert_eq!(hear_out(&mut first).await, "");
    for (reason, count) in [("made_room", 1), ("connections", 0), ("handshake", 0), ("not_tls", 0)]
    {
        assert_eq!(server.count(reason), count, "{reason}");
    }
}

#[tokio::test]
async fn a_handshake_does_not_hold_a_server_that_stops() {
    let server = encrypted(Authority::new().identity(&["127.0.0.1"])).await;
    let mut caller = TcpStream::connect(server.address).await.unwrap();
    caller.write_all(&HALF_A_HELLO).await.unwrap();
    server.stop.send(true).unwrap();
    tokio::time::timeout(PATIENT / 2, server.task).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_peer_that_does_not_finish_the_handshake_was_not_reached() {
    let (listener, endpoint) = peer().await;
    let config =
        ClientConfig { trust: Authority::new().trust(), connect_timeout: SHORT, ..client_config() };
    let url = endpoint.to_string().replace("http://", "https://");
    let (client, endpoint) = (Client::new(config), EndpointUrl::parse(&url).unwrap());
    let (result, _held) =
        tokio::join!(client.post(&endpoint, BODY, PATIENT), hear_a_hello(&listener));
    let slow = fault(result);
    assert!(matches!(slow, TlsFault::Slow), "{slow:?}");
    let hang_up = async { drop(hear_a_hello(&listener).await) };
    let (result, ()) = tokio::join!(client.post(&endpoint, BODY, PATIENT), hang_up);
    let gone = fault(result);
    assert!(matches!(gone, TlsFault::HungUp), "{gone:?}");
}

/// Takes a connection and reads all of its greeting, so that dropping it is no reset.
async fn hear_a_hello(listener: &TcpListener) -> TcpStream {
    let mut stream = listener.accept().await.unwrap().0;
    let mut record = [0; 5];
    stream.read_exact(&mut record).await.unwrap();
    let length = u16::from_be_bytes([record[3], record[4]]);
    stream.read_exact(&mut vec![0; usize::from(length)]).await.unwrap();
    stream
}

#[tokio::test]
async fn the_policy_holds_for_encrypted_calls_too() {
    let authority = Authority::new();
    let server = encrypted(authority.identity(&["localhost", "127.0.0.1"])).await;
    let policy = AddressPolicy { loopback: false, ..ALL };
    let trust = authority.trust();
    let client = Client::new(ClientConfig { policy, trust, ..client_config() });
    for host in ["localhost", "127.0.0.1"] {
        let url = format!("https://{host}:{}/mcp", server.address.port());
        let result = client.post(&EndpointUrl::parse(&url).unwrap(), BODY, PATIENT).await;
        assert!(matches!(result, Err(CallError::Forbidden { .. })), "{result:?}");
    }
}
