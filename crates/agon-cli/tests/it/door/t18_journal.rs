//! Who has read the manager's journal cannot speak in its name.

use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::http;
use crate::league::League;
use crate::refusals::clerk::letter;

const LEAGUE: &str = "league_2026_even_odd";
/// As docs/protocol/README.md has it.
const SIGNING: &str = "agon league.v2 signing key";

/// Every fact of a journal, whoever else has it open.
fn facts(dir: &Path) -> Vec<Value> {
    let journal = Connection::open(dir.join("journal.sqlite3")).unwrap();
    let mut rows = journal.prepare("SELECT fact FROM facts ORDER BY seq").unwrap();
    let rows = rows.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(|text| serde_json::from_str(&text.unwrap()).unwrap()).collect()
}

/// Everything in a fact that could be a key: 32 numbers, or 64 hexadecimal digits at an end.
fn keys(fact: &Value, found: &mut Vec<[u8; 32]>) {
    match fact {
        Value::Array(parts) => {
            let bytes = parts.iter().map(|part| part.as_u64().and_then(|it| u8::try_from(it).ok()));
            let bytes: Option<Vec<u8>> = bytes.collect();
            found.extend(bytes.and_then(|it| <[u8; 32]>::try_from(it).ok()));
            parts.iter().for_each(|part| keys(part, found));
        }
        Value::Object(fields) => fields.values().for_each(|field| keys(field, found)),
        Value::String(text) => {
            let digits = text.rsplit('-').next().filter(|digits| digits.len() == 64);
            found.extend(
                digits.and_then(|it| blake3::Hash::from_hex(it).ok()).map(<[u8; 32]>::from),
            );
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The token that a manager shows, signed with that key.
fn manager_token(key: &[u8; 32]) -> String {
    let text = format!("manager{LEAGUE}");
    format!("tok-{}", blake3::keyed_hash(key, text.as_bytes()).to_hex())
}

/// Tells an agent that its season is over, as the manager would.
fn tell_the_end(agent: &str, token: &str) -> Value {
    let mut said = letter("LEAGUE_COMPLETED", "league_manager");
    said["auth_token"] = json!(token);
    said["league_id"] = json!(LEAGUE);
    said["total_rounds"] = json!(0);
    said["total_matches"] = json!(0);
    said["champion"] = json!({ "player_id": "P01", "display_name": "Nobody", "points": 0 });
    said["final_standings"] = json!([]);
    http::call(agent, "notify_league_completed", &said)
}

#[test]
fn t18_what_stands_in_a_journal_signs_nothing() {
    let mut league = League::open(&[]);
    let mut player = league.member("player", &["--data", "p1"]);
    let endpoint = player.endpoint();
    let mut found = Vec::new();
    facts(&league.data()).iter().for_each(|fact| keys(fact, &mut found));
    assert!(!found.is_empty(), "what proves the player stands there");
    for key in found {
        let forged = [key, *blake3::hash(&key).as_bytes(), blake3::derive_key(SIGNING, &key)];
        for key in forged {
            let answer = tell_the_end(&endpoint, &manager_token(&key));
            assert_eq!(answer["error"]["data"]["error_code"], "E012", "{answer}");
        }
    }
    // The player itself can compute what the manager shows, so the attack above was the right one.
    let own = facts(&league.path().join("p1"));
    let mut found = Vec::new();
    own.iter().for_each(|fact| keys(fact, &mut found));
    let [token] = found[..] else { panic!("one token: {own:?}") };
    let shown = manager_token(&blake3::derive_key(SIGNING, &token));
    let answer = tell_the_end(&endpoint, &shown);
    assert!(answer["error"].is_null(), "{answer}");
    player.succeed();
    league.close();
}
