//! What a web page of somebody else can reach: nothing. And what no endpoint can be.

use serde_json::json;

use crate::http::{self, authority};
use crate::league::League;
use crate::refusals::clerk::registration;

/// What `GET` of that page answers to these header lines.
fn status(league: &League, page: &str, headers: &str) -> u16 {
    let head = format!("GET {page} HTTP/1.1\r\n{headers}");
    http::raw(&league.endpoint, &head, b"").status
}

#[test]
fn t11_pages_are_for_callers_that_know_whom_they_call() {
    let league = League::open(&[]);
    let own = format!("Host: {}\r\n", authority(&league.endpoint));
    for page in ["/metrics", "/health"] {
        assert_eq!(status(&league, page, &own), 200, "{page}");
        assert_eq!(status(&league, page, "Host: localhost\r\n"), 200, "{page}");
        // A name that its owner lets point at this machine.
        assert_eq!(status(&league, page, "Host: evil.test\r\n"), 403, "{page}");
        assert_eq!(status(&league, page, ""), 403, "{page}");
        let foreign = format!("{own}Origin: https://evil.test\r\n");
        assert_eq!(status(&league, page, &foreign), 403, "{page}");
    }
    league.close();
}

#[test]
fn t11_a_page_of_another_program_on_this_machine_posts_nothing() {
    let league = League::open(&[]);
    let (method, params) = registration("player", "http://127.0.0.1:901/mcp");
    let body = json!({ "jsonrpc": "2.0", "method": method, "params": params, "id": 7 }).to_string();
    let post = |headers: &str| {
        let own = authority(&league.endpoint);
        let head = format!("POST /mcp HTTP/1.1\r\nHost: {own}\r\n{headers}");
        http::raw(&league.endpoint, &head, body.as_bytes())
    };
    for origin in ["http://127.0.0.1:9999", "http://localhost:9999", "http://[::1]:9999", "null"] {
        for content in ["text/plain", "application/json"] {
            let headers = format!("Origin: {origin}\r\nContent-Type: {content}\r\n");
            assert_eq!(post(&headers).status, 403, "{headers}");
        }
    }
    assert_eq!(league.state()["players"], 0);
    // Whoever is no page may call it what he likes.
    assert_eq!(post("Content-Type: text/plain\r\n").json()["result"]["status"], "ACCEPTED");
    league.close();
}

#[test]
fn t11_a_name_that_no_host_can_have_is_no_endpoint() {
    let league = League::open(&[]);
    let long = format!("{}test", "a.".repeat(2_500));
    for host in [long.as_str(), &"x".repeat(254)] {
        let (method, params) = registration("player", &format!("http://{host}:901/mcp"));
        let answer = http::call(&league.endpoint, method, &params);
        assert_eq!(answer["result"]["status"], "REJECTED", "{answer}");
    }
    assert_eq!(league.state()["players"], 0);
    league.close();
}
