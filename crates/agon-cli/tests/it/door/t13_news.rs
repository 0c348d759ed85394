//! Whoever played hears how it ended, wherever the referee dies.

use crate::league::{League, TERMS};
use crate::process::Process;

use super::u02_reasons::author::Author;

/// A match whose referee dies at this commit and comes back. Says whether it did die.
fn told_in_spite_of(failpoint: &str) -> bool {
    let league = League::open(&["--start-when", "2"]);
    let usual = ["referee", "--manager", &league.endpoint, "--listen", "127.0.0.1:0"];
    let args = [&usual[..], &TERMS, &["--data", "ref"]].concat();
    let doomed = Process::agon_with(league.path(), &args, &[("AGON_FAILPOINT", failpoint)]);
    let players = [(); 2].map(|()| Author::join(&league.endpoint, |_| None));
    let died = doomed.wait().code.is_none();
    let again = died.then(|| Process::agon(league.path(), &args));
    let [over, same] = players.map(|player| {
        let last = player.whole_match().pop().unwrap();
        (last["match_id"].clone(), last["game_result"]["winner_player_id"].clone())
    });
    assert_eq!(over, same, "{failpoint}");
    again.into_iter().for_each(|referee| drop(referee.succeed()));
    let shown = league.shown("R1M1");
    assert_eq!((&shown["match_id"], &shown["result"]["winner"]), (&over.0, &over.1), "{shown}");
    league.close();
    died
}

#[test]
fn t13_game_over_is_told_although_the_referee_died_at_any_commit() {
    let died = (3..).take_while(|number| {
        let after = told_in_spite_of(&format!("after-commit:{number}"));
        told_in_spite_of(&format!("before-commit:{number}")) && after
    });
    assert!(died.count() >= 3, "among them the report, its answer and the end");
}
