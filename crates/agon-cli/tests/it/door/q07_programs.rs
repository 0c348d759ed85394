//! What the author of a program is told, and what is left of it.

use std::time::Instant;

use super::teams::Teams;
use crate::mail::office::{Office, PASSWORD_ENV};
use crate::process::{PATIENCE, Process, agon};
use crate::q21::my_player;

/// Fails wherever it can, and prints.
const BROKEN: &str = "from q21_player import PlayerAI


class Broken(PlayerAI):
    def get_warmup_answer(self, ctx):
        print(\"warming up\")
        raise ValueError(\"no idea\")

    def get_questions(self, ctx):
        return {\"questions\": \"none\"}

    def get_guess(self, ctx):
        for number in range(1000):
            print(\"chatter\", number)
        return 17

    def on_score_received(self, ctx):
        raise KeyError(\"score\")
";

#[test]
fn q07_a_failing_program_is_told_once_in_lines_that_can_be_read() {
    let mut teams = Teams::open();
    teams.write("broken.py", BROKEN);
    let broken = teams.agent("player", 1, &["--ai", "broken.py"]);
    let mut others: Vec<_> = (2..=3).map(|team| teams.agent("player", team, &[])).collect();
    others.extend((1..=3).map(|team| teams.agent("referee", team, &[])));
    teams.results();
    let told = broken.succeed();
    // It has two games. Only the warm-up is not asked twice.
    let all = format!("{}{}", told.out, told.err);
    let errors = |what: &str| {
        let lines = told.out.lines().filter(|line| line.starts_with("[ERROR]"));
        lines.filter(|line| line.contains(what)).count()
    };
    assert_eq!(errors("raised ValueError: no idea"), 2, "{}", told.out);
    assert_eq!(all.matches("no idea").count(), 2, "{all}");
    assert_eq!(all.matches("on_score_received raised").count(), 2, "{all}");
    assert!(!all.contains("twice"), "{all}");
    assert!(told.err.contains("the program failed; something was sent in its place"), "{all}");
    // What it prints is shown, with where it comes from, and not without end.
    assert!(told.err.contains("broken.py: warming up"), "{}", told.err);
    assert!(told.err.contains("broken.py: chatter 7"), "{}", told.err);
    assert!(told.err.matches("chatter").count() < 500, "{}", told.err);
    assert!(told.err.contains("says more than is shown"), "{}", told.err);
    for line in told.out.lines() {
        assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
    }
    for other in others {
        let shown = other.succeed().out;
        let long = shown.lines().find(|line| line.chars().count() > 100);
        assert_eq!(long, None);
    }
}

#[test]
fn q07_a_wrong_password_is_said_in_words() {
    let office = Office::open(1);
    let mut env = Office::env();
    env.retain(|(key, _)| *key != PASSWORD_ENV);
    env.push((PASSWORD_ENV, "wrong"));
    let args = ["player", "--game", "q21", "--mail", "p1.toml", "--test-connectivity"];
    let failed = Process::agon_with(office.path(), &args, &env).exit(1);
    let line = failed.out.lines().find(|line| line.starts_with("failed  log in to read"));
    let line = line.unwrap_or_else(|| panic!("{}", failed.out));
    for rust in ["Some(", "None", "code:", "info:", "\\\""] {
        assert!(!line.contains(rust), "{line}");
    }
    assert!(line.contains("it said: ") && line.contains("uthentication failed"), "{line}");
}

#[test]
fn q07_the_longest_game_took_some_time() {
    let dir = tempfile::tempdir().unwrap();
    let demo = ["demo", "--game", "q21", "--teams", "3", "--json"];
    let season = agon(dir.path(), &demo).json();
    let (game, round) = (&season["longest_match_s"], &season["longest_round_s"]);
    assert!(game.as_f64().unwrap() > 0.0, "{game}");
    assert!(game.as_f64() <= round.as_f64(), "{game} {round}");
}

#[test]
fn q07_nothing_is_left_of_a_player_that_was_killed() {
    let teams = Teams::open();
    let folders = tempfile::tempdir().unwrap();
    let (ai, place) = (my_player("MyPlayerAI"), folders.path().to_str().unwrap().to_owned());
    let who = ["player", "--game", "q21", "--listen", "127.0.0.1:0", "--ai", &ai];
    let args = [&who[..], &["--manager", &teams.endpoint, "--json"]].concat();
    let mut player = Process::agon_with(teams.path(), &args, &[("TMPDIR", &place)]);
    player.endpoint();
    let left = || std::fs::read_dir(folders.path()).unwrap().count();
    assert_eq!(left(), 1, "its program has a folder");
    player.kill();
    let end = Instant::now() + PATIENCE;
    while left() > 0 {
        assert!(Instant::now() < end, "the folder stays");
        std::thread::yield_now();
    }
}
