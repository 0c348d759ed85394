//! The same by letters: a real Q21 referee by call, whose reports are changed on their way.

use std::io::{BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;

use serde_json::{Value, json};

use super::log_of;
use crate::http;
use crate::process::{Process, agon};
use crate::refusals::clerk;

/// How long a round may last if somebody's report does not count.
const ROUND_S: (&str, &str) = ("AGON_Q21__ROUND_MAX_S", "20");

/// What is done to the rows of a report.
type Change = fn(&mut Value);

/// Stands between a referee and its manager, and changes the scores of every result.
fn between(manager: &str, change: Change) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/mcp", listener.local_addr().unwrap());
    let manager = manager.to_owned();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let manager = manager.clone();
            thread::spawn(move || pass_on(&stream.unwrap(), &manager, change));
        }
    });
    endpoint
}

fn pass_on(stream: &TcpStream, manager: &str, change: Change) {
    let mut reader = BufReader::new(stream);
    while let Some(body) = clerk::request(&mut reader) {
        let mut asked: Value = serde_json::from_slice(&body).unwrap();
        if asked["params"]["message_type"] == "MATCH_RESULT_REPORT" {
            change(&mut asked["params"]["payload"]);
        }
        let answer = http::post(manager, &asked.to_string());
        let head = format!("HTTP/1.1 {} -\r\nContent-Type: application/json\r\n", answer.status);
        let length = answer.body.len();
        let answer = format!("{head}Content-Length: {length}\r\n\r\n{}", answer.body);
        let mut writer = stream;
        if writer.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Three teams by call; what the first team's referee reports is changed. The manager's log.
fn season(dir: &Path, change: Change) -> (Process, String, Vec<Value>) {
    let listen = ["manager", "--game", "q21", "--listen", "127.0.0.1:0", "--start-when", "3"];
    let talk = ["--json", "--log-format", "json"];
    let mut manager = Process::agon_with(dir, &[&listen[..], &talk[..]].concat(), &[ROUND_S]);
    let endpoint = manager.endpoint();
    let changed = between(&endpoint, change);
    let agent = |role: &str, team: u32| {
        let group = format!("team{team:04}");
        let through = if (role, team) == ("referee", 1) { &changed } else { &endpoint };
        let who = [role, "--game", "q21", "--group", &group, "--name", &group];
        let place = ["--listen", "127.0.0.1:0", "--manager", through];
        Process::agon(dir, &[&who[..], &place].concat())
    };
    let _agents: Vec<_> =
        (1..=3).flat_map(|team| [agent("player", team), agent("referee", team)]).collect();
    let mut lines = Vec::new();
    loop {
        let line = manager.log().expect("the manager lives until the league is complete");
        let over = line["message"] == "league completed";
        lines.push(line);
        if over {
            return (manager, endpoint, lines);
        }
    }
}

/// The lines that say this.
fn said<'a>(lines: &'a [Value], message: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["message"] == message).collect()
}

#[test]
fn t02_q21_points_that_do_not_follow_from_the_scores_are_refused_and_the_season_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let (_manager, endpoint, lines) = season(dir.path(), |payload| {
        for row in payload["scores"].as_array_mut().unwrap() {
            row["private_score"] = json!(20.0);
            (row["league_points"], row["league_score"]) = (json!(3), json!(3));
        }
    });
    let disputed = said(&lines, "result disputed");
    assert_eq!(disputed.len(), 1, "{lines:?}");
    let why = disputed[0]["contradiction"].as_str().unwrap();
    assert!(["league_points", "3", "20.00"].iter().all(|it| why.contains(it)), "{why}");
    let results = said(&lines, "result accepted");
    assert_eq!(results.len(), 3);
    let lost: Vec<_> = results.iter().filter(|line| line["cause"] == "REFEREE_LOST").collect();
    assert_eq!(lost.len(), 1, "the one that did not count: {results:?}");
    assert!(results.iter().all(|line| line["verified"] == true), "{results:?}");
    let id = lost[0]["match_id"].as_str().unwrap();
    let shown = agon(dir.path(), &["match", id, "--manager", &endpoint, "--json"]).json();
    assert_eq!(shown["contradictions"][0]["contradiction"], why, "{shown}");
    let exported = agon(dir.path(), &["export", "--data", "agon-data", "--to", "out", "--json"]);
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    let log = log_of(&dir.path().join("out"));
    let dispute = log.iter().find(|line| line["event_type"] == "MATCH_RESULT_DISPUTED").unwrap();
    assert_eq!(dispute["details"]["contradiction"], why);
}

#[test]
fn t02_q21_a_winner_that_the_scores_do_not_make_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (_manager, _, lines) = season(dir.path(), |payload| {
        let rows = payload["scores"].as_array_mut().unwrap();
        for (row, score) in rows.iter_mut().zip([20.0, 90.0]) {
            row["private_score"] = json!(score);
            let points = if score > 85.0 { 3 } else { 0 };
            (row["league_points"], row["league_score"]) = (json!(points), json!(points));
        }
        let loser = rows[0]["participant_id"].clone();
        (payload["winner_id"], payload["is_draw"]) = (loser, json!(false));
    });
    let disputed = said(&lines, "result disputed");
    assert_eq!(disputed.len(), 1, "{lines:?}");
    let why = disputed[0]["contradiction"].as_str().unwrap();
    assert!(["winner_id", "20.00", "90.00"].iter().all(|it| why.contains(it)), "{why}");
}

#[test]
fn t02_q21_a_report_without_scores_is_taken_and_marked() {
    let dir = tempfile::tempdir().unwrap();
    let (_manager, endpoint, lines) = season(dir.path(), |payload| {
        for row in payload["scores"].as_array_mut().unwrap() {
            let row = row.as_object_mut().unwrap();
            row.retain(|name, _| {
                !["private_score", "league_points", "league_score"].contains(&&**name)
            });
        }
        (payload["winner_id"], payload["is_draw"]) = (Value::Null, json!(false));
    });
    assert_eq!(said(&lines, "result disputed"), Vec::<&Value>::new());
    let results = said(&lines, "result accepted");
    let marked: Vec<_> = results.iter().filter(|line| line["verified"] == false).collect();
    assert_eq!((results.len(), marked.len()), (3, 1), "{results:?}");
    let id = marked[0]["match_id"].as_str().unwrap();
    let shown = agon(dir.path(), &["match", id, "--manager", &endpoint, "--json"]).json();
    assert_eq!(shown["result"]["unverified"], true, "{shown}");
}
