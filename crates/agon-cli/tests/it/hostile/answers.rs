//! Players whose answers mean harm, in a season of two: what their match comes to.

use std::io::{BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};

use super::gzip;
use crate::league::League;
use crate::refusals::clerk::{Clerk, request};

/// What a rogue does with the connection when it is asked for its choice.
trait Trick: Fn(&mut TcpStream, &Value) + Send + Sync + 'static {}
impl<F: Fn(&mut TcpStream, &Value) + Send + Sync + 'static> Trick for F {}

/// Seconds for a choice, of which the league takes a tenth: enough for whoever answers at all.
const AMPLE: &str = "200";
/// The same, where the time has to run out.
const SHORT: &str = "5";

/// Plays P01, which says even, against the rogue P02. Returns the result of their only match.
fn play(choice_s: &str, trick: impl Trick) -> Value {
    let mut league = League::open(&["--start-when", "2", "--choice-s", choice_s]);
    let honest = [league.member("referee", &[]), league.member("player", &["--strategy", "even"])];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/mcp", listener.local_addr().unwrap());
    let trick = Arc::new(trick);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let trick = Arc::clone(&trick);
            thread::spawn(move || serve(stream.unwrap(), &*trick));
        }
    });
    Clerk::sign_up(&league.endpoint, "player", &endpoint);
    league.manager.logs("league completed");
    for agent in honest {
        agent.succeed();
    }
    let result = league.shown("R1M1")["result"].take();
    league.close();
    result
}

/// Joins, takes all news, and plays its trick when it is asked for a choice.
fn serve(mut stream: TcpStream, trick: &dyn Trick) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(body) = request(&mut reader) {
        let asked: Value = serde_json::from_slice(&body).unwrap();
        let result = match asked["params"]["message_type"].as_str() {
            Some("CHOOSE_PARITY_CALL") => {
                trick(&mut stream, &asked);
                continue;
            }
            Some("GAME_INVITATION") => letter(&asked, "GAME_JOIN_ACK", "accept", json!(true)),
            _ => json!({ "status": "acknowledged" }),
        };
        respond(&mut stream, "", framed(&asked, &result));
    }
}

/// An answer of P02, with one field of its own.
fn letter(asked: &Value, message_type: &str, field: &str, value: Value) -> Value {
    let asked = &asked["params"];
    let mut letter = json!({
        "protocol": "league.v2",
        "message_type": message_type,
        "sender": "player:P02",
        "timestamp": "2026-01-15T10:05:00Z",
        "conversation_id": asked["conversation_id"],
        "auth_token": asked["auth_token"],
        "match_id": asked["match_id"],
        "player_id": "P02",
        "arrival_timestamp": "2026-01-15T10:05:00Z",
    });
    letter[field] = value;
    letter
}

fn choice(asked: &Value, word: &str) -> Value {
    letter(asked, "CHOOSE_PARITY_RESPONSE", "parity_choice", json!(word))
}

fn framed(asked: &Value, result: &Value) -> String {
    json!({ "jsonrpc": "2.0", "result": result, "id": asked["id"] }).to_string()
}

fn respond(stream: &mut TcpStream, header: &str, body: impl AsRef<[u8]>) {
    let length = body.as_ref().len();
    let head = format!("HTTP/1.1 200 OK\r\n{header}Content-Length: {length}\r\n\r\n");
    // The referee may have hung up meanwhile, and then nobody is left to be told.
    let _gone = stream.write_all(&[head.as_bytes(), body.as_ref()].concat());
}

/// The rogue loses for that reason, and the other one has won.
#[track_caller]
fn loses(choice_s: &str, reason: &str, trick: impl Trick) {
    let result = play(choice_s, trick);
    assert_eq!(result["status"], "TECHNICAL_LOSS", "{result}");
    assert_eq!((&result["reason"], &result["blame"]), (&json!(reason), &json!("PLAYER_B")));
    assert_eq!(result["score"], json!({ "P01": 3, "P02": 0 }));
}

#[test]
fn an_endless_answer_loses_as_oversized() {
    loses(AMPLE, "OVERSIZED_ANSWER", |stream, _| {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let chunk = format!("1000\r\n{:4096}\r\n", "");
        let mut open = stream.write_all(head.as_bytes()).is_ok();
        while open {
            open = stream.write_all(chunk.as_bytes()).is_ok();
        }
    });
}

#[test]
fn a_slow_answer_loses_as_timed_out() {
    loses(SHORT, "TIMED_OUT", |stream, _| {
        let begin = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{";
        if stream.write_all(begin.as_bytes()).is_ok() {
            let _until_it_hangs_up = stream.read_to_end(&mut Vec::new());
        }
    });
}

#[test]
fn a_deep_answer_loses_as_malformed() {
    loses(AMPLE, "MALFORMED_ANSWER", |stream, _| respond(stream, "", "[".repeat(60_000)));
}

#[test]
fn an_answer_with_invalid_utf8_loses_as_malformed() {
    loses(AMPLE, "MALFORMED_ANSWER", |stream, asked| {
        let said = framed(asked, &choice(asked, "odd"));
        let open = said.strip_suffix('}').unwrap().as_bytes();
        respond(stream, "", [open, b",\"unread\":\"\xff\"}"].concat());
    });
}

#[test]
fn a_compressed_answer_is_not_unpacked_and_loses_as_malformed() {
    loses(AMPLE, "MALFORMED_ANSWER", |stream, asked| {
        let said = framed(asked, &choice(asked, "odd"));
        respond(stream, "Content-Encoding: gzip\r\n", gzip(&said));
    });
}

#[test]
fn an_answer_about_another_match_loses_as_malformed() {
    loses(AMPLE, "MALFORMED_ANSWER", |stream, asked| {
        let mut said = choice(asked, "odd");
        said["match_id"] = json!("R7M7");
        respond(stream, "", framed(asked, &said));
    });
}

#[test]
fn an_answer_of_huge_text_loses_as_an_invalid_move() {
    loses(AMPLE, "INVALID_MOVE", |stream, asked| {
        respond(stream, "", framed(asked, &choice(asked, &"odd ".repeat(10_000))));
    });
}

#[test]
fn a_choice_that_hides_itself_loses_as_an_invalid_move() {
    loses(AMPLE, "INVALID_MOVE", |stream, asked| {
        respond(stream, "", framed(asked, &choice(asked, "od\0d")));
    });
}

#[test]
fn a_redirect_leads_nowhere_and_loses_as_malformed() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = elsewhere.local_addr().unwrap();
    loses(AMPLE, "MALFORMED_ANSWER", move |stream, _| {
        let head = format!("HTTP/1.1 307 Moved\r\nLocation: http://{place}/mcp\r\n");
        let answer = format!("{head}Content-Length: 0\r\n\r\n");
        let _gone = stream.write_all(answer.as_bytes());
    });
    elsewhere.set_nonblocking(true).unwrap();
    assert_eq!(elsewhere.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn an_answer_in_anothers_name_counts_for_whoever_was_asked() {
    let result = play(AMPLE, |stream, asked| {
        let mut said = choice(asked, "odd");
        said["sender"] = json!("player:P01");
        said["player_id"] = json!("P01");
        respond(stream, "", framed(asked, &said));
    });
    assert_eq!(result["reason"], "PLAYED", "{result}");
    assert_eq!(result["choices"], json!({ "P01": "even", "P02": "odd" }), "{result}");
}
