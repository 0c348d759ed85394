//! An agent that is in fills no journal with letters, and nobody does so in its name.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::post::letter;
use crate::field::{AWAY, Field};
use crate::http;
use crate::league::League;

/// How much the manager has written down.
fn written(league: &League) -> i64 {
    let journal = Connection::open(league.data().join("journal.sqlite3")).unwrap();
    journal.query_row("SELECT COUNT(*) FROM facts", [], |row| row.get(0)).unwrap()
}

/// That agent asks to be let in, in words of its own each time.
fn apply(manager: &str, endpoint: &str, number: u32) -> Value {
    let payload = json!({ "user_id": "team1", "participant_role": "PLAYER" });
    let mut said = letter("SEASON_REGISTRATION_REQUEST", endpoint, "PLAYER", payload);
    said["protocol"] = json!("Q21G.v1");
    said["message_id"] = json!(format!("{number}-{endpoint}"));
    let body = json!({ "jsonrpc": "2.0", "method": "deliver_letter", "params": said, "id": 7 });
    http::post(manager, &body.to_string()).json()
}

#[test]
fn t09_an_agent_that_is_in_fills_no_journal_with_letters() {
    let field = Field::open(&["--game", "q21", "--admit", "open"]);
    let own = format!("http://{AWAY}:9001/mcp");
    let apply = |number| field.away.enter(|| apply(&field.manager, &own, number));
    let first = apply(0);
    assert!(first.get("error").is_none(), "{first}");
    assert_eq!(field.state()["players"], 1);
    let refused = (1..200).filter(|number| apply(*number).get("error").is_some()).count();
    assert!(refused >= 100, "{refused}");
    let before = written(&field.league);
    assert_eq!(apply(200)["error"]["data"]["error_code"], "E010");
    assert_eq!(written(&field.league), before, "nothing more is written down");
}

#[test]
fn t09_nobody_has_an_agent_answered_that_has_not_asked() {
    let field = Field::open(&["--game", "q21", "--admit", "open"]);
    // It is on the manager's machine, and a stranger asks in its name.
    let own = "http://127.0.0.1:9001/mcp";
    field.home.enter(|| apply(&field.league.endpoint, own, 0));
    assert_eq!(field.state()["players"], 1);
    let before = written(&field.league);
    for number in 1..20 {
        let answer = field.away.enter(|| apply(&field.manager, own, number));
        assert!(answer.get("error").is_some(), "{answer}");
    }
    assert_eq!(written(&field.league), before);
}
