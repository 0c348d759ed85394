//! What is refused before anybody asks what it means: bytes, frames, hosts, methods, paths.

use serde_json::{Value, json};

use super::{Floor, golden, refusals};
use crate::http::{self, authority};

#[test]
fn every_golden_example_is_answered_as_it_is_written_down() {
    let floor = Floor::open();
    for (name, request, mut expected) in golden() {
        let code = expected["result"]["error_code"].as_str().unwrap_or("JSON_RPC").to_owned();
        let counted = refusals(floor.at(), &code);
        let answer = floor.unchanged(|| http::post(floor.at(), &request));
        // What is said to no id in particular is said by the status, too.
        let status = if expected["id"].is_null() { 400 } else { 200 };
        assert_eq!(answer.status, status, "{name}");
        let mut answer = answer.json();
        for answer in [&mut answer, &mut expected] {
            if let Some(time) = answer.pointer_mut("/result/timestamp") {
                time.take();
            }
        }
        assert_eq!(answer, expected, "{name}");
        assert_eq!(refusals(floor.at(), &code), counted + 1, "{name}");
    }
    floor.league.close();
}

#[test]
fn an_id_comes_back_as_it_went() {
    let floor = Floor::open();
    for id in [json!(0), json!(-7), json!(9_007_199_254_740_993_i64), json!("seven"), json!("")] {
        let ping = json!({ "jsonrpc": "2.0", "method": "ping", "id": id });
        let answer = http::post(floor.at(), &ping.to_string()).json();
        assert_eq!(answer, json!({ "jsonrpc": "2.0", "result": { "status": "ok" }, "id": id }));
        let unknown = json!({ "jsonrpc": "2.0", "method": "pnig", "id": id });
        let answer = http::post(floor.at(), &unknown.to_string()).json();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32601), &id));
    }
    let no_requests = [
        json!(7),
        json!("ping"),
        json!({ "jsonrpc": "2.0", "id": 1 }),
        json!({ "jsonrpc": "1.0", "method": "ping", "id": 1 }),
    ];
    for not_a_request in no_requests {
        let answer = http::post(floor.at(), &not_a_request.to_string()).json();
        assert_eq!(answer["error"]["code"], -32600, "{not_a_request}: {answer}");
    }
    floor.league.close();
}

#[test]
fn a_notification_gets_no_answer() {
    let floor = Floor::open();
    for method in ["ping", "get_standings", "get_league_state"] {
        let said = json!({ "jsonrpc": "2.0", "method": method, "params": {} });
        let answer = floor.unchanged(|| http::post(floor.at(), &said.to_string()));
        assert_eq!((answer.status, answer.body.as_str()), (202, ""), "{method}");
    }
    floor.league.close();
}

#[test]
fn bytes_are_bounded_and_doors_are_few() {
    let floor = Floor::open();
    let at = floor.at();
    let padding = " ".repeat(256 * 1024 + 1);
    let ping = r#"{"jsonrpc":"2.0","method":"ping","id":1}"#;
    let answer = floor.unchanged(|| http::post(at, &format!("{padding}{ping}")));
    assert_eq!(answer.status, 413);
    let ours = authority(at);
    let heads = [
        (format!("POST /mcp HTTP/1.1\r\nHost: {ours}\r\n"), 200),
        ("POST /mcp HTTP/1.1\r\nHost: evil.example\r\n".into(), 403),
        (format!("POST /mcp HTTP/1.1\r\nHost: {ours}\r\nOrigin: http://evil.example\r\n"), 403),
        (format!("GET /mcp HTTP/1.1\r\nHost: {ours}\r\n"), 405),
        (format!("PUT /mcp HTTP/1.1\r\nHost: {ours}\r\n"), 405),
        (format!("POST /health HTTP/1.1\r\nHost: {ours}\r\n"), 404),
        (format!("GET /nowhere HTTP/1.1\r\nHost: {ours}\r\n"), 404),
        (format!("GET /../operator.token HTTP/1.1\r\nHost: {ours}\r\n"), 404),
    ];
    for (head, status) in heads {
        let answer = floor.unchanged(|| http::raw(at, &head, ping.as_bytes()));
        assert_eq!(answer.status, status, "{head}");
        if status != 200 {
            assert!(serde_json::from_str::<Value>(&answer.body).is_err(), "{head}");
        }
    }
    floor.league.close();
}
