//! What is shown of an endpoint.

use super::{Contact, Endpoint};
use crate::Address;

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

#[test]
fn one_endpoint_in_several_spellings_is_one() {
    let same = |one: &str, other: &str| {
        assert_eq!(Contact::from(Endpoint::new(one)), Endpoint::new(other).into(), "{one} {other}");
        assert_eq!(Address::new(one), Address::new(other), "{one} {other}");
    };
    let usual = "http://127.0.0.1:901/mcp";
    for host in ["localhost", "LOCALHOST", "localhost.localdomain", "[::ffff:127.0.0.1]", "[::1]"] {
        same(usual, &format!("http://{host}:901/mcp"));
    }
    same(usual, "HTTP://127.0.0.1:0901/mcp");
    same("http://10.0.0.1/mcp", "http://[::ffff:a00:1]:80/mcp");
    same("https://Host.test", "https://host.test:443/");
    same("http://[fd00::1]:901/mcp", "http://[FD00:0::1]:901/mcp");
    let other = |one: &str| {
        assert_ne!(Contact::from(Endpoint::new(one)), Endpoint::new(usual).into(), "{one}");
    };
    for others in ["https://127.0.0.1:901/mcp", "http://127.0.0.1:902/mcp"] {
        other(others);
    }
    for others in ["http://127.0.0.1:901/MCP", "http://127.0.0.2:901/mcp", "http://127.0.0.1:x/mcp"]
    {
        other(others);
    }
}
