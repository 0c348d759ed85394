//! Who has read the manager's journal, a backup or an export of it cannot speak in its name.

use std::path::{Path, PathBuf};
use std::time::Instant;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::http;
use crate::league::{GATED, League};
use crate::process::PATIENCE;
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

/// Everything in a file that could be a key: 64 hexadecimal digits side by side, wherever they
/// stand.
fn digits(path: &Path, found: &mut Vec<[u8; 32]>) {
    let bytes = std::fs::read(path).unwrap();
    let runs = bytes.split(|byte| !byte.is_ascii_hexdigit());
    let keys = runs.flat_map(|run| run.windows(64).step_by(64).chain(run.rchunks_exact(64)));
    let read = |key: &[u8]| blake3::Hash::from_hex(key).ok().map(<[u8; 32]>::from);
    found.extend(keys.filter_map(read));
}

/// Every file of a folder, and of those in it.
fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
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

/// None of these is a key of the manager's, and none leads to one.
#[track_caller]
fn assert_sign_nothing(keys: Vec<[u8; 32]>, agent: &str) {
    for key in keys {
        let forged = [key, *blake3::hash(&key).as_bytes(), blake3::derive_key(SIGNING, &key)];
        for key in forged {
            let answer = tell_the_end(agent, &manager_token(&key));
            assert_eq!(answer["error"]["data"]["error_code"], "E012", "{answer}");
        }
    }
}

#[test]
fn t18_backups_and_exports_sign_nothing_and_let_nobody_in() {
    let mut league = League::open(&["--start-when", "3"]);
    let invite = ["invite", "--for", "Ada", "--data", "data"];
    let code = league.ask(&invite).succeed().json()["code"].as_str().unwrap().to_owned();
    let gate = league.shut_gate();
    let mut agents = vec![league.member("referee", &["--data", "r1"])];
    for dir in ["p1", "p2", "p3"] {
        agents.push(league.member("player", &[&GATED[..], &["--data", dir]].concat()));
    }
    for agent in &mut agents {
        agent.logs("registered");
    }
    agents[0].logs("match taken");
    // One match is over, with its transcript and messages, and no other begins.
    league.operate("pause").succeed();
    drop(gate);
    league.manager.logs("result accepted");
    let kept = |fact: &Value| fact.get("MessagesKept").is_some();
    let begun = Instant::now();
    while !facts(&league.data()).iter().any(kept) {
        assert!(begun.elapsed() < PATIENCE, "no messages are handed in");
    }
    // What the agents of this season were given, and what the operator and the manager have.
    let mut secrets = vec![code];
    for file in ["operator.token", "token.key"] {
        secrets.push(std::fs::read_to_string(league.data().join(file)).unwrap().trim().to_owned());
    }
    for dir in ["r1", "p1", "p2", "p3"] {
        let mut found = Vec::new();
        facts(&league.path().join(dir)).iter().for_each(|fact| keys(fact, &mut found));
        secrets.extend(found.into_iter().map(|key| blake3::Hash::from(key).to_hex().to_string()));
    }
    assert!(secrets.len() > 5, "everybody has a token");
    league.ask_offline(&["export", "--data", "data", "--to", "results"]).succeed();
    let backup = league.path().join("backup.sqlite3");
    let journal = Connection::open(league.data().join("journal.sqlite3")).unwrap();
    journal.execute("VACUUM INTO ?1", [backup.to_str().unwrap()]).unwrap();
    let mut all = vec![backup];
    files(&league.path().join("results"), &mut all);
    assert!(all.len() > 3, "{all:?}");
    let mut found = Vec::new();
    for path in &all {
        let bytes = std::fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        for secret in &secrets {
            assert!(!text.contains(&secret.to_ascii_lowercase()), "{secret} in {path:?}");
        }
        digits(path, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    for agent in &mut agents {
        assert_sign_nothing(found.clone(), &agent.endpoint());
    }
    league.operate("resume").succeed();
    agents.into_iter().for_each(|agent| drop(agent.succeed()));
    league.close();
}

#[test]
fn t18_what_stands_in_a_journal_signs_nothing() {
    let mut league = League::open(&[]);
    let mut player = league.member("player", &["--data", "p1"]);
    let endpoint = player.endpoint();
    let mut found = Vec::new();
    facts(&league.data()).iter().for_each(|fact| keys(fact, &mut found));
    assert!(!found.is_empty(), "what proves the player stands there");
    assert_sign_nothing(found, &endpoint);
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
