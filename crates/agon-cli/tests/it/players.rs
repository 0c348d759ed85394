//! Players die, come back or stay away; nobody else pays for it.

use serde_json::Value;

use crate::league::{GATED, League};
use crate::process::Process;

/// Waits for the result of that match.
fn result(league: &mut League, id: &str) -> Value {
    loop {
        let line = league.manager.logs("result accepted");
        if line["match_id"] == id {
            return line;
        }
    }
}

#[test]
fn a_player_that_is_killed_loses_its_match_and_plays_the_next_one() {
    let mut league = League::open(&["--start-when", "4", "--choice-s", "300"]);
    let gate = league.shut_gate();
    let mut referee = league.member("referee", &["--capacity", "2"]);
    let mut players: Vec<Process> = (1..4).map(|_| league.member("player", &GATED)).collect();
    let home = [&GATED[..], &["--data", "home"]].concat();
    let mut victim = league.member("player", &home);
    victim.logs("registered"); // Now it has its token on disk, and can show it after a restart.
    // P03 against P04; the other match of the round waits at the gate.
    while referee.logs("match taken")["match_id"] != "R1M2" {}
    victim.kill();
    let lost = result(&mut league, "R1M2");
    assert_eq!(lost["status"], "TECHNICAL_LOSS", "{lost}");

    players.push(league.member("player", &home));
    drop(gate);
    league.manager.logs("league completed");
    for agent in players.into_iter().chain([referee]) {
        agent.succeed();
    }
    let first = &league.shown("R1M2")["result"];
    assert_eq!((&first["winner"], &first["blame"]), (&"P03".into(), &"PLAYER_B".into()), "{first}");
    for id in ["R1M1", "R2M1", "R2M2", "R3M1", "R3M2"] {
        assert_eq!(league.shown(id)["result"]["reason"], "PLAYED", "{id}");
    }
    league.close();
}

#[test]
fn a_player_that_stays_away_from_three_matches_is_withdrawn_and_the_others_play_on() {
    let mut league = League::open(&["--start-when", "6"]);
    let referee = league.member("referee", &["--capacity", "3"]);
    let players: Vec<Process> = (1..6).map(|_| league.member("player", &[])).collect();
    let mut absent = league.member("player", &GATED);
    absent.kill();
    let gone = league.manager.logs("player withdrawn");
    assert_eq!((&gone["player"], &gone["reason"]), (&"P06".into(), &"absent".into()), "{gone}");
    league.manager.logs("league completed");
    for agent in players.into_iter().chain([referee]) {
        agent.succeed();
    }
    let table = league.standings();
    let row = |id: &str| table.iter().find(|row| row["player_id"] == id).unwrap();
    assert_eq!((&row("P06")["played"], &row("P06")["points"]), (&5.into(), &0.into()));
    assert!((1..6).all(|n| row(&format!("P0{n}"))["played"] == 5), "{table:?}");
    league.close();
}

#[test]
fn a_round_in_which_nobody_answers_ends() {
    let mut league = League::open(&["--start-when", "2"]);
    let mut players = [league.member("player", &[]), league.member("player", &[])];
    players.iter_mut().for_each(Process::kill);
    let referee = league.member("referee", &[]);
    league.manager.logs("league completed");
    referee.succeed();
    let shown = league.shown("R1M1");
    assert_eq!((&shown["result"]["status"], &shown["attempt"]), (&"CANCELLED".into(), &3.into()));
    assert!(league.standings().iter().all(|row| row["points"] == 0));
    league.close();
}
