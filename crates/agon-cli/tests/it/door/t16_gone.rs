//! No attempt is spent on a referee that is known to be gone.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::http;
use crate::league::{GATED, League, assert_whole};
use crate::process::PATIENCE;

/// What the manager says when nobody can judge any more.
const ALONE: &str = "no referee left: the league waits until one registers or answers";
/// The shortest matches that may be, so that their time is soon over: after six seconds.
const SHORT: [&str; 8] =
    ["--start-when", "2", "--join-s", "1", "--choice-s", "5", "--match-time-max-s", "60"];

#[test]
fn t16_the_replacement_of_a_dead_referee_plays_the_second_attempt() {
    let mut league = League::open(&SHORT);
    let gate = league.shut_gate();
    let mut dead = league.member("referee", &[]);
    let players = [league.member("player", &GATED), league.member("player", &GATED)];
    let endpoint = dead.endpoint();
    dead.logs("match taken");
    // Its manager knows that it has it: the answer left before both players had joined.
    let of = json!({ "match_id": "R1M1" });
    let begun = Instant::now();
    while http::tool(&endpoint, "get_match_state", &of)["state"] != "COLLECTING_CHOICES" {
        assert!(begun.elapsed() < PATIENCE, "the match does not begin");
    }
    dead.kill();
    league.manager.logs(ALONE);
    // Longer than a match may take, whatever else happens.
    let lines = league.manager.logs_within(Duration::from_secs(9));
    let moved = lines.iter().find(|line| line["message"] == "reassigned");
    assert_eq!(moved, None, "nobody is there");
    drop(gate);
    let newcomer = league.member("referee", &[]);
    let moved = league.manager.logs("reassigned");
    assert_eq!((&moved["referee"], &moved["attempt"]), (&"REF02".into(), &2.into()), "{moved}");
    league.manager.logs("league completed");
    for agent in players.into_iter().chain([newcomer]) {
        agent.succeed();
    }
    assert_whole(&league, 2);
    let shown = league.shown("R1M1");
    assert_eq!((&shown["attempt"], &shown["referee_id"]), (&2.into(), &"REF02".into()), "{shown}");
    league.close();
}
