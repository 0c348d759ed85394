//! A season of separate processes: agents come, play and go; the operator commands.

use std::fs;

use serde_json::{Value, json};

use crate::http;
use crate::league::{self, League, TERMS, assert_whole};
use crate::process::{Process, quiet_port};

/// A strategy in a line of Python: always the same word.
const STUBBORN: &str =
    "exec:python3 -c \"import sys\nfor line in sys.stdin: print('odd', flush=True)\"";

#[test]
fn seven_processes_play_a_season_and_part() {
    let mut league = League::open(&["--start-when", "4"]);
    let mut agents = vec![
        league.member("referee", &["--name", "Rhea", "--data", "rhea"]),
        league.member("referee", &["--name", "Rolf"]),
        league.member("player", &["--strategy", "random", "--data", "one"]),
        league.member("player", &["--strategy", "adaptive"]),
        league.member("player", &["--strategy", "alternate"]),
        league.member("player", &["--strategy", STUBBORN, "--name", "Stubborn"]),
    ];
    league.manager.logs("league completed");
    for agent in agents.drain(..) {
        agent.succeed();
    }
    assert_whole(&league, 4);
    let shown = league.shown("R1M1");
    assert_eq!(shown["state"], "FINISHED");
    assert_eq!(shown["result"]["reason"], "PLAYED", "{shown}");
    assert_complete(&shown["transcript"]);
    let history = fs::read(league.path().join("one/history.json")).unwrap();
    let history: Value = serde_json::from_slice(&history).unwrap();
    assert_eq!(history["matches"].as_array().unwrap().len(), 3, "{history}");
    // Whoever always says odd has never said anything else.
    for id in ["R1M2", "R2M2", "R3M1"] {
        assert_eq!(league.shown(id)["result"]["choices"]["P04"], "odd");
    }
    league.close();
}

/// Both players were invited, joined, were asked and answered; then came the number.
#[track_caller]
fn assert_complete(transcript: &Value) {
    let entries = transcript.as_array().unwrap();
    let count = |kind: &str| entries.iter().filter(|it| it["message_type"] == kind).count();
    let twice =
        ["GAME_INVITATION", "GAME_JOIN_ACK", "CHOOSE_PARITY_CALL", "CHOOSE_PARITY_RESPONSE"];
    assert!(twice.iter().all(|kind| count(kind) == 2), "{transcript}");
    assert_eq!((count("NUMBER_DRAWN"), count("VERDICT")), (1, 1), "{transcript}");
}

#[test]
fn only_the_operator_commands() {
    let mut league = League::open(&[]);
    let token = fs::read_to_string(league.data().join("operator.token")).unwrap();
    let refused = league.operate("start").exit(1);
    assert!(refused.err.contains("a season needs two players"), "{}", refused.err);
    let first = league.member("player", &[]);
    let refused = league.operate("start").exit(1);
    assert!(refused.err.contains("a season needs two players"), "{}", refused.err);
    let second = league.member("player", &[]);
    let refused = league.operate("start").exit(1);
    assert!(refused.err.contains("a season needs a referee"), "{}", refused.err);
    let wrong = format!("tok-{}", "ab".repeat(32));
    let endpoint = league.endpoint.clone();
    let args = ["start", "--json", "--manager", &endpoint];
    let refused = Process::agon_with(league.path(), &args, &[("AGON_TOKEN", &wrong)]).exit(1);
    assert!(refused.err.contains("auth_token"), "{}", refused.err);
    assert!(!refused.err.contains(&wrong), "{}", refused.err);
    league.ask(&["start", "--data", "elsewhere"]).exit(2);
    assert_eq!(league.state()["phase"], "ACCEPTING_REGISTRATIONS");
    let paused = league.operate("pause").succeed().json();
    assert_eq!(paused["paused"], true);
    let referee = league.member("referee", &[]);
    let env = [("AGON_TOKEN", token.trim())];
    let started = Process::agon_with(league.path(), &args, &env).succeed().json();
    assert_eq!((&started["phase"], &started["paused"]), (&json!("RUNNING"), &json!(true)));
    // A paused league gives nothing out, so the only match cannot have begun.
    assert_eq!(league.state()["matches_completed"], 0);
    assert_eq!(league.operate("resume").succeed().json()["paused"], false);
    league.manager.logs("league completed");
    for agent in [first, second, referee] {
        agent.succeed();
    }
    assert_whole(&league, 2);
    league.close();
}

