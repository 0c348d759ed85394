//! How the next season is opened: its rules, its owner, the command that is printed, and what a
//! death on the way leaves behind.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

use serde_json::{Value, json};

use super::u01_finished::{Over, end, manager, state};
use super::u01_next_season::NEW;
use crate::league::TERMS;
use crate::process::{Process, agon};

/// Runs the command until it has passed so many of its steps, and dies.
fn dies_at(over: &Over, step: u32) {
    let point = format!("before-season-step:{step}");
    let dead = Process::agon_with(over.path(), &NEW, &[("AGON_FAILPOINT", &point)]).wait();
    assert_eq!(dead.code, None, "step {step}: {}", dead.err);
}

/// A referee and two players of that manager, to the end of its season.
fn play(dir: &Path, endpoint: &str) {
    let agents = ["referee", "player", "player"].map(|role| {
        let usual = [role, "--manager", endpoint, "--listen", "127.0.0.1:0"];
        Process::agon(dir, &[&usual[..], &TERMS].concat())
    });
    agents.into_iter().for_each(|agent| drop(agent.succeed()));
}

#[test]
fn u01_a_changed_range_of_the_draw_holds_for_the_next_season() {
    let over = Over::played();
    let range = [("AGON_LEAGUE__DRAW_MIN", "11"), ("AGON_LEAGUE__DRAW_MAX", "20")];
    Process::agon_with(over.path(), &NEW, &range).succeed();
    let (second, said) = manager(over.path(), &["--start-when", "2"], &range);
    let endpoint = said["endpoint"].as_str().unwrap();
    play(over.path(), endpoint);
    let told = state(&said);
    assert_eq!((&told["phase"], told.get("disputed")), (&json!("COMPLETED"), None), "{told}");
    let shown = agon(over.path(), &["match", "R1M1", "--json", "--manager", endpoint]).json();
    let drawn = shown["result"]["drawn_number"].as_u64();
    assert!(drawn.is_some_and(|number| (11..=20).contains(&number)), "{shown}");
    end(second);
}

#[test]
fn u01_the_command_that_is_printed_starts_the_next_season() {
    let over = Over::played();
    fs::write(over.path().join("agon.toml"), "[league]\ngame = \"prisoners_dilemma\"\n").unwrap();
    let words = ["season", "new", "--data", "data", "--game", "even-odd"];
    let opened = agon(over.path(), &words).succeeded();
    let command = opened.out.lines().find_map(|line| line.strip_prefix("Next: agon ")).unwrap();
    let shown = agon(over.path(), &["status", "--data", "data"]).succeeded().out;
    assert!(shown.contains(&format!("Next: agon {command}\n")), "{shown}");
    let words: Vec<_> = command.split(' ').chain(["--listen", "127.0.0.1:0", "--json"]).collect();
    let mut second = Process::agon(over.path(), &words);
    assert_eq!(state(&second.says())["agents_expected"], 3);
    end(second);
}

#[test]
fn u01_whoever_opens_the_next_season_it_belongs_to_the_owner_of_the_last() {
    let over = Over::played();
    let data = over.path().join("data");
    // Only root can give it to somebody else. For others it is theirs before and after.
    let _ = chown(&data, Some(4711), Some(4712));
    let owner = |path: &Path| fs::metadata(path).map(|it| (it.uid(), it.gid())).unwrap();
    let before = owner(&data);
    agon(over.path(), &NEW).succeeded();
    assert_eq!(owner(&data), before);
    for entry in fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(owner(&path), before, "{}", path.display());
    }
}

#[test]
fn u01_a_death_at_any_step_leaves_one_season_or_the_other() {
    let over = Over::played();
    let place = |name: &str| over.path().join(name);
    for step in 1..=7 {
        dies_at(&over, step);
        let (mut alive, said) = manager(over.path(), &[], &[]);
        let found = state(&said);
        if step < 7 {
            assert_eq!(found["phase"], "COMPLETED", "step {step}: {found}");
            assert!(over.kept().is_empty());
            end(alive);
            continue;
        }
        alive.logs("the next season takes its place: its opening had died before that step");
        end(alive);
        assert_eq!(found["phase"], "ACCEPTING_REGISTRATIONS", "step {step}: {found}");
        assert_eq!(found["agents_expected"], 3, "{found}");
        // The season that is over is whole; it takes its place again for the last time.
        let [kept] = &over.kept()[..] else { panic!("{:?}", over.kept()) };
        fs::remove_dir_all(place("data")).unwrap();
        fs::rename(kept, place("data")).unwrap();
    }
    agon(over.path(), &[&NEW[..], &["--by", "me"]].concat()).succeeded();
    assert!(!place("data.next-season").exists());
}

/// Dies at that step, and begins a season with nobody in it: of the other nothing is left.
#[track_caller]
fn check_forgotten(step: u32, begin: impl Fn(&Over) -> (Process, Value)) {
    let over = Over::played();
    dies_at(&over, step);
    assert!(over.path().join("data.next-season").exists());
    let (fresh, said) = begin(&over);
    assert_eq!(state(&said).get("agents_expected"), None, "{}", state(&said));
    end(fresh);
    fs::remove_dir_all(over.path().join("data")).unwrap();
    let (fresh, said) = manager(over.path(), &[], &[]);
    assert_eq!(state(&said).get("agents_expected"), None, "{}", state(&said));
    end(fresh);
}

#[test]
fn u01_an_opening_that_had_died_does_not_come_to_life_later() {
    check_forgotten(6, |over| manager(over.path(), &["--new"], &[]));
    // Half made it takes no place, whatever becomes of the season before.
    check_forgotten(5, |over| {
        fs::rename(over.path().join("data"), over.path().join("elsewhere")).unwrap();
        manager(over.path(), &[], &[])
    });
}
