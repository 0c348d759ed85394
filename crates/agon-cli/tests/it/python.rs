//! The example player in Python, as its readme starts it.

use std::path::PathBuf;

use crate::league::{League, assert_whole};
use crate::process::Process;

/// A file of the examples.
pub(crate) fn example(name: &str) -> String {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    examples.join(name).canonicalize().unwrap().to_str().unwrap().to_owned()
}

fn player(league: &League, name: &str) -> Process {
    script(league, "player.py", name)
}

fn script(league: &League, file: &str, name: &str) -> Process {
    let args = [&example(file), &league.endpoint, "0", name];
    Process::start("python3", league.path(), &args, &[])
}

#[test]
fn players_in_python_and_our_own_play_a_season() {
    let mut league = League::open(&["--start-when", "4"]);
    let mut agents = vec![league.member("referee", &[])];
    for name in ["Snake", "Python Ünïcode \"quoted\""] {
        agents.push(player(&league, name));
        assert_eq!(league.manager.logs("player registered")["name"], name);
    }
    agents.push(script(&league, "smallest_player.py", "Tiny"));
    assert_eq!(league.manager.logs("player registered")["name"], "Tiny");
    agents.push(league.member("player", &["--strategy", "adaptive"]));
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    assert_whole(&league, 4);
    for id in ["R1M1", "R1M2", "R2M1", "R2M2", "R3M1", "R3M2"] {
        assert_eq!(league.shown(id)["result"]["reason"], "PLAYED");
    }
    league.close();
}

#[test]
fn a_late_player_in_python_hears_why() {
    let mut league = League::open(&["--start-when", "2"]);
    let _referee = league.member("referee", &["--stay"]);
    let _players = [league.member("player", &["--stay"]), league.member("player", &["--stay"])];
    league.manager.logs("season started");
    let late = player(&league, "Late").exit(1);
    assert!(late.err.contains("not admitted: E019"), "{}", late.err);
    league.close();
}
