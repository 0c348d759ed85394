//! Our player in the league of somebody else: a manager and a referee that say what the course
//! asks for and no more.

use std::io::{BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http;
use crate::league::TERMS;
use crate::process::Process;
use crate::refusals::clerk::{letter, request};

/// What the course shows for a token.
const TOKEN: &str = "tok-p01-xyz789";

/// A player whom a foreign manager has let in.
struct Guest {
    _dir: TempDir,
    player: Process,
    endpoint: String,
}

impl Guest {
    fn admitted() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let manager = format!("http://{}/mcp", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                thread::spawn(move || admit(&stream.unwrap()));
            }
        });
        let usual = ["player", "--manager", &manager, "--listen", "127.0.0.1:0"];
        let mut player = Process::agon(dir.path(), &[&usual[..], &TERMS].concat());
        let endpoint = player.endpoint();
        player.logs("registered");
        Self { _dir: dir, player, endpoint }
    }
}

/// Lets in whoever asks, with a token of its own making, and takes everything else.
fn admit(mut stream: &TcpStream) {
    let mut reader = BufReader::new(stream);
    while let Some(body) = request(&mut reader) {
        let asked: Value = serde_json::from_slice(&body).unwrap();
        let mut result = letter("LEAGUE_REGISTER_RESPONSE", "league_manager");
        result["conversation_id"] = asked["params"]["conversation_id"].clone();
        result["status"] = json!("ACCEPTED");
        result["player_id"] = json!("P01");
        result["auth_token"] = json!(TOKEN);
        result["league_id"] = json!("league_2025_even_odd");
        result["reason"] = Value::Null;
        let answer = json!({ "jsonrpc": "2.0", "result": result, "id": asked["id"] }).to_string();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
        let answer = format!("{head}Content-Length: {}\r\n\r\n{answer}", answer.len());
        if stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

#[test]
fn s04_a_game_error_as_the_course_shows_it_is_taken() {
    let mut guest = Guest::admitted();
    let mut error = letter("GAME_ERROR", "referee:REF01");
    error["match_id"] = json!("R1M1");
    error["error_code"] = json!("E001");
    error["error_description"] = json!("TIMEOUT_ERROR");
    error["affected_player"] = json!("P01");
    error["action_required"] = json!("CHOOSE_PARITY_RESPONSE");
    error["retry_count"] = json!(1);
    error["max_retries"] = json!(3);
    error["consequence"] = json!("Technical loss if max retries exceeded");
    let answer = http::call(&guest.endpoint, "notify_game_error", &error);
    assert!(answer.get("error").is_none(), "{answer}");
    let line = guest.player.logs("the referee complains");
    assert_eq!((&line["match_id"], &line["code"]), (&json!("R1M1"), &json!("E001")), "{line}");
}

#[test]
fn s06_a_player_shows_itself_to_whoever_has_the_token_of_a_foreign_manager() {
    let guest = Guest::admitted();
    let state = |token: Value| {
        http::call(&guest.endpoint, "get_player_state", &json!({ "auth_token": token }))
    };
    let shown = state(json!(TOKEN));
    assert_eq!(shown["result"]["player_id"], "P01", "{shown}");
    for wrong in ["tok-p01-xyz788", "tok-p01-xyz7890", "tok-p01", ""] {
        let refused = state(json!(wrong));
        assert_eq!(refused["error"]["data"]["error_code"], "E012", "{wrong}: {refused}");
    }
    let refused = http::call(&guest.endpoint, "get_player_state", &json!({}));
    assert_eq!(refused["error"]["data"]["error_code"], "E011", "{refused}");
}
