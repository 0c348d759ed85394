//! What whoever runs a node reads in its log: what keeps failing and what works again, who played
//! and who won; and nothing that is no news.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};

use super::u02_reasons::author::Author;
use super::u08_reasons::stub;
use crate::http;
use crate::league::{League, manager};
use crate::process::quiet_port;
use crate::refusals::clerk::Clerk;

#[test]
fn s08_an_accepted_result_says_who_played_and_who_won() {
    let mut league = League::open(&["--start-when", "2"]);
    let agents = ["referee", "player", "player"].map(|role| league.member(role, &[]));
    let line = league.manager.logs("result accepted");
    assert_eq!((&line["a"], &line["b"]), (&json!("P01"), &json!("P02")), "{line}");
    let winner = league.shown("R1M1")["result"]["winner"].clone();
    let winner = winner.as_str().unwrap_or("nobody");
    assert_eq!(line["winner"], winner, "{line}");
    league.manager.logs("league completed");
    agents.into_iter().for_each(|agent| drop(agent.succeed()));
    league.close();
}

#[test]
fn s08_a_match_that_there_is_not_is_no_warning() {
    let league = League::open(&[]);
    let ended = league.ask(&["match", "R9M9"]).wait();
    assert!(ended.code != Some(0), "{}", ended.out);
    league.manager.terminate();
    let ended = league.manager.succeed();
    assert!(!ended.err.contains("request refused"), "{}", ended.err);
}

#[test]
fn s08_a_report_that_keeps_failing_is_said_once_and_when_it_arrives() {
    let port = quiet_port().to_string();
    let dir = tempfile::tempdir().unwrap();
    let args = ["--start-when", "2", "--listen", &port];
    let (process, endpoint) = manager(dir.path(), &args);
    let (number, address) = (process.id(), format!("127.0.0.1:{port}"));
    let mut league = League { dir, manager: process, endpoint };
    let mut referee = league.member("referee", &["--data", "ref"]);
    // The manager dies while the first choice is on its way, so the report finds nobody.
    let dies = move |asked: &Value| {
        if asked["params"]["message_type"] == "CHOOSE_PARITY_CALL" {
            let kill = format!("kill -KILL {number} 2>/dev/null");
            let _ = std::process::Command::new("sh").args(["-c", &kill]).status();
            // It dies a moment later; until then the system still takes calls for it.
            while TcpStream::connect(&address).is_ok() {}
        }
        None
    };
    let _players = [Author::join(&league.endpoint, dies), Author::join(&league.endpoint, |_| None)];
    let waits = referee.logs("what must arrive waits, and is tried again");
    assert_eq!(waits["said"], "MATCH_RESULT_REPORT", "{waits}");
    assert_eq!(waits["match_id"], "R1M1", "{waits}");
    assert_eq!(waits["peer"], league.endpoint, "{waits}");
    assert!(waits["reason"].as_str().unwrap().contains("refused"), "{waits}");
    let alone = referee.logs("left alone for a while: its calls keep failing");
    assert_eq!(alone["peer"], league.endpoint, "{alone}");
    assert!(alone["reason"].as_str().unwrap().contains("refused"), "{alone}");
    (league.manager, league.endpoint) = manager(league.dir.path(), &args);
    let mut lines = Vec::new();
    while let Some(line) = referee.log() {
        lines.push(line["message"].as_str().unwrap_or_default().to_owned());
        let has = |text: &str| lines.iter().any(|line| line.starts_with(text));
        if has("reached again") && has("called again") {
            break;
        }
    }
    let again = lines.iter().filter(|line| line.starts_with("what must arrive waits")).count();
    assert_eq!(again, 0, "{lines:?}");
    league.manager.logs("result accepted");
    drop(referee);
    league.close();
}

#[test]
fn s08_a_player_hears_that_its_referee_is_gone() {
    let mut league = League::open(&["--start-when", "2"]);
    // It invites the first player, and says nothing more.
    let invites = |asked: &Value| {
        let params = &asked["params"];
        if params["message_type"] == "MATCH_ASSIGNMENT" {
            let mut invitation = params.clone();
            invitation["message_type"] = json!("GAME_INVITATION");
            invitation["sender"] =
                json!(format!("referee:{}", params["referee_id"].as_str().unwrap()));
            invitation["auth_token"] = params["player_A_token"].clone();
            invitation["role_in_match"] = json!("PLAYER_A");
            invitation["opponent_id"] = params["player_B_id"].clone();
            let endpoint = params["player_A_endpoint"].as_str().unwrap().to_owned();
            thread::spawn(move || http::call(&endpoint, "handle_game_invitation", &invitation));
        }
        ("result", json!({ "status": "ACCEPTED", "match_id": params["match_id"] }))
    };
    let silent = stub(invites);
    Clerk::sign_up(&league.endpoint, "referee", &silent);
    let mut player = league.member("player", &["--match-time-max-s", "5"]);
    let _other = league.member("player", &[]);
    let line = player.logs("no word from its referee any more: we leave this match to the league");
    assert_eq!(line["match_id"], "R1M1", "{line}");
    drop(player);
    league.close();
}

#[test]
fn s08_news_that_nobody_takes_is_dropped_with_a_reason() {
    let mut league = League::open(&["--start-when", "2"]);
    let listener = Arc::new(TcpListener::bind("127.0.0.1:0").unwrap());
    let gone = format!("http://{}/mcp", listener.local_addr().unwrap());
    Clerk::sign_up(&league.endpoint, "player", &gone);
    drop(listener);
    let _agents = ["referee", "player"].map(|role| league.member(role, &[]));
    let line = league.manager.logs("notice dropped");
    assert_eq!(line["peer"], gone, "{line}");
    assert_eq!(line["why"], "every try failed: it cannot be reached", "{line}");
    assert_eq!(line["said"], "ROUND_ANNOUNCEMENT", "{line}");
    league.close();
}
