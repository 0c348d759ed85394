//! When a request is there, and when a body is late.

use std::time::Duration;

use tokio::time::Instant;

use super::{BodyPace, Found, Request};

const POST: &str = "POST /mcp HTTP/1.1\r\nhost: localhost\r\n";

#[track_caller]
fn check(bytes: &str, expected: Found) {
    let mut request = Request { body_max: 100, seen: 0, whole: None };
    assert_eq!(request.find(bytes.as_bytes()), expected, "{bytes:?}");
    // Byte by byte it is the same, and it was never there before.
    let mut request = Request { body_max: 100, seen: 0, whole: None };
    for end in 1..bytes.len() {
        let found = request.find(&bytes.as_bytes()[..end]);
        if found == Found::Enough {
            return assert_eq!(expected, Found::Enough, "{bytes:?}");
        }
    }
    if !bytes.is_empty() {
        assert_eq!(request.find(bytes.as_bytes()), expected, "{bytes:?}");
    }
}

#[test]
fn a_request_is_waited_for_to_its_end() {
    for part in ["P", "POST", "POST ", POST, "POST / HTTP/1.1\r\n\r", "GET / HTTP/1.1\n"] {
        check(part, Found::Head);
    }
    check(&format!("{POST}\r\n"), Found::Enough);
    check("GET / HTTP/1.1\n\n", Found::Enough);
    check("GET / HTTP/1.1\n\r\n", Found::Enough);
    check(&format!("{POST}Content-Length: 3\r\n\r\n"), Found::Body(0));
    check(&format!("{POST}content-length:3 \r\n\r\n{{}}"), Found::Body(2));
    check(&format!("{POST}content-length: 3\r\n\r\n{{ }}"), Found::Enough);
    check(&format!("{POST}content-length: 0\r\n\r\n"), Found::Enough);
}

#[test]
fn what_is_strange_is_handed_on() {
    for strange in ["", "\u{1}", "\x16\x03\x01", "get / HTTP/1.1\r\n", "\r\n", "POST\r\n\r\n"] {
        check(strange, Found::Enough);
    }
    for lines in [
        "content-length: 101",
        "content-length: -1",
        "content-length: 99999999999999999999999",
        "content-length: 3\r\ncontent-length: 3",
        "content-length: 3\r\ntransfer-encoding: chunked",
        "Expect: 100-continue\r\ncontent-length: 3",
    ] {
        check(&format!("{POST}{lines}\r\n\r\n"), Found::Enough);
    }
}

#[test]
fn a_body_has_its_grace_and_then_its_pace() {
    let second = Duration::from_secs(1);
    let pace = BodyPace { grace: 3 * second, per_s: 100, at_most: 10 * second };
    let began = Instant::now();
    for (got, due) in [(0, 3), (100, 4), (650, 9), (700, 10), (usize::MAX, 10)] {
        let due = began + due * second;
        let said = pace.due(began, got);
        assert!(said.max(due) - said.min(due) < second, "{got}");
    }
}
