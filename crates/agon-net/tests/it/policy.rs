//! The policy on the way to a connection: literals before, names after they are resolved.

use std::net::IpAddr;

use agon_net::{AddressPolicy, BadEndpoint, CallError, Client, ClientConfig, EndpointUrl};
use bytes::Bytes;

use crate::support::{ALL, Echo, PATIENT, client_config, server_config, start};

/// Calls a URL and expects the policy to forbid it.
#[track_caller]
fn forbidden(result: Result<agon_net::HttpAnswer, CallError>) -> IpAddr {
    match result {
        Err(CallError::Forbidden { address }) => address,
        other => panic!("not forbidden: {other:?}"),
    }
}

async fn call(url: &str, policy: AddressPolicy) -> Result<agon_net::HttpAnswer, CallError> {
    let client = Client::new(ClientConfig { policy, ..client_config() });
    client.post(&EndpointUrl::parse(url).unwrap(), Bytes::new(), PATIENT).await
}

#[tokio::test]
async fn metadata_is_never_called() {
    for host in ["169.254.169.254", "[::ffff:169.254.169.254]", "[fe80::1]", "0.0.0.0"] {
        forbidden(call(&format!("http://{host}/latest"), ALL).await);
    }
}

#[tokio::test]
async fn a_name_is_judged_by_its_address() {
    let server = start(server_config(), Echo).await;
    let url = format!("http://localhost:{}/mcp", server.address.port());
    let away = AddressPolicy { loopback: false, ..ALL };
    assert!(forbidden(call(&url, away).await).is_loopback());
    assert_eq!(call(&url, ALL).await.unwrap().status, 200);
}

#[test]
fn a_number_in_disguise_is_no_host() {
    // A system's resolver reads these as 127.0.0.1.
    for host in ["2130706433", "0x7f.1", "127.1", "localhost."] {
        let parsed = EndpointUrl::parse(&format!("http://{host}:1/"));
        assert!(matches!(parsed, Err(BadEndpoint::BadHost)), "{host}: {parsed:?}");
    }
}
