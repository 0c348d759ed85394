//! What people type and read: short forms are understood, a command's own options come first, and
//! nobody needs to know how the program is written.

use std::path::Path;

use crate::league::{GATED, League, manager};
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
fn u10_phases_are_told_in_words() {
    let mut league = League::open(&["--choice-s", "300"]);
    let gate = league.shut_gate();
    let _agents = [
        league.member("player", &GATED),
        league.member("player", &GATED),
        league.member("referee", &[]),
    ];
    let says = |words: &[&str]| {
        let words = [words, &["--manager", &league.endpoint]].concat();
        agon(league.path(), &words).succeeded().out
    };
    assert!(says(&["pause", "--data", "data"]).contains(": accepting registrations, paused by "));
    assert!(says(&["start", "--data", "data"]).contains(": running, paused by "));
    let shown = says(&["match", "R1M1"]);
    assert!(shown.contains("no result yet: not begun"), "{shown}");
    drop(gate);
    league.close();
}

#[test]
fn u10_who_is_not_admitted_reads_words_in_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let nobody = format!("http://127.0.0.1:{}/mcp", quiet_port());
    let args = ["player", "--manager", &nobody, "--listen", "127.0.0.1:0", "--time-scale", "0.01"];
    let ended = agon(dir.path(), &args);
    assert!(ended.err.contains("done") && !ended.err.contains("NoManager"), "{}", ended.err);
}

/// Every command there is, as the longest list tells them.
fn commands(dir: &Path) -> Vec<String> {
    let all = agon(dir, &["--help"]).out;
    let list = all.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names: Vec<_> =
        list.lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect();
    assert!(names.len() > 25, "{all}");
    names.into_iter().filter(|name| name != "help").collect()
}

/// A page of `-h` fits a window of forty lines, one of `--help` is not much longer, and neither has
/// anything that is not the command's own.
#[test]
fn u10_help_begins_with_what_is_a_commands_own() {
    let dir = tempfile::tempdir().unwrap();
    let mut pages = vec![vec![]];
    pages.extend(commands(dir.path()).into_iter().map(|name| vec![name]));
    for page in &pages {
        for (help, lines_max) in [("-h", 40), ("--help", 62)] {
            let words: Vec<_> = page.iter().map(String::as_str).chain([help]).collect();
            let shown = agon(dir.path(), &words).succeeded().out;
            assert!(shown.lines().count() <= lines_max, "{}: {shown}", shown.lines().count());
            let wide = shown.lines().find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "{words:?}");
            let flags = shown.lines().filter_map(|line| line.split_whitespace().next());
            let flags: Vec<_> = flags.filter(|word| word.starts_with("--")).collect();
            for general in ["--config", "--log", "--ca", "--json", "--time-scale", "--choice-s"] {
                assert!(!flags.contains(&general), "{general} is among: {shown}");
            }
            assert!(shown.trim_end().ends_with("agon help options"), "{shown}");
        }
    }
}

#[test]
fn u10_what_every_command_takes_has_a_page_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    for words in [&["help", "options"][..], &["options"], &["options", "--help"]] {
        let shown = agon(dir.path(), words).succeeded().out;
        for flag in ["--config <FILE>", "--json ", "--time-scale <F>", "--breaker-open-s <S>"] {
            assert!(shown.contains(flag), "{flag}: {shown}");
        }
        assert!(shown.lines().count() <= 40, "{shown}");
    }
}

#[test]
fn u10_longer_help_tells_more_of_the_same_command() {
    let dir = tempfile::tempdir().unwrap();
    for (command, rare) in [
        ("player", "--dry-run"),
        ("manager", "--tls-key"),
        ("invite", "treat it as a password"),
        ("rerun", "The season waits"),
    ] {
        let [short, long] = ["-h", "--help"].map(|help| agon(dir.path(), &[command, help]).out);
        assert!(!short.contains(rare) && long.contains(rare), "{short}{long}");
        assert!(short.contains(&format!("More of it: agon {command} --help")), "{short}");
    }
}
