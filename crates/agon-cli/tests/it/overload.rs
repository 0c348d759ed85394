//! A machine that stands still costs nobody a match.

use std::time::Duration;

use crate::league::{GATED, League, assert_whole};

/// Longer than a choice of 300 ms and the second by which a referee may be late.
const STANDSTILL: Duration = Duration::from_millis(2500);

#[test]
fn players_are_not_charged_for_a_limit_that_passed_while_their_referee_stood_still() {
    // The lease is so long that the referee is not taken for dead meanwhile.
    let env = [("AGON_TIMES__LEASE_S", "3000"), ("AGON_TIMES__HEARTBEAT_S", "1000")];
    let mut league = League::open_with(&["--start-when", "2", "--choice-s", "3"], &env);
    let gate = league.shut_gate();
    let mut referee = league.member("referee", &["--stay"]);
    let players = [league.member("player", &GATED), league.member("player", &GATED)];
    referee.logs("match taken");
    referee.signal("STOP");
    let meanwhile = league.manager.logs_within(STANDSTILL);
    assert!(meanwhile.iter().all(|line| line["message"] != "reassigned"), "{meanwhile:?}");
    referee.signal("CONT");

    let judged = referee.logs("judged");
    assert_eq!((&judged["attempt"], &judged["cause"]), (&1.into(), &"HOST_OVERLOADED".into()));
    let again = league.manager.logs("reassigned");
    assert_eq!((&again["attempt"], &again["cause"]), (&2.into(), &"HOST_OVERLOADED".into()));
    drop(gate);
    league.manager.logs("league completed");
    for player in players {
        player.succeed();
    }
    assert_whole(&league, 2);
    assert_eq!(league.shown("R1M1")["result"]["reason"], "PLAYED");
    league.close();
}
