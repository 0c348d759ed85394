//! The rules of a league: those of the configuration when it opens, and who changes them later is
//! told that nothing comes of it.

use std::fs;
use std::path::Path;

use crate::league;
use crate::process::{Ended, Process, agon};

const CHANGED: &str = "a rule was changed; the league keeps the old one";

/// A manager that is started there with that configuration, and stopped at once.
fn start(dir: &Path, toml: &str, args: &[&str]) -> Ended {
    fs::write(dir.join("agon.toml"), toml).unwrap();
    let (manager, _) = league::manager(dir, args);
    manager.terminate();
    manager.succeed()
}

/// The rules that it said are other ones now.
fn changed(ended: &Ended) -> Vec<String> {
    let lines = ended.err.lines().map(serde_json::from_str::<serde_json::Value>);
    let lines = lines.map(Result::unwrap).filter(|line| line["message"] == CHANGED);
    lines.map(|line| line["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn u07_rules_that_were_changed_too_late_are_named_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let rules = "[league]\nwin_points = 3\nattempts_max = 3\n";
    assert_eq!(changed(&start(dir.path(), rules, &[])), [""; 0]);
    assert_eq!(changed(&start(dir.path(), rules, &[])), [""; 0]);
    let other = "[league]\nwin_points = 5\nattempts_max = 2\n";
    let ended = start(dir.path(), other, &[]);
    assert_eq!(changed(&ended), ["attempts_max", "scoring"], "{}", ended.err);
    assert!(ended.err.contains("win = 3") && ended.err.contains("win = 5"), "{}", ended.err);
    assert_eq!(changed(&start(dir.path(), rules, &[])), [""; 0]);
}

#[test]
fn u07_another_season_in_a_folder_has_no_other_rules() {
    let dir = tempfile::tempdir().unwrap();
    let season = ["demo", "--game", "q21", "--teams", "3", "--data", "data", "--json"];
    assert_eq!(agon(dir.path(), &season).code, Some(0));
    for more in [&["--game", "q21", "--new"][..], &["--game", "q21"]] {
        assert_eq!(changed(&start(dir.path(), "", more)), [""; 0]);
    }
    let rounds = start(dir.path(), "[letters]\nrounds = 2\n", &["--game", "q21"]);
    assert_eq!(changed(&rounds), ["seasons"], "{}", rounds.err);
}

#[test]
fn u07_draws_may_break_a_tie() {
    let dir = tempfile::tempdir().unwrap();
    let ended = start(dir.path(), "[league]\ntie_breakers = [\"points\", \"draws\"]\n", &[]);
    assert_eq!(changed(&ended), [""; 0]);
    let wrong = "[league]\ntie_breakers = [\"points\", \"luck\"]\n";
    fs::write(dir.path().join("agon.toml"), wrong).unwrap();
    let refused = Process::agon(dir.path(), &["manager", "--listen", "127.0.0.1:0"]).exit(2);
    assert!(refused.err.contains("`draws`"), "{}", refused.err);
}
