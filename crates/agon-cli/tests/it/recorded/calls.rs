//! The calls of a season, as every node recorded its own.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::book::{Book, Said};
use super::words::Names;

/// One call, as bytes.
struct Call {
    number: u64,
    /// The port of whoever called.
    caller: String,
    /// The address of whoever was called.
    callee: String,
    request: String,
    outcome: String,
    answer: String,
}

/// Reads what all nodes wrote into that folder. Whoever registers there gets its name from it.
pub(super) fn read(folder: &Path, mut names: Names) -> Book {
    let mut calls = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let port = path.file_name().unwrap().to_str().unwrap().to_owned();
        calls.extend(calls_of(&port, &fs::read(&path).unwrap()));
    }
    for call in &calls {
        name(call, &mut names);
    }
    // The restart of a node begins to count anew, so the order in its file decides between lives;
    // within one, calls count in the order in which they went out.
    let mut book = Book::default();
    // How many messages of matches are handed in at once is the clock's.
    calls.retain(|call| !call.request.contains("\"method\":\"keep_messages\""));
    for call in calls {
        let caller = names.of(&format!("127.0.0.1:{}", call.caller)).to_owned();
        let callee = names.of(&call.callee).to_owned();
        book.add_call(
            &caller,
            &callee,
            &Said {
                request: names.normalise(&call.request),
                outcome: call.outcome,
                answer: names.normalise(&call.answer),
            },
        );
    }
    book
}

/// The calls of one node, in the order in which they went out.
fn calls_of(port: &str, bytes: &[u8]) -> Vec<Call> {
    let mut lives: Vec<Vec<Call>> = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
        let head = str::from_utf8(&rest[..end]).unwrap();
        let words: Vec<&str> = head.split(' ').collect();
        let [number, to, asked, outcome, answered] = words[..] else { panic!("no call: {head}") };
        let (asked, answered): (usize, usize) = (asked.parse().unwrap(), answered.parse().unwrap());
        let body = &rest[end + 1..];
        let call = Call {
            number: number.parse().unwrap(),
            caller: port.to_owned(),
            callee: to.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned(),
            request: String::from_utf8(body[..asked].to_vec()).unwrap(),
            outcome: outcome.to_owned(),
            answer: String::from_utf8(body[asked + 1..asked + 1 + answered].to_vec()).unwrap(),
        };
        rest = &body[asked + answered + 2..];
        // Everybody's first call is its registration, and everything else waits for that.
        if call.number == 1 || lives.is_empty() {
            lives.push(Vec::new());
        }
        lives.last_mut().unwrap().push(call);
    }
    for life in &mut lives {
        life.sort_by_key(|call| call.number);
    }
    lives.into_iter().flatten().collect()
}

/// Whoever registers is known by the id that it was given, or by its team; whoever is asked for
/// that is the manager.
fn name(call: &Call, names: &mut Names) {
    let asked: Value = serde_json::from_str(&call.request).unwrap();
    let said = &asked["params"];
    let own = match said["message_type"].as_str() {
        Some("LEAGUE_REGISTER_REQUEST" | "REFEREE_REGISTER_REQUEST") => {
            let answer: Value = serde_json::from_str(&call.answer).unwrap();
            let given = &answer["result"];
            let id = given["player_id"].as_str().or_else(|| given["referee_id"].as_str());
            id.expect("whoever registers in a recorded season is let in").to_owned()
        }
        Some("SEASON_REGISTRATION_REQUEST") => {
            let (team, role) = (&said["sender"]["logical_id"], &said["sender"]["role"]);
            let role = role.as_str().unwrap().to_lowercase();
            format!("{}.{role}", team.as_str().unwrap())
        }
        _ => return,
    };
    names.add(&format!("127.0.0.1:{}", call.caller), &own);
    names.add(&call.callee, "manager");
}
