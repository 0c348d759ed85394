//! A player that comes back in the middle of a round, and lives or does not.

use std::net::TcpListener;
use std::time::Duration;

use serde_json::json;

use super::listener::{Character, Listener};
use super::order::Heard;
use crate::http;
use crate::league::{GATED, League};
use crate::process::Process;
use crate::refusals::clerk::{Clerk, registration};

/// Three players of ours and another one, whose match waits: the only referee has room for one, and
/// that one stands still as long as the gate is shut.
fn waiting<T>(
    notice_s: &str,
    join: impl FnOnce(&str) -> T,
) -> (League, Vec<Process>, T, std::fs::File) {
    let args = ["--start-when", "4", "--match-time-max-s", "3000"];
    let mut league = League::open_with(&args, &[("AGON_TIMES__NOTICE_S", notice_s)]);
    let gate = league.shut_gate();
    let mut agents = vec![league.member("referee", &["--capacity", "1"])];
    agents.extend((0..3).map(|_| league.member("player", &GATED)));
    let other = join(&league.endpoint);
    league.manager.logs("round announced");
    assert_eq!(agents[0].logs("match taken")["match_id"], "R1M1");
    (league, agents, other, gate)
}

/// It has forgotten everything, and is where it was.
fn comes_again(league: &League, clerk: &Clerk) {
    let (method, mut params) = registration("player", &clerk.endpoint);
    params["conversation_id"] = json!("conv-again");
    let answer = http::call(&league.endpoint, method, &params);
    assert_eq!(answer["result"]["player_id"], "P04", "{answer}");
}

/// Whether the manager has heard that P04 took what it was told.
fn has_taken_something(league: &League) -> bool {
    let shown = league.operate("agents").succeed().json();
    let mut agents = shown["agents"].as_array().unwrap().iter();
    agents.any(|it| it["player_id"] == "P04" && it["last_contact"].is_string())
}

#[test]
fn s01_a_player_that_comes_back_hears_of_the_round_before_its_match() {
    let pace = Character::Slow(Duration::from_millis(500));
    let (league, _agents, player, gate) =
        waiting("100", |manager| Listener::join(manager, "player", pace));
    player.takes("ROUND_ANNOUNCEMENT");
    while !has_taken_something(&league) {}
    comes_again(&league, &player.clerk);
    drop(gate);
    player.takes("GAME_INVITATION");
    let heard: Vec<_> = player.heard().iter().map(Heard::to_string).collect();
    let told = ["ROUND_ANNOUNCEMENT 1", "ROUND_ANNOUNCEMENT 1", "GAME_INVITATION 1"];
    assert_eq!(heard[..3], told);
}

#[test]
fn s01_nobody_waits_for_a_player_that_comes_back_and_says_nothing() {
    // Whoever calls there is never answered.
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("http://{}/mcp", mute.local_addr().unwrap());
    let (league, mut agents, player, gate) =
        waiting("10", |manager| Clerk::sign_up(manager, "player", &at));
    comes_again(&league, &player);
    drop(gate);
    assert_eq!(agents[0].logs("match taken")["match_id"], "R1M2");
    let judged = loop {
        let judged = agents[0].logs("judged");
        if judged["match_id"] == "R1M2" {
            break judged;
        }
    };
    assert_eq!(judged["cause"], "NO_SHOW", "{judged}");
}
