//! Whoever has no place in the season is told why and leaves; whoever has one stays.

use serde_json::json;

use super::teams::{ByMail, Teams};

#[test]
fn q06_a_player_and_a_referee_whose_team_is_incomplete_leave_with_the_reason() {
    let mut teams = Teams::open();
    let player = teams.agent("player", 4, &[]);
    teams.manager.logs("player registered");
    let referee = teams.agent("referee", 5, &[]);
    teams.manager.logs("referee registered");
    let agents = (1..=3).flat_map(|team| ["player", "referee"].map(|role| (role, team)));
    let agents: Vec<_> = agents.map(|(role, team)| teams.agent(role, team, &[])).collect();
    for (left, missing) in [(player, "REFEREE"), (referee, "PLAYER")] {
        let told = left.exit(1);
        let why = format!("is not in S01: its {missing} did not register");
        assert!(told.err.contains("agon: not admitted: The team team"), "{}", told.err);
        assert!(told.err.contains(&why), "{}", told.err);
    }
    for agent in agents {
        agent.succeed();
    }
}

#[test]
fn q06_by_mail_a_player_whose_team_is_incomplete_is_told_and_waits_for_the_next_season() {
    let mut it = ByMail::admitted("player", "p1@league.test");
    it.decides("5", "rejected", "incomplete_team");
    // It stays at its mailbox: by mail there is another season.
    let told = it.agent.logs("not admitted to the season");
    assert_eq!(told["reason"], "incomplete_team", "{told}");
    it.says("BROADCAST_START_SEASON", "6", json!({ "season_id": "S02", "total_rounds": 2 }));
    assert_eq!(it.agent.logs("a season is open")["season"], "S02");
}

#[test]
fn q06_a_late_rejection_moves_no_referee_that_is_in() {
    let mut it = ByMail::admitted("referee", "r1@league.test");
    for reason in ["already_registered", "too late", ""] {
        it.decides(&format!("late {reason}"), "rejected", reason);
    }
    it.says("LEAGUE_COMPLETED", "9", json!({ "season_id": "S01", "final_standings": [] }));
    it.agent.logs("the league is complete");
    it.agent.succeed();
}
