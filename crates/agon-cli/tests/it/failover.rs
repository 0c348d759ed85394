//! Referees die, freeze and come back; the season goes on with whoever is there.

use std::fs::File;

use crate::league::{GATED, League, assert_whole};
use crate::process::Process;

/// What the manager says when nobody can judge any more.
const ALONE: &str = "no referee left: the league waits until one registers or answers";
const BACK: &str = "a referee is back: the league goes on";
/// Time enough to think while others freeze and thaw.
const PATIENT: [&str; 2] = ["--choice-s", "300"];

/// A league, and its gate, which stays shut as long as the file is open.
fn gated(args: &[&str]) -> (League, File) {
    let league = League::open(&[args, &PATIENT].concat());
    let gate = league.shut_gate();
    (league, gate)
}

#[test]
fn a_referee_that_freezes_loses_its_match_and_its_late_report_is_refused() {
    let (mut league, gate) = gated(&["--start-when", "2"]);
    let mut frozen = league.member("referee", &["--stay"]);
    let mut other = league.member("referee", &["--stay"]);
    let players = [league.member("player", &GATED), league.member("player", &GATED)];
    frozen.logs("match taken");
    frozen.signal("STOP");
    let moved = league.manager.logs("reassigned");
    assert_eq!((&moved["match_id"], &moved["referee"]), (&"R1M1".into(), &"REF02".into()));
    assert_eq!(moved["cause"], "REFEREE_LOST");
    other.logs("match taken");
    frozen.signal("CONT");
    let refused = league.manager.logs("request refused");
    assert_eq!(refused["code"], "E008", "{refused}");
    drop(gate);
    league.manager.logs("league completed");
    for player in players {
        player.succeed();
    }
    assert_whole(&league, 2);
    let shown = league.shown("R1M1");
    assert_eq!((&shown["attempt"], &shown["referee_id"]), (&2.into(), &"REF02".into()), "{shown}");
    assert_eq!(shown["result"]["reason"], "PLAYED");
    league.close();
}

fn crew(league: &mut League, referees: usize) -> Vec<Process> {
    let args = ["--capacity", "2"];
    (0..referees).map(|_| league.member("referee", &args)).collect()
}

fn guests(league: &mut League, players: usize) -> Vec<Process> {
    (0..players).map(|_| league.member("player", &[])).collect()
}

#[test]
fn when_all_referees_but_one_are_killed_the_season_completes() {
    let mut league = League::open(&["--start-when", "8"]);
    let mut referees = crew(&mut league, 4);
    let players = guests(&mut league, 8);
    league.manager.logs("result accepted");
    for referee in &mut referees[1..] {
        referee.kill();
    }
    league.manager.logs("league completed");
    for agent in players.into_iter().chain(referees.into_iter().take(1)) {
        agent.succeed();
    }
    assert_whole(&league, 8);
    league.close();
}

#[test]
fn when_all_referees_are_killed_the_season_waits_for_a_new_one() {
    let mut league = League::open(&["--start-when", "6"]);
    let mut referees = crew(&mut league, 2);
    let players = guests(&mut league, 6);
    league.manager.logs("result accepted");
    for referee in &mut referees {
        referee.kill();
    }
    let waits = league.manager.logs(ALONE);
    assert_eq!(waits["level"], "WARN", "{waits}");
    assert_eq!(league.state()["waiting_for_referee"], true);
    let newcomer = league.member("referee", &["--capacity", "3"]);
    while league.manager.log().unwrap()["message"] != BACK {}
    assert_eq!(league.state().get("waiting_for_referee"), None);
    league.manager.logs("league completed");
    for agent in players.into_iter().chain([newcomer]) {
        agent.succeed();
    }
    assert_whole(&league, 6);
    league.close();
}
