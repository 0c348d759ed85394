//! What is shown of an endpoint.

use super::Endpoint;

#[track_caller]
fn check(url: &str, expected: &str) {
    assert_eq!(Endpoint::new(url).shown(), expected);
}

#[test]
fn what_is_shown_of_an_endpoint_keeps_no_secrets() {
    check("http://127.0.0.1:8101/mcp", "http://127.0.0.1:8101/mcp");
    check("https://me:secret@host/mcp?key=secret#x", "https://host/mcp");
    check("http://host", "http://host");
    check("http://host?key=a/b@c", "http://host");
    check("secret", "");
}
