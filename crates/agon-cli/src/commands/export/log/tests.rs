//! What the log says of an endpoint.

use agon_proto::Endpoint;

use super::address;

#[track_caller]
fn check(url: &str, expected: &str) {
    assert_eq!(address(&Endpoint::new(url)), expected);
}

#[test]
fn an_address_keeps_no_secrets() {
    check("http://127.0.0.1:8101/mcp", "http://127.0.0.1:8101/mcp");
    check("https://me:secret@host/mcp?key=secret#x", "https://host/mcp");
    check("http://host", "http://host");
    check("http://host?key=a/b@c", "http://host");
    check("secret", "");
}
