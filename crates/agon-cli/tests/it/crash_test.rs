//! `agon crash-test`: a short run is clean and says what it did; a manager that acknowledges before
//! it writes is found out by the same checker.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::process::{Ended, Process, agon};

/// Where a run puts its folder; removed with the test, kept or not.
fn run(tmp: &TempDir, args: &[&str], env: &[(&str, &str)]) -> Ended {
    let tmp_dir = ("TMPDIR", tmp.path().to_str().unwrap());
    let env: Vec<_> = env.iter().copied().chain([tmp_dir]).collect();
    let args = [&["crash-test", "--json", "--players", "6", "--referees", "2"], args].concat();
    Process::agon_with(tmp.path(), &args, &env).wait()
}

#[track_caller]
fn number(figures: &Value, field: &str) -> u64 {
    figures[field].as_u64().unwrap_or_else(|| panic!("{field}: {figures}"))
}

fn entries(dir: &Path) -> usize {
    std::fs::read_dir(dir).unwrap().count()
}

#[test]
fn a_short_run_is_clean_and_has_every_figure() {
    let tmp = tempfile::tempdir().unwrap();
    let ended = run(&tmp, &["--kills", "8", "--seed", "5"], &[]);
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.out, ended.err);
    let figures = ended.json();
    assert!(number(&figures, "kills") >= 8, "{figures}");
    let (kills, recoveries) = (number(&figures, "kills"), number(&figures, "recoveries"));
    assert!(0 < recoveries && recoveries <= kills, "{figures}");
    let by_role = ["manager", "referees", "players"].map(|role| number(&figures[role], "kills"));
    assert_eq!(by_role.iter().sum::<u64>(), kills, "{figures}");
    let seasons = number(&figures, "seasons");
    assert_eq!(number(&figures, "completed"), seasons);
    assert_eq!(number(&figures, "matches"), 15 * seasons);
    assert_eq!(number(&figures, "lost"), 0);
    assert_eq!(number(&figures, "duplicated"), 0);
    assert_eq!(number(&figures, "seed"), 5);
    assert!(figures["recover_p99_ms"].as_f64().is_some_and(|time| time > 0.0), "{figures}");
    assert_eq!(entries(tmp.path()), 0, "a clean run leaves nothing behind");
}

#[test]
fn a_manager_that_acknowledges_before_it_writes_is_found_out() {
    // A run may by chance kill it only when it owes nothing, or when nobody was told anything yet.
    for seed in 1..=5 {
        let tmp = tempfile::tempdir().unwrap();
        let args = ["--kills", "60", "--seed", &seed.to_string()];
        let ended = run(&tmp, &args, &[("AGON_SABOTAGE", "ack-before-commit")]);
        let figures = ended.json();
        if number(&figures, "lost") == 0 {
            continue;
        }
        assert_eq!(ended.code, Some(1), "{figures}");
        let kept = Path::new(figures["folder"].as_str().unwrap());
        let last = format!("season-{}/manager/journal.sqlite3", number(&figures, "seasons"));
        assert!(kept.join(last).exists(), "{figures}");
        assert!(ended.err.contains(kept.to_str().unwrap()), "{}", ended.err);
        return;
    }
    panic!("five sabotaged runs lost nothing that was seen");
}

#[test]
fn a_failpoint_ends_the_process_at_its_point() {
    let dir = tempfile::tempdir().unwrap();
    // The first commit of a manager is the opening of its league.
    let args = ["manager", "--data", "data", "--listen", "127.0.0.1:0"];
    let at = |point: &str| Process::agon_with(dir.path(), &args, &[("AGON_FAILPOINT", point)]);
    let facts = || {
        let mut facts = Vec::<agon_core::LeagueFact>::new();
        let journal = agon_store::Journal::read_only(&dir.path().join("data")).unwrap();
        journal.replay(|fact| facts.push(fact)).unwrap();
        facts.len()
    };
    assert_eq!(at("before-commit:1").wait().code, None, "a signal ended it");
    assert_eq!(facts(), 0);
    assert_eq!(at("after-commit:1").wait().code, None, "a signal ended it");
    assert_eq!(facts(), 1);
    let ended = at("lunch:1").wait();
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("before-commit, after-commit"), "{}", ended.err);
}

#[test]
fn a_bad_flag_gets_a_good_error() {
    let dir = tempfile::tempdir().unwrap();
    let check = |args: &[&str], hint: &str| {
        let ended = agon(dir.path(), &[&["crash-test"], args].concat());
        assert_eq!(ended.code, Some(2), "{args:?}");
        assert!(ended.err.contains(hint), "{args:?}: {}", ended.err);
    };
    check(&["--minutes", "soon"], "say a number of minutes");
    check(&["--minutes", "0"], "above 0");
    check(&["--minutes", "1", "--kills", "5"], "cannot be used with");
    check(&["--players", "1"], "2..=64");
}
