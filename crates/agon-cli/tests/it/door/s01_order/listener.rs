//! Agents of other authors, who write down what they hear in the order in which they have heard it.
//!
//! A notice is heard when it is acknowledged, a question when it comes. So whatever is sent before
//! a notice was taken shows as being out of order.

use std::collections::BTreeSet;
use std::io::{BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::order::Heard;
use crate::process::PATIENCE;
use crate::refusals::clerk::{Clerk, request};

/// How an agent takes what it hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::door) enum Character {
    /// Plays properly and at once.
    Recording,
    /// Plays properly, and takes so long to acknowledge a notice.
    Slow(Duration),
    /// Refuses what was not announced, what comes too early, and a second match at a time.
    Strict,
}

/// An agent that is in the league.
pub(in crate::door) struct Listener {
    pub(in crate::door) clerk: Clerk,
    notes: Arc<Notes>,
}

/// What all connections of one agent write into.
struct Notes {
    character: Character,
    memory: Mutex<Memory>,
    changed: Condvar,
}

#[derive(Default)]
struct Memory {
    heard: Vec<Heard>,
    messages: Vec<Value>,
    announced: BTreeSet<String>,
    playing: Option<String>,
}

impl Listener {
    /// Listens and registers.
    pub(in crate::door) fn join(manager: &str, role: &str, character: Character) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}/mcp", listener.local_addr().unwrap());
        let (memory, changed) = (Mutex::default(), Condvar::new());
        let notes = Arc::new(Notes { character, memory, changed });
        let shared = Arc::clone(&notes);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let notes = Arc::clone(&shared);
                thread::spawn(move || notes.serve(stream.unwrap()));
            }
        });
        Self { clerk: Clerk::sign_up(manager, role, &endpoint), notes }
    }

    /// Waits until this was heard, or the end, after which it does not come any more.
    #[track_caller]
    pub(super) fn waits_for(&self, wanted: &Heard) {
        let memory = self.notes.memory.lock().unwrap();
        let missing = |memory: &mut Memory| {
            let end = Heard::end();
            !memory.heard.iter().any(|heard| *heard == *wanted || *heard == end)
        };
        let (memory, late) =
            self.notes.changed.wait_timeout_while(memory, PATIENCE, missing).unwrap();
        assert!(!late.timed_out(), "no {wanted} came after {:?}", memory.heard);
    }

    /// Waits for a message of that type that nobody has taken, and takes it.
    #[track_caller]
    pub(in crate::door) fn takes(&self, kind: &str) -> Value {
        let memory = self.notes.memory.lock().unwrap();
        let place = |memory: &Memory| memory.messages.iter().position(|it| is(it, kind));
        let missing = |memory: &mut Memory| place(memory).is_none();
        let (mut memory, _) =
            self.notes.changed.wait_timeout_while(memory, PATIENCE, missing).unwrap();
        let found = place(&memory).unwrap_or_else(|| panic!("no {kind} came any more"));
        memory.messages.remove(found)
    }

    /// Everything, in the order in which it was heard.
    pub(super) fn heard(&self) -> Vec<Heard> {
        self.notes.memory.lock().unwrap().heard.clone()
    }
}

impl Notes {
    /// Answers every request of a connection until the caller hangs up.
    fn serve(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        while let Some(body) = request(&mut reader) {
            let asked: Value = serde_json::from_slice(&body).unwrap();
            let result = self.answer(&asked["params"]);
            let body = json!({ "jsonrpc": "2.0", "result": result, "id": asked["id"] }).to_string();
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
            let answer = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
            if stream.write_all(answer.as_bytes()).is_err() {
                return; // Whoever asked is dead, or has no more time.
            }
        }
    }

    fn answer(&self, asked: &Value) -> Value {
        if is(asked, "GAME_INVITATION") {
            let accept = self.note(asked);
            return letter(asked, "GAME_JOIN_ACK", "accept", json!(accept));
        }
        if is(asked, "CHOOSE_PARITY_CALL") {
            self.note(asked);
            return letter(asked, "CHOOSE_PARITY_RESPONSE", "parity_choice", json!("even"));
        }
        if let (Character::Slow(pause), false) = (self.character, is(asked, "MATCH_ASSIGNMENT")) {
            // This is how this agent is, and what is tested: nobody gives it a reason to hurry.
            let (_hurry, hurried) = channel::<()>();
            let _late = hurried.recv_timeout(pause);
        }
        self.note(asked);
        json!({ "status": "acknowledged" })
    }

    /// Writes it down. Says whether a strict player would accept it.
    fn note(&self, asked: &Value) -> bool {
        let mut memory = self.memory.lock().unwrap();
        let welcome = memory.expects(asked);
        memory.take(asked);
        self.changed.notify_all();
        welcome || self.character != Character::Strict
    }
}

impl Memory {
    /// Whether an invitation comes when it should.
    fn expects(&self, asked: &Value) -> bool {
        let heard = Heard::of(asked);
        let id = asked["match_id"].as_str().unwrap_or_default();
        let before = heard.round.saturating_sub(1);
        let closed = ["LEAGUE_STANDINGS_UPDATE", "ROUND_COMPLETED"]
            .iter()
            .all(|kind| self.heard.contains(&Heard::new(kind, before)));
        let free = self.playing.as_deref().is_none_or(|playing| playing == id);
        self.announced.contains(id) && (before == 0 || closed) && free
    }

    fn take(&mut self, asked: &Value) {
        let id = asked["match_id"].as_str().map(str::to_owned);
        if is(asked, "ROUND_ANNOUNCEMENT") {
            let matches = asked["matches"].as_array().unwrap().iter();
            self.announced.extend(matches.map(|it| it["match_id"].as_str().unwrap().to_owned()));
        } else if is(asked, "GAME_INVITATION") {
            self.playing = id;
        } else if is(asked, "GAME_OVER") && self.playing == id {
            self.playing = None;
        }
        self.heard.push(Heard::of(asked));
        self.messages.push(asked.clone());
    }
}

fn is(message: &Value, kind: &str) -> bool {
    message["message_type"] == kind
}

/// An answer with one field of its own. Whose it is, the connection says.
fn letter(asked: &Value, message_type: &str, field: &str, value: Value) -> Value {
    let player = match asked["player_id"].as_str() {
        Some(player) => player.to_owned(),
        None => "P01".to_owned(), // An invitation does not name whom it is for.
    };
    let mut letter = json!({
        "protocol": "league.v2",
        "message_type": message_type,
        "sender": format!("player:{player}"),
        "timestamp": "2026-01-15T10:05:00Z",
        "conversation_id": asked["conversation_id"],
        "auth_token": asked["auth_token"],
        "match_id": asked["match_id"],
        "player_id": player,
        "arrival_timestamp": "2026-01-15T10:05:00Z",
    });
    letter[field] = value;
    letter
}
