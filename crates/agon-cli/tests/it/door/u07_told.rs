//! Who is taken out of a league, or given another token, hears so and why: our agents say it and
//! end, and a foreign one is told in a message that it knows.

use std::io::{BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use serde_json::{Value, json};

use crate::league::{GATED, League};
use crate::process::{Ended, PATIENCE};
use crate::refusals::clerk::{Clerk, request};

/// Gives an order about that agent.
fn order(league: &League, order: &str, id: &str) {
    let why = ["--reason", "she asked for it", "--data", "data"];
    league.ask(&[&[order, id], &why[..]].concat()).succeed();
}

#[track_caller]
fn assert_told(ended: &Ended, words: &[&str]) {
    for word in ["no longer in this league", "she asked for it"].iter().chain(words) {
        assert!(ended.err.contains(word), "{word:?} is missing in: {}", ended.err);
    }
}

#[test]
fn u07_an_agent_that_is_removed_or_reset_says_so_and_ends() {
    let mut league = League::open(&[]);
    let removed = league.member("player", &[]);
    let reset = league.member("player", &[]);
    let referee = league.member("referee", &[]);
    let waiting = league.member("referee", &[]);
    order(&league, "remove", "P01");
    assert_told(&removed.exit(1), &["the operator has taken this agent out of the league"]);
    order(&league, "reset", "P02");
    assert_told(&reset.exit(1), &["the operator has reset this agent", "--token-file"]);
    order(&league, "reset", "REF01");
    assert_told(&referee.exit(1), &["the operator has reset this agent", "--token-file"]);
    order(&league, "remove", "REF02");
    assert_told(&waiting.exit(1), &["the operator has taken this agent out of the league"]);
    league.close();
}

#[test]
fn u07_a_player_that_is_withdrawn_says_so_and_hears_how_the_season_ends() {
    let mut league = League::open(&["--start-when", "3", "--choice-s", "300"]);
    let gate = league.shut_gate();
    let mut withdrawn = league.member("player", &GATED);
    let others = [league.member("player", &GATED), league.member("player", &GATED)];
    let mut referee = league.member("referee", &[]);
    referee.logs("match taken");
    order(&league, "withdraw", "P01");
    let said = withdrawn.logs("we were withdrawn: what is left of our season is lost by forfeit");
    assert_eq!((&said["level"], &said["reason"]), (&json!("WARN"), &json!("she asked for it")));
    drop(gate);
    league.manager.logs("league completed");
    withdrawn.succeed();
    referee.succeed();
    for other in others {
        let ended = other.succeed();
        assert!(!ended.err.contains("we were withdrawn"), "{}", ended.err);
    }
    league.close();
}

/// Takes every call with a receipt, and hands it on.
fn listen(stream: &TcpStream, heard: &Sender<Value>) {
    let mut reader = BufReader::new(stream);
    while let Some(body) = request(&mut reader) {
        let said: Value = serde_json::from_slice(&body).unwrap();
        let answer = json!({ "jsonrpc": "2.0", "result": { "status": "ok" }, "id": said["id"] });
        let answer = answer.to_string();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
        let answer = format!("{head}Content-Length: {}\r\n\r\n{answer}", answer.len());
        let mut stream = stream;
        if stream.write_all(answer.as_bytes()).is_err() || heard.send(said).is_err() {
            return;
        }
    }
}

/// A foreign player of that league, and all that it hears.
fn foreign(league: &League) -> Receiver<Value> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (tell, heard) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let tell = tell.clone();
            thread::spawn(move || listen(&stream.unwrap(), &tell));
        }
    });
    Clerk::sign_up(&league.endpoint, "player", &endpoint);
    heard
}

#[test]
fn u07_a_foreign_agent_is_told_in_a_message_of_the_course() {
    let league = League::open(&[]);
    for (given, word) in [("remove", "taken this agent out"), ("reset", "reset this agent")] {
        let heard = foreign(&league);
        let id = if given == "remove" { "P01" } else { "P02" };
        order(&league, given, id);
        // The manager may try in between whether it can be called.
        let said = loop {
            let said = heard.recv_timeout(PATIENCE).unwrap();
            if said["method"] != "ping" {
                break said;
            }
        };
        let error = &said["params"];
        assert_eq!(error["message_type"], "LEAGUE_ERROR", "{said}");
        assert_eq!(error["error_code"], "E012", "{said}");
        assert_eq!(error["sender"], "league_manager", "{said}");
        let problem = error["problem"].as_str().unwrap();
        assert!(problem.contains(word) && problem.contains("she asked for it"), "{problem}");
        assert!(!said.to_string().contains("provided_token"), "{said}");
    }
    league.close();
}