#[test]
fn whoever_comes_late_is_told_so() {
    let mut league = League::open(&["--start-when", "2"]);
    let _referee = league.member("referee", &["--stay"]);
    let _players = [league.member("player", &["--stay"]), league.member("player", &["--stay"])];
    league.manager.logs("season started");
    let late = league.agent("player", &[]).exit(1);
    assert!(late.err.contains("not admitted: E019"), "{}", late.err);
    assert!(late.err.contains("registration is closed"), "{}", late.err);
    league.close();
}

#[test]
fn without_a_manager_an_agent_gives_up() {
    let dir = tempfile::tempdir().unwrap();
    let nobody = format!("http://127.0.0.1:{}/mcp", quiet_port());
    for role in ["player", "referee"] {
        let args = [role, "--manager", &nobody, "--listen", "127.0.0.1:0", "--time-scale", "0.01"];
        let ended = Process::agon(dir.path(), &args).exit(2);
        let reason = format!("no manager answered at {nobody} for 3 s");
        assert!(ended.err.contains(&reason), "{}", ended.err);
    }
    let ended = Process::agon(dir.path(), &["standings", "--manager", &nobody]).exit(2);
    assert!(ended.err.contains("is it running?"), "{}", ended.err);
}

#[test]
fn a_player_that_remembers_keeps_its_id() {
    let mut league = League::open(&[]);
    let _other = league.member("player", &[]);
    let mut player = league.member("player", &["--data", "mine"]);
    let before = player.logs("registered");
    assert_eq!(before["player"], "P02");
    player.kill();
    let _third = league.member("player", &[]);
    // On another port, so only its token shows who it is.
    let mut player = league.agent("player", &["--data", "mine"]);
    assert_eq!(league.manager.logs("player registered")["player"], "P02");
    assert_eq!(player.logs("registered")["player"], "P02");
    assert_eq!(league.state()["players"], 3);
    league.close();
}

#[test]
fn whoever_comes_back_after_the_end_hears_of_it() {
    let mut league = League::open(&["--start-when", "2"]);
    let mut referee = league.member("referee", &["--stay", "--data", "referee"]);
    let mut player = league.member("player", &["--stay", "--data", "player"]);
    let other = league.member("player", &[]);
    league.manager.logs("league completed");
    other.succeed();
    referee.kill();
    player.kill();
    league.agent("referee", &["--data", "referee"]).succeed();
    league.agent("player", &["--data", "player"]).succeed();
    league.close();
}

#[test]
fn whoever_wants_to_stay_stays() {
    let mut league = League::open(&["--start-when", "2"]);
    let referee = league.member("referee", &[]);
    let mut stays = league.member("player", &["--stay"]);
    let goes = league.member("player", &[]);
    let endpoint = stays.endpoint();
    league.manager.logs("league completed");
    goes.succeed();
    referee.succeed();
    let health = http::get(&endpoint, "/health");
    assert_eq!((health.status, &health.json()["role"]), (200, &json!("player")));
    stays.terminate();
    stays.succeed();
    league.close();
}

#[test]
fn nobody_listens_to_the_world_by_mistake() {
    let dir = tempfile::tempdir().unwrap();
    for role in ["manager", "referee", "player"] {
        let ended = Process::agon(dir.path(), &[role, "--listen", "0.0.0.0:0"]).exit(2);
        assert!(ended.err.contains("--insecure"), "{}", ended.err);
    }
    let args = [&["manager", "--listen", "0.0.0.0:0", "--insecure"], &TERMS[..]].concat();
    let mut manager = Process::agon(dir.path(), &args);
    assert!(manager.endpoint().starts_with("http://127.0.0.1:"));
    manager.terminate();
    manager.succeed();
}

#[test]
fn a_folder_belongs_to_one_manager_and_one_league() {
    let league = League::open(&["--league", "spring"]);
    let second = ["manager", "--data", "data", "--listen", "127.0.0.1:0"];
    Process::agon(league.path(), &second).exit(2);
    assert_eq!(league.state()["league_id"], "spring");
    let League { dir, manager, .. } = league;
    manager.terminate();
    manager.succeed();
    let other = [&second[..], &["--league", "autumn"]].concat();
    let ended = Process::agon(dir.path(), &other).exit(2);
    assert!(ended.err.contains("holds league spring, not autumn"), "{}", ended.err);
    let (manager, endpoint) = league::manager(dir.path(), &[]);
    assert_eq!(http::tool(&endpoint, "get_league_state", &json!({}))["league_id"], "spring");
    manager.terminate();
    manager.succeed();
}
