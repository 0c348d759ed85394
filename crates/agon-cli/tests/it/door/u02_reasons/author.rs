//! A player of somebody's own: what it answers is the test's, and all it is told is kept.

use std::io::{BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use serde_json::{Value, json};

use crate::process::PATIENCE;
use crate::refusals::clerk::{Clerk, request};

/// What is sent back to a call: the status line's rest, and a body.
pub(crate) type Sent = (&'static str, String);

/// Answers a question in its own way.
pub(crate) trait Habit: Fn(&Value) -> Option<Sent> + Send + Sync + 'static {}
impl<F: Fn(&Value) -> Option<Sent> + Send + Sync + 'static> Habit for F {}

pub(crate) struct Author {
    /// What its referee and its manager told and asked it, as it came.
    heard: Receiver<Value>,
    /// What the league gave it.
    pub(crate) token: String,
}

impl Author {
    /// Registers a player that answers as `habit` says; as a good player where it says nothing.
    pub(crate) fn join(manager: &str, habit: impl Habit) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}/mcp", listener.local_addr().unwrap());
        let (tell, heard) = channel();
        let habit = Arc::new(habit);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (habit, tell) = (Arc::clone(&habit), tell.clone());
                thread::spawn(move || serve(stream.unwrap(), &*habit, &tell));
            }
        });
        let Clerk { token, .. } = Clerk::sign_up(manager, "player", &endpoint);
        Self { heard, token }
    }

    /// All that its referee said about the match, up to GAME_OVER.
    #[track_caller]
    pub(crate) fn whole_match(&self) -> Vec<Value> {
        let mut heard = Vec::new();
        loop {
            let next = self.heard.recv_timeout(PATIENCE).expect("GAME_OVER is told");
            if next["sender"].as_str().is_some_and(|sender| sender.starts_with("referee:")) {
                heard.push(next);
            }
            if heard.last().is_some_and(|last| last["message_type"] == "GAME_OVER") {
                return heard;
            }
        }
    }
}

fn serve(mut stream: TcpStream, habit: &dyn Habit, tell: &Sender<Value>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(body) = request(&mut reader) {
        let asked: Value = serde_json::from_slice(&body).unwrap();
        let (status, body) = habit(&asked).unwrap_or_else(|| well(&asked));
        // Told before it is answered: what follows an answer is heard after it.
        if tell.send(asked["params"].clone()).is_err() {
            return;
        }
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n", body.len());
        if stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).is_err() {
            return;
        }
    }
}

/// The answer of a player that knows the protocol.
fn well(asked: &Value) -> Sent {
    match asked["params"]["message_type"].as_str() {
        Some("GAME_INVITATION") => said(asked, &join(asked)),
        Some("CHOOSE_PARITY_CALL") => said(asked, &choice(asked)),
        Some("GAME_MOVE_CALL") => {
            let first = &asked["params"]["move_request"]["schema"]["enum"][0];
            said(asked, &moved(asked, &json!({ "move_type": "choose_hand", "choice": first })))
        }
        _ => said(asked, &json!({ "status": "acknowledged" })),
    }
}

pub(crate) fn join(asked: &Value) -> Value {
    let mut joins = letter(asked, "GAME_JOIN_ACK");
    joins["arrival_timestamp"] = json!("2026-01-15T10:05:00Z");
    joins["accept"] = json!(true);
    joins
}

pub(crate) fn choice(asked: &Value) -> Value {
    let mut chooses = letter(asked, "CHOOSE_PARITY_RESPONSE");
    chooses["parity_choice"] = json!("even");
    chooses
}

/// A move of any other game.
pub(crate) fn moved(asked: &Value, data: &Value) -> Value {
    let mut moves = letter(asked, "GAME_MOVE_RESPONSE");
    moves["game_type"] = asked["params"]["game_type"].clone();
    moves["move_data"] = data.clone();
    moves
}

/// An envelope that answers this question, without fields of its own.
fn letter(asked: &Value, message_type: &str) -> Value {
    let asked = &asked["params"];
    json!({
        "protocol": "league.v2",
        "message_type": message_type,
        "sender": "player:P02",
        "timestamp": "2026-01-15T10:05:00Z",
        "conversation_id": asked["conversation_id"],
        "auth_token": asked["auth_token"],
        "match_id": asked["match_id"],
        "player_id": "P02",
    })
}

/// A result, in its frame.
pub(crate) fn said(asked: &Value, result: &Value) -> Sent {
    ("200 OK", json!({ "jsonrpc": "2.0", "result": result, "id": asked["id"] }).to_string())
}
