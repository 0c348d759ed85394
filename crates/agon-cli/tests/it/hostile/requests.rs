//! Requests that mean harm: each gets a short answer, and costs the league nothing.

use serde_json::{Value, json};

use super::gzip;
use crate::http::{self, authority};
use crate::league::League;
use crate::refusals::Floor;
use crate::refusals::clerk::{Clerk, registration};

const PING: &str = r#"{"jsonrpc":"2.0","method":"ping","id":7}"#;
/// Nearly as much as fits into the largest body.
const HUGE: usize = 200 * 1024;

/// Sends bytes as they are. They change nothing, and the answer is short.
#[track_caller]
fn answer(floor: &Floor, header: &str, body: impl AsRef<[u8]>) -> Value {
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\n{header}", authority(floor.at()));
    let answer = floor.unchanged(|| http::raw(floor.at(), &head, body.as_ref()));
    let status = if answer.json()["id"].is_null() { 400 } else { 200 };
    assert_eq!(answer.status, status, "{answer:?}");
    assert!(answer.body.len() < 1024, "{} bytes", answer.body.len());
    answer.json()
}

/// Sends what gets an error of JSON-RPC.
#[track_caller]
fn check(floor: &Floor, body: impl AsRef<[u8]>, code: i64) {
    let answer = answer(floor, "", body);
    assert_eq!(answer["error"]["code"], code, "{answer}");
}

/// Asks for the schedule with another text in place of the usual one; gets an error of the league.
#[track_caller]
fn check_query(floor: &Floor, usual: &str, text: &str, code: &str) {
    let mut query = floor.player.letter("LEAGUE_QUERY");
    query["league_id"] = json!("league_2026_even_odd");
    query["query_type"] = json!("GET_SCHEDULE");
    query["query_params"] = json!({ "round_id": 1 });
    let params = query.to_string();
    assert_eq!(params.matches(usual).count(), 1, "{params}");
    let params = params.replace(usual, text);
    let body = format!(r#"{{"jsonrpc":"2.0","method":"league_query","params":{params},"id":7}}"#);
    let answer = answer(floor, "", body);
    assert_eq!(answer["result"]["error_code"], code, "{answer}");
}

#[test]
fn invalid_utf8_is_not_json_wherever_it_stands() {
    let floor = Floor::open();
    check(&floor, b"\xff\xfe{}", -32700);
    let open = PING.strip_suffix('}').unwrap().as_bytes();
    check(&floor, [open, b",\"unread\":\"\xff\"}"].concat(), -32700);
    check(&floor, [open, b",\"unread\":\"\xed\xa0\x80\"}"].concat(), -32700);
    assert_eq!(answer(&floor, "", PING)["result"]["status"], "ok");
    floor.league.close();
}

#[test]
fn deep_nesting_is_refused_before_it_is_parsed() {
    let floor = Floor::open();
    for body in ["[".repeat(HUGE), r#"{"a":"#.repeat(HUGE / 5)] {
        check(&floor, body, -32600);
    }
    let unread = format!(r#","unread":{}{}}}"#, "[".repeat(40), "]".repeat(40));
    check(&floor, PING.replace('}', &unread), -32600);
    floor.league.close();
}

#[test]
fn huge_numbers_do_not_fit() {
    let floor = Floor::open();
    let digits = "9".repeat(HUGE);
    for number in ["-1", "4294967296", "99999999999999999999", "1e400", "-1e-400", &digits] {
        let text = format!(r#""round_id":{number}"#);
        check_query(&floor, r#""round_id":1"#, &text, "E002");
    }
    for id in ["1e400", "18446744073709551616", &digits] {
        check(&floor, PING.replace('7', id), -32600);
    }
    let most = Clerk::join(floor.at(), "referee");
    let (_, mut params) = registration("referee", &most.endpoint);
    params["referee_meta"]["max_concurrent_matches"] = json!(u64::from(u32::MAX) + 1);
    let refused = http::call(floor.at(), "register_referee", &params);
    assert_eq!(refused["result"]["error_code"], "E002", "{refused}");
    floor.league.close();
}

#[test]
fn huge_texts_are_cut_or_refused_and_never_echoed() {
    let floor = Floor::open();
    let long = "x".repeat(HUGE);
    check(&floor, PING.replace("ping", &long), -32601);
    check(&floor, PING.replace('7', &format!("\"{long}\"")), -32600);
    let sender = floor.player.sender.clone();
    check_query(&floor, &format!("\"{sender}\""), &format!("\"player:{long}\""), "E005");
    check_query(&floor, "GET_SCHEDULE", &long, "E002");
    check_query(&floor, "league.v2", &long, "E018");
    let token = floor.player.token.clone();
    check_query(&floor, &token, &long, "E002");
    floor.league.close();
}

#[test]
fn a_huge_name_is_cut_at_the_door() {
    let league = League::open(&["--start-when", "2"]);
    Clerk::join(&league.endpoint, "referee");
    Clerk::join(&league.endpoint, "player");
    let (method, mut params) = registration("player", "http://127.0.0.1:9/mcp");
    params["player_meta"]["display_name"] = json!("\u{1b}é".repeat(HUGE / 8));
    let answer = http::call(&league.endpoint, method, &params);
    assert_eq!(answer["result"]["status"], "ACCEPTED", "{answer}");
    let table = league.standings();
    assert!(table.iter().any(|row| row["display_name"] == "é".repeat(64)), "{table:?}");
    league.close();
}

#[test]
fn a_compressed_body_is_not_unpacked() {
    let floor = Floor::open();
    let header = "Content-Encoding: gzip\r\n";
    let refused = answer(&floor, header, gzip(PING));
    assert_eq!(refused["error"]["code"], -32700, "{refused}");
    // What is plain is read as it is, whatever the header says of it.
    assert_eq!(answer(&floor, header, PING)["result"]["status"], "ok");
    floor.league.close();
}

#[test]
fn a_batch_is_refused_whole() {
    let floor = Floor::open();
    for length in [0, 1, 4, 5000] {
        let batch = vec![PING; length].join(",");
        check(&floor, format!("[{batch}]"), -32600);
    }
    check(&floor, r#"["2.0","ping",null,7]"#, -32600);
    floor.league.close();
}

#[test]
fn a_name_that_hides_an_id_is_a_stranger() {
    let floor = Floor::open();
    for hidden in ["player:P\\u200b01", "player:P01\\u007f", "player:P01\\u0000"] {
        check_query(
            &floor,
            &format!("\"{}\"", floor.player.sender),
            &format!("\"{hidden}\""),
            "E005",
        );
    }
    floor.league.close();
}

#[test]
fn a_replayed_registration_gives_no_second_place() {
    let league = League::open(&[]);
    let (method, params) = registration("player", "http://127.0.0.1:9/mcp");
    let first = http::call(&league.endpoint, method, &params);
    for _ in 0..3 {
        let again = http::call(&league.endpoint, method, &params);
        for field in ["status", "player_id", "auth_token"] {
            assert_eq!(again["result"][field], first["result"][field], "{again}");
        }
    }
    assert_eq!(league.state()["players"], 1);
    league.close();
}
