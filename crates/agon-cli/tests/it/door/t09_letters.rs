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
    write(manager, ("SEASON_REGISTRATION_REQUEST", endpoint), number)
}

/// That agent writes a letter of that kind.
fn write(manager: &str, (kind, endpoint): (&str, &str), number: u32) -> Value {
    let payload = json!({ "user_id": "team1", "participant_role": "PLAYER" });
    let mut said = letter(kind, endpoint, "PLAYER", payload);
    said["protocol"] = json!("Q21G.v1");
    said["message_id"] = json!(format!("{number}-{kind}-{endpoint}"));
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

#[test]
fn t07_a_stranger_has_nobody_called_by_letter_that_is_not_at_its_own_address() {
    for admit in ["open", "invited", "local"] {
        let field = Field::open(&["--game", "q21", "--admit", admit, "--admit-referees", "local"]);
        field.state(); // By its answer the season has opened.
        let before = written(&field.league);
        for (number, host) in (0..).zip(["127.0.0.1:6379", "localhost:22", "10.77.0.33:80"]) {
            let endpoint = format!("http://{host}/mcp");
            let wants = ["SEASON_REGISTRATION_REQUEST", "LEAGUE_REGISTER_REQUEST"];
            for kind in wants {
                let answer = field.away.enter(|| write(&field.manager, (kind, &endpoint), number));
                assert_eq!(answer["error"]["data"]["error_code"], "E014", "{admit}: {answer}");
            }
        }
        assert_eq!(written(&field.league), before, "nobody is answered, nothing is written down");
        // At its own address a stranger hears by letter what becomes of it.
        let own = format!("http://{AWAY}:9001/mcp");
        let answer = field.away.enter(|| apply(&field.manager, &own, 9));
        assert!(answer.get("error").is_none(), "{admit}: {answer}");
        assert!(written(&field.league) > before);
    }
}
