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
    check("http://host/join/secret-code/mcp?key=x", "http://host/join/…/mcp");
}

#[test]
fn an_endpoint_prints_no_code() {
    let endpoint = Endpoint::new("http://host/join/secret-code/mcp");
    assert_eq!(format!("{endpoint} {endpoint:?}").matches("secret").count(), 0);
    assert_eq!(endpoint.as_str(), "http://host/join/secret-code/mcp");
}
