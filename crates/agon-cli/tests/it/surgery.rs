//! The operator's hand in a season: orders with a reason, written down and told.

use std::fs;

use serde_json::Value;

use crate::league::League;

#[test]
fn the_operator_voids_a_match_and_withdraws_a_player() {
    let mut league = League::open(&[]);
    let mut agents = vec![league.member("referee", &[])];
    agents.extend((0..4).map(|_| league.member("player", &[])));
    league.operate("pause").succeed();
    league.operate("start").succeed();
    let order = ["--reason", "a rehearsal", "--by", "alice", "--data", "data"];
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
