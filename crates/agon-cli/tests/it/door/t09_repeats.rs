//! A registration that is said again and again is written down once.

use rusqlite::Connection;

use crate::http;
use crate::league::League;
use crate::refusals::clerk::registration;

/// How much the manager has written down.
fn written(league: &League) -> i64 {
    let journal = Connection::open(league.data().join("journal.sqlite3")).unwrap();
    journal.query_row("SELECT COUNT(*) FROM facts", [], |row| row.get(0)).unwrap()
}

#[test]
fn t09_an_identical_repeat_writes_nothing() {
    let league = League::open(&[]);
    for (role, endpoint) in
        [("player", "http://127.0.0.1:901/mcp"), ("referee", "http://127.0.0.1:902/mcp")]
    {
        let (method, params) = registration(role, endpoint);
        let before = written(&league);
        let first = http::call(&league.endpoint, method, &params);
        assert_eq!(first["result"]["status"], "ACCEPTED", "{first}");
        let after = written(&league);
        assert!(after > before);
        for _ in 0..200 {
            let again = http::call(&league.endpoint, method, &params);
            assert_eq!(again["result"]["auth_token"], first["result"]["auth_token"], "{again}");
        }
        assert_eq!(written(&league), after);
    }
    league.close();
}

#[test]
fn t09_whoever_registers_without_end_is_stopped() {
    let league = League::open(&[]);
    let (method, mut params) = registration("player", "http://127.0.0.1:901/mcp");
    let mut refused = 0;
    for number in 0..200 {
        params["conversation_id"] = format!("conv-{number}").into();
        let answer = http::call(&league.endpoint, method, &params);
        let is_refused = answer["result"]["status"] == "REJECTED";
        if is_refused {
            assert!(answer["result"]["reason"].as_str().unwrap().starts_with("E010"), "{answer}");
        }
        refused += usize::from(is_refused);
    }
    assert!(refused >= 100, "{refused}");
    let after = written(&league);
    params["conversation_id"] = "conv-once-more".into();
    http::call(&league.endpoint, method, &params);
    assert_eq!(written(&league), after, "nothing more is written down");
    league.close();
}
