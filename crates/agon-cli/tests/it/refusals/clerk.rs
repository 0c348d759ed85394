//! An agent of the test's own: takes every call with a receipt, and says what the test wants.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};

use crate::http;

pub(crate) struct Clerk {
    manager: String,
    pub(crate) endpoint: String,
    /// What stands in `sender`: `referee:REF01`.
    pub(crate) sender: String,
    pub(crate) token: String,
}

impl Clerk {
    /// Listens, registers, and takes whatever comes.
    pub(crate) fn join(manager: &str, role: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}/mcp", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                thread::spawn(move || acknowledge(&stream.unwrap()));
            }
        });
        Self::sign_up(manager, role, &endpoint)
    }

    /// Registers with an endpoint at which nobody needs to be.
    pub(crate) fn sign_up(manager: &str, role: &str, endpoint: &str) -> Self {
        let (method, params) = registration(role, endpoint);
        let answer = http::call(manager, method, &params);
        let given = &answer["result"];
        assert_eq!(given["status"], "ACCEPTED", "{answer}");
        let id = given[format!("{role}_id")].as_str().unwrap();
        Self {
            manager: manager.to_owned(),
            endpoint: endpoint.to_owned(),
            sender: format!("{role}:{id}"),
            token: given["auth_token"].as_str().unwrap().to_owned(),
        }
    }

    /// An envelope with its own sender and token.
    pub(crate) fn letter(&self, message_type: &str) -> Value {
        let mut letter = letter(message_type, &self.sender);
        letter["auth_token"] = json!(self.token);
        letter
    }

    /// A report that a match was won.
    pub(crate) fn report(&self, match_id: &str, winner: &str) -> Value {
        let mut report = self.letter("MATCH_RESULT_REPORT");
        report["league_id"] = json!("league_2026_even_odd");
        let round = match_id[1..].split('M').next().unwrap();
        report["round_id"] = json!(round.parse::<u32>().unwrap());
        report["match_id"] = json!(match_id);
        report["game_type"] = json!("even_odd");
        report["result"] = json!({ "winner": winner, "details": { "drawn_number": 8 } });
        report
    }

    /// Sends a report that must be taken.
    #[track_caller]
    pub(crate) fn reports(&self, report: &Value) {
        let answer = http::call(&self.manager, "report_match_result", report);
        let receipt = json!({ "status": "recorded", "match_id": report["match_id"] });
        assert_eq!(answer["result"], receipt, "{answer}");
    }
}

/// An envelope without a token.
pub(crate) fn letter(message_type: &str, sender: &str) -> Value {
    json!({
        "protocol": "league.v2",
        "message_type": message_type,
        "sender": sender,
        "timestamp": "2026-01-15T10:05:00Z",
        "conversation_id": format!("conv-{sender}"),
    })
}

/// The method and the params of a registration.
pub(crate) fn registration(role: &str, endpoint: &str) -> (&'static str, Value) {
    let mut meta = json!({
        "display_name": "Clerk",
        "version": "1.0.0",
        "game_types": ["even_odd", "rock_paper_scissors"],
        "contact_endpoint": endpoint,
        "protocol_version": "2.1.0",
    });
    let (method, message_type) = match role {
        "referee" => ("register_referee", "REFEREE_REGISTER_REQUEST"),
        _ => ("register_player", "LEAGUE_REGISTER_REQUEST"),
    };
    if role == "referee" {
        meta["max_concurrent_matches"] = json!(8);
    }
    let mut params = letter(message_type, &format!("{role}:clerk"));
    params[format!("{role}_meta")] = meta;
    (method, params)
}

/// Answers every request of a connection with a receipt, until the caller hangs up.
fn acknowledge(stream: &TcpStream) {
    let mut reader = BufReader::new(stream);
    while let Some(body) = request(&mut reader) {
        let asked: Value = serde_json::from_slice(&body).unwrap();
        let result = json!({ "status": "ACCEPTED" });
        let answer = json!({ "jsonrpc": "2.0", "result": result, "id": asked["id"] }).to_string();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
        let answer = format!("{head}Content-Length: {}\r\n\r\n{answer}", answer.len());
        let mut writer = stream;
        if writer.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Reads one request; nothing once the caller has hung up.
pub(crate) fn request(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(body)
}
