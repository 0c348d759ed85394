//! What a referee, a round and a player say of where they stand.

use serde_json::json;

use crate::http;
use crate::league::League;

#[test]
fn s06_a_referee_knows_how_its_match_ended_after_it_was_reported() {
    let mut league = League::open(&["--start-when", "2"]);
    let mut referee = league.agent("referee", &["--stay"]);
    let endpoint = referee.endpoint();
    league.manager.logs("referee registered");
    let players = [league.member("player", &[]), league.agent("player", &[])];
    // Both players know how it ended, and nothing more is owed.
    referee.logs("settled");
    let told = http::tool(&endpoint, "get_match_state", &json!({ "match_id": "R1M1" }));
    assert_eq!((&told["state"], &told["match_id"]), (&json!("FINISHED"), &json!("R1M1")));
    for player in players {
        player.succeed();
    }
    league.close();
}

#[test]
fn s06_a_round_is_in_progress_before_its_first_result() {
    let mut league = League::open(&["--start-when", "2"]);
    let gate = league.shut_gate();
    let mut referee = league.agent("referee", &[]);
    league.manager.logs("referee registered");
    let gated = &crate::league::GATED;
    let players = [league.member("player", gated), league.agent("player", gated)];
    referee.logs("match taken");
    let state = league.state();
    assert_eq!(
        (&state["round_phase"], &state["matches_completed"]),
        (&json!("IN_PROGRESS"), &json!(0))
    );
    drop(gate);
    for player in players {
        player.succeed();
    }
    referee.succeed();
    league.close();
}
