//! What people type and read: short forms are understood, a command's own options come first, and
//! nobody needs to know how the program is written.

use crate::league::{League, manager};
use crate::process::{agon, quiet_port};

#[test]
fn u10_a_port_is_an_address() {
    let dir = tempfile::tempdir().unwrap();
    let [own, players] = [quiet_port(), quiet_port()];
    let (_manager, endpoint) = manager(dir.path(), &["--listen", &own.to_string()]);
    assert_eq!(endpoint, format!("http://127.0.0.1:{own}/mcp"));
    let args = ["player", "--json", "--manager", &endpoint, "--listen", &players.to_string()];
    let mut player = crate::process::Process::agon(dir.path(), &args);
    assert_eq!(player.endpoint(), format!("http://127.0.0.1:{players}/mcp"));
    let wrong = agon(dir.path(), &["player", "--listen", "eight"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("neither a port such as 8101 nor"), "{}", wrong.err);
}

#[test]
fn u10_a_match_is_found_in_small_letters_and_logs_speak_to_people() {
    let mut league = League::open(&["--start-when", "2"]);
    let agents =
        [league.member("referee", &[]), league.member("player", &[]), league.member("player", &[])];
    league.manager.logs("league completed");
    for agent in agents {
        let ended = agent.succeed();
        for word in ["::", "(\"", "Some(", "LeagueCompleted", "\"Win\"", "\"Loss\"", "\"Draw\""] {
            assert!(!ended.err.contains(word), "{word}: {}", ended.err);
        }
        assert!(ended.err.contains("\"done\""), "{}", ended.err);
    }
    assert_eq!(league.shown("r1m1")["match_id"], "R1M1");
    league.close();
}

#[test]
fn u10_who_is_not_admitted_reads_words_in_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let nobody = format!("http://127.0.0.1:{}/mcp", quiet_port());
    let args = ["player", "--manager", &nobody, "--listen", "127.0.0.1:0", "--time-scale", "0.01"];
    let ended = agon(dir.path(), &args);
    assert!(ended.err.contains("done") && !ended.err.contains("NotAdmitted"), "{}", ended.err);
}

#[test]
fn u10_help_begins_with_what_is_a_commands_own() {
    let dir = tempfile::tempdir().unwrap();
    let every = ["--config", "--log", "--log-format", "--ca", "--json"];
    for (command, own) in [
        ("manager", &["--listen", "--data", "--new", "--start-when", "--mail", "--advertise"][..]),
        ("player", &["--strategy", "--count", "--manager", "--listen", "--name", "--insecure"]),
        ("referee", &["--capacity", "--manager", "--stay"]),
        ("demo", &["--players", "--seed", "--keep"]),
        ("match", &["--manager", "--data"]),
        ("export", &["--data", "--to"]),
    ] {
        for help in ["-h", "--help"] {
            let shown = agon(dir.path(), &[command, help]).out;
            let place = |flag: &str| {
                let line = shown.lines().position(|line| {
                    let line = line.trim_start();
                    line == flag || line.starts_with(&format!("{flag} "))
                });
                line.unwrap_or_else(|| panic!("{flag} is missing: {shown}"))
            };
            let last = own.iter().map(|flag| place(flag)).max();
            let first = every.iter().map(|flag| place(flag)).min();
            assert!(last < first, "{shown}");
        }
    }
}
