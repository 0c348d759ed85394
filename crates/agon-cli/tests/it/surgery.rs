//! The operator's hand in a season: orders with a reason, written down and told.

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

use serde_json::Value;

use crate::league::{GATED, League, assert_whole};
use crate::process::Process;

/// Who orders it and why, and what proves the operator.
const ORDER: [&str; 6] = ["--reason", "a rehearsal", "--by", "alice", "--data", "data"];

#[test]
fn the_operator_voids_a_match_and_withdraws_a_player() {
    let mut league = League::open(&[]);
    let mut agents = vec![league.member("referee", &[])];
    agents.extend((0..4).map(|_| league.member("player", &[])));
    league.operate("pause").succeed();
    league.operate("start").succeed();
    let order = ORDER;
    let state = league.ask(&[&["void", "R1M1"][..], &order].concat()).succeed().json();
    assert_eq!(state["matches_completed"], 1, "{state}");
    let state = league.ask(&[&["withdraw", "P04"][..], &order].concat()).succeed().json();
    // R1M2 was P04's, so the round is over; and so is P04's match of the next one.
    assert_eq!((&state["round"], &state["matches_completed"]), (&2.into(), &3.into()), "{state}");
    let missing = league.ask(&["void", "R1M2", "--data", "data"]).exit(2);
    assert!(missing.err.contains("--reason"), "{}", missing.err);
    let unknown = league.ask(&[&["withdraw", "P09"][..], &order].concat()).exit(1);
    assert!(unknown.err.contains("P09"), "{}", unknown.err);
    league.operate("resume").succeed();
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    let reason = |id: &str| league.shown(id)["result"]["reason"].clone();
    assert_eq!(reason("R1M1"), "CANCELLED_BY_OPERATOR");
    assert_eq!(reason("R1M2"), "WITHDRAWN");
    let table = league.standings();
    let last = table.iter().find(|row| row["player_id"] == "P04").unwrap();
    assert_eq!((&last["points"], &last["losses"]), (&0.into(), &3.into()), "{last}");
    let log = exported_log(&league);
    for (kind, subject) in [("MATCH_VOIDED", "R1M1"), ("PLAYER_WITHDRAWN", "P04")] {
        let line = log.iter().find(|line| line["event_type"] == kind).unwrap();
        let details = &line["details"];
        assert!([&details["match_id"], &details["player_id"]].contains(&&subject.into()), "{line}");
        assert_eq!(details["order"]["by"], "alice");
        assert_eq!(details["order"]["reason"], "a rehearsal");
    }
    league.close();
}

fn order(league: &League, command: &[&str]) -> Process {
    league.ask(&[command, &ORDER].concat())
}

#[test]
fn a_match_that_is_played_again_counts_as_it_ended_last() {
    let mut league = League::open(&["--choice-s", "300"]);
    let gate = league.shut_gate();
    let mut agents = vec![league.member("referee", &["--capacity", "4"])];
    agents.push(league.member("player", &["--data", "one"]));
    agents.push(league.member("player", &[]));
    // R1M2 is theirs, and holds up the round.
    agents.extend((0..2).map(|_| league.member("player", &GATED)));
    order(&league, &["start"]).succeed();
    league.manager.logs("result accepted");
    let state = order(&league, &["rerun", "R1M1"]).succeed().json();
    assert_eq!((&state["changed"], &state["round"]), (&true.into(), &1.into()), "{state}");
    let ordered = league.manager.logs("match played again");
    assert_eq!((&ordered["attempt"], &ordered["by"]), (&2.into(), &"alice".into()), "{ordered}");
    let accepted = league.manager.logs("result accepted");
    assert_eq!((&accepted["match_id"], &accepted["attempt"]), (&"R1M1".into(), &2.into()));
    for (command, why) in [
        (["rerun", "R9M1"], "there is no such match"),
        (["rerun", "R2M1"], "this round is not announced yet"),
        (["void", "R9M1"], "there is no such match"),
        (["reset", "P09"], "P09 is not registered here"),
        (["reset", "REF09"], "REF09 is not registered here"),
    ] {
        let refused = order(&league, &command).exit(1);
        assert!(refused.err.contains(why), "{command:?}: {}", refused.err);
    }
    let idle = order(&league, &["rerun", "R1M2"]).succeed().json();
    assert_eq!(idle["changed"], false, "{idle}");
    drop(gate);
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    assert_whole(&league, 4);
    let shown = league.shown("R1M1");
    assert_eq!((&shown["attempt"], &shown["rerun"]["by"]), (&2.into(), &"alice".into()), "{shown}");
    let late = order(&league, &["rerun", "R1M1"]).exit(1);
    assert!(late.err.contains("the league is complete"), "{}", late.err);
    // The player that played twice knows one result, the last.
    let history = fs::read(league.path().join("one/history.json")).unwrap();
    let history: Value = serde_json::from_slice(&history).unwrap();
    let matches = history["matches"].as_array().unwrap();
    let attempts = matches.iter().filter(|one| one["match_id"] == "R1M1");
    assert_eq!(attempts.map(|one| &one["attempt"]).collect::<Vec<_>>(), [2]);
    assert_eq!(matches.len(), 3);
    league.close();
}

