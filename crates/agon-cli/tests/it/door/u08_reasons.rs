//! Whoever is not let in, and the operator whose peers refuse what they are told, hear why: what
//! was sent, to whom, and what is wrong with the answer.

use std::io::{BufReader, Write};
use std::net::TcpListener;
use std::thread;

use serde_json::{Value, json};

use super::u02_reasons::author::Author;
use crate::league::{League, TERMS, assert_whole};
use crate::process::{Ended, Process};
use crate::refusals::clerk::{Clerk, request};

/// What the log says of a peer that answers so.
pub(super) const REFUSED: &str = "a peer refused this, or answered nonsense";

/// Answers every call with what stands in `result` or `error`. Returns its endpoint.
pub(super) fn stub(
    answer: impl Fn(&Value) -> (&'static str, Value) + Clone + Send + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/mcp", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (answer, mut stream) = (answer.clone(), stream.unwrap());
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while let Some(body) = request(&mut reader) {
                    let asked: Value = serde_json::from_slice(&body).unwrap();
                    let (name, value) = answer(&asked);
                    let said = json!({ "jsonrpc": "2.0", name: value, "id": asked["id"] });
                    let said = said.to_string();
                    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", said.len());
                    if stream.write_all((head + &said).as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    endpoint
}

/// A player that registers with a manager that answers so.
fn not_admitted(name: &'static str, value: Value) -> Ended {
    let dir = tempfile::tempdir().unwrap();
    let manager = stub(move |_| (name, value.clone()));
    let args = ["player", "--manager", &manager, "--listen", "127.0.0.1:0"];
    Process::agon(dir.path(), &[&args[..], &TERMS].concat()).exit(1)
}

fn response(status: &str) -> Value {
    json!({
        "protocol": "league.v2",
        "message_type": "LEAGUE_REGISTER_RESPONSE",
        "sender": "league_manager",
        "timestamp": "2026-01-15T10:05:00Z",
        "conversation_id": "conv-player-reg-001",
        "status": status,
    })
}

#[test]
fn u08_an_admission_that_cannot_be_read_is_no_silence() {
    let mut wrong = response("ACCEPTED");
    wrong["player_id"] = json!(7);
    let ended = not_admitted("result", wrong);
    let lines = ended.err.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let told: Vec<_> = lines.filter(|line| line["message"] == REFUSED).collect();
    assert_eq!(told.len(), 1, "three tries, one mistake: {}", ended.err);
    for line in told {
        assert_eq!(line["said"], "LEAGUE_REGISTER_REQUEST", "{line}");
        assert!(line["reason"].as_str().unwrap().contains("`player_id`"), "{line}");
        assert!(line["received"].as_str().unwrap().contains(r#""player_id":7"#), "{line}");
    }
    assert!(ended.err.contains("not admitted: no good answer from http://"), "{}", ended.err);
}

#[test]
fn u08_a_refusal_without_a_reason_says_that_there_is_none() {
    let mut empty = response("REJECTED");
    empty["reason"] = json!("");
    for (name, value) in [
        ("result", empty),
        ("result", response("REJECTED")),
        ("error", json!({ "code": -32000, "message": "" })),
    ] {
        let ended = not_admitted(name, value);
        let told = "not admitted: rejected without a reason\n";
        assert!(ended.err.ends_with(told), "{}", ended.err);
    }
}

#[test]
fn u09_nothing_is_no_answer_to_an_assignment() {
    let far = ["--start-when", "2", "--match-time-max-s", "99999"];
    let mut league = League::open(&far);
    let nothing = stub(|asked| match asked["params"]["message_type"].as_str() {
        Some("MATCH_ASSIGNMENT") => ("result", Value::Null),
        _ => ("result", json!({ "status": "acknowledged" })),
    });
    Clerk::sign_up(&league.endpoint, "referee", &nothing);
    league.manager.logs("referee registered");
    let agents =
        [league.member("referee", &[]), league.member("player", &[]), league.member("player", &[])];
    let line = league.manager.logs(REFUSED);
    assert_eq!((&line["said"], &line["peer"]), (&json!("MATCH_ASSIGNMENT"), &json!(nothing)));
    assert_eq!(line["reason"], "the answer has neither a result nor an error", "{line}");
    let moved = league.manager.logs("reassigned");
    assert_eq!((&moved["match_id"], &moved["referee"]), (&json!("R1M1"), &json!("REF02")));
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    assert_whole(&league, 2);
    league.close();
}

#[test]
fn u09_a_peer_that_refuses_news_is_named_with_what_it_refused() {
    let mut league = League::open(&["--start-when", "2"]);
    let mut referee = league.member("referee", &[]);
    let refuses = |asked: &Value| {
        let kind = asked["params"]["message_type"].as_str()?;
        let error = json!({ "code": -32601, "message": format!("no {kind} here") });
        let said = json!({ "jsonrpc": "2.0", "error": error, "id": asked["id"] }).to_string();
        ["ROUND_ANNOUNCEMENT", "GAME_OVER"].contains(&kind).then_some(("200 OK", said))
    };
    let _players =
        [Author::join(&league.endpoint, refuses), Author::join(&league.endpoint, |_| None)];
    for (node, kind) in [(&mut league.manager, "ROUND_ANNOUNCEMENT"), (&mut referee, "GAME_OVER")] {
        let line = node.logs(REFUSED);
        assert_eq!(line["said"], kind, "{line}");
        assert_eq!(line["reason"], format!("no {kind} here"), "{line}");
        assert!(line["peer"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{line}");
    }
    league.manager.logs("league completed");
    assert_whole(&league, 2);
    league.close();
}

#[test]
fn u09_a_peer_that_refuses_everything_is_told_of_once_for_each_kind() {
    let mut league = League::open(&["--start-when", "4"]);
    let referee = league.member("referee", &[]);
    let news = ["ROUND_ANNOUNCEMENT", "LEAGUE_STANDINGS_UPDATE", "ROUND_COMPLETED"];
    let refuses = move |asked: &Value| {
        let kind = asked["params"]["message_type"].as_str()?;
        let error = json!({ "code": -32601, "message": format!("no {kind} here") });
        let said = json!({ "jsonrpc": "2.0", "error": error, "id": asked["id"] }).to_string();
        news.contains(&kind).then_some(("200 OK", said))
    };
    let wrong = Author::join(&league.endpoint, refuses);
    let _players = [0, 1, 2].map(|_| Author::join(&league.endpoint, |_| None));
    let mut told = Vec::new();
    loop {
        let line = league.manager.log().unwrap();
        if line["message"] == REFUSED {
            told.push(line["said"].as_str().unwrap().to_owned());
        }
        if line["message"] == "league completed" {
            break;
        }
    }
    drop(wrong);
    told.sort();
    // Of three rounds, each of them with all three.
    assert_eq!(told, ["LEAGUE_STANDINGS_UPDATE", "ROUND_ANNOUNCEMENT", "ROUND_COMPLETED"]);
    referee.succeed();
    league.close();
}

#[test]
fn u09_a_refused_tool_is_named() {
    let mut league = League::open(&[]);
    crate::http::call(&league.endpoint, "start_league", &json!({}));
    let line = league.manager.logs("request refused");
    assert_eq!(line["message_type"], "start_league", "{line}");
    league.close();
}

#[test]
fn u09_a_request_that_is_refused_is_named_with_its_sender() {
    let mut league = League::open(&[]);
    let clerk = Clerk::join(&league.endpoint, "player");
    let report = clerk.report("R1M1", "P01");
    let answer = crate::http::call(&league.endpoint, "report_match_result", &report);
    assert_eq!(answer["result"]["message_type"], "LEAGUE_ERROR", "{answer}");
    let line = league.manager.logs("request refused");
    assert_eq!(line["message_type"], "MATCH_RESULT_REPORT", "{line}");
    assert!(line["from"].as_str().unwrap().starts_with("127.0.0.1:"), "{line}");
    league.close();
}