/// Keeps a token as its author would: for its owner only.
fn keep(league: &League, name: &str, token: &str) {
    let mut options = fs::OpenOptions::new();
    let mut file =
        options.write(true).create_new(true).mode(0o600).open(league.path().join(name)).unwrap();
    writeln!(file, "{token}").unwrap();
}

#[test]
fn an_author_who_lost_everything_comes_back_with_a_fresh_token() {
    let mut league = League::open(&[]);
    let mut agents = vec![league.member("player", &[])];
    let mut lost = [league.member("player", &[]), league.member("referee", &[])];
    order(&league, &["pause"]).succeed();
    order(&league, &["start"]).succeed();
    let paused = league.state();
    assert_eq!(paused["paused_by"]["reason"], "a rehearsal", "{paused}");
    lost.iter_mut().for_each(Process::kill);
    // Another machine, and a season that has begun: nobody is known there.
    let stranger = league.agent("player", &[]).exit(1);
    assert!(stranger.err.contains("not admitted: E019"), "{}", stranger.err);
    let mut tokens = Vec::new();
    for (id, field, role) in [("P02", "player_id", "player"), ("REF01", "referee_id", "referee")] {
        let fresh = order(&league, &["reset", id]).succeed().json();
        assert_eq!((&fresh[field], &fresh["readmitted"]), (&id.into(), &false.into()), "{fresh}");
        let token = fresh["auth_token"].as_str().unwrap().to_owned();
        keep(&league, id, &token);
        league.manager.logs(&format!("{role} reset"));
        agents.push(league.agent(role, &["--token-file", id]));
        let back = league.manager.logs(&format!("{role} registered"));
        assert_eq!(back[role], id, "{back}");
        tokens.push(token);
    }
    order(&league, &["resume"]).succeed();
    let unreadable = league.agent("player", &["--token-file", "nowhere"]).exit(2);
    assert!(unreadable.err.contains("could not read the token"), "{}", unreadable.err);
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    assert_whole(&league, 2);
    let log = exported_log(&league);
    for kind in ["PLAYER_RESET", "REFEREE_RESET", "LEAGUE_PAUSED", "LEAGUE_RESUMED"] {
        let line = log.iter().find(|line| line["event_type"] == kind).unwrap();
        let order = &line["details"]["order"];
        assert_eq!((&order["by"], &order["reason"]), (&"alice".into(), &"a rehearsal".into()));
    }
    let started = log.iter().find(|line| line["event_type"] == "SCHEDULE_CREATED").unwrap();
    assert_eq!(started["details"]["order"]["by"], "alice", "{started}");
    let data = league.data();
    league.manager.terminate();
    let ended = league.manager.succeed();
    for token in tokens {
        let secret = token.rsplit('-').next().unwrap();
        assert!(!ended.err.contains(secret), "a token is in the log");
        for entry in fs::read_dir(&data).unwrap() {
            let path = entry.unwrap().path();
            let found = fs::read(&path).unwrap();
            let clear = found.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!clear, "a token is in {}", path.display());
        }
    }
}

#[test]
fn a_token_goes_to_stdout_alone_and_what_changes_nothing_says_so() {
    let mut league = League::open(&[]);
    let _agents = [league.member("player", &[]), league.member("player", &[])];
    let say = |command: &[&str]| {
        let manager = ["--manager", &league.endpoint];
        Process::agon(league.path(), &[command, &ORDER, &manager].concat())
    };
    let reset = say(&["reset", "P01"]).succeed();
    let line = reset.out.strip_suffix('\n').unwrap();
    assert!(line.starts_with("tok-p01-") && !line.contains(char::is_whitespace), "{}", reset.out);
    assert!(reset.err.contains("shown this once") && !reset.err.contains(line), "{}", reset.err);
    assert!(say(&["pause"]).succeed().err.is_empty());
    let again = say(&["pause"]).succeed();
    assert!(again.err.contains("nothing changed: the league is paused already"), "{}", again.err);
    assert!(again.out.contains("paused by alice (a rehearsal)"), "{}", again.out);
    assert!(say(&["withdraw", "P01"]).succeed().err.is_empty());
    assert!(say(&["withdraw", "P01"]).succeed().err.contains("withdrawn already"));
    let readmitted = say(&["reset", "P01"]).succeed();
    assert!(readmitted.err.contains("may play again"), "{}", readmitted.err);
    let nobody = say(&["reset", "Q7"]).exit(2);
    assert!(nobody.err.contains("P03 or REF01"), "{}", nobody.err);
    league.close();
}

fn exported_log(league: &League) -> Vec<Value> {
    league.ask_offline(&["export", "--data", "data", "--to", "out"]).succeed();
    let folder = league.path().join("out/logs");
    let mut lines = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(path).unwrap();
            lines.extend(text.lines().filter_map(|line| serde_json::from_str(line).ok()));
        }
    }
    lines
}
