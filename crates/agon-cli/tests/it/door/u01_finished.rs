//! A folder with a finished season: it says so, it does not pass for a new one, and nothing of it
//! is lost when another one begins.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http;
use crate::league::{self, League, TERMS, assert_whole};
use crate::process::{Process, agon};

pub(super) const MANAGER: [&str; 5] = ["manager", "--data", "data", "--listen", "127.0.0.1:0"];

/// A league of two whose season is over, and whose manager was stopped.
pub(super) struct Over {
    dir: TempDir,
    champion: String,
    /// The line of the journal's end, as the manager logged it.
    table: Vec<Value>,
}

impl Over {
    pub(super) fn played() -> Self {
        Self::of(League::open(&["--start-when", "2"]))
    }

    fn of(mut league: League) -> Self {
        let agents = [
            league.member("referee", &[]),
            league.member("player", &["--name", "Ada"]),
            league.member("player", &["--name", "Ada"]),
        ];
        let champion = league.manager.logs("league completed")["champion"].clone();
        agents.into_iter().for_each(|agent| drop(agent.succeed()));
        assert_whole(&league, 2);
        let table = league.standings();
        let League { dir, manager, .. } = league;
        manager.terminate();
        manager.succeed();
        Self { dir, champion: champion.as_str().unwrap().to_owned(), table }
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Everything that `--new` has put aside, oldest season first.
    pub(super) fn kept(&self) -> Vec<PathBuf> {
        kept(self.path())
    }

    /// Everything that a manager must say of that season.
    #[track_caller]
    pub(super) fn assert_told(&self, said: &str) {
        for word in [&format!("Ada ({})", self.champion), "1 match", "--new", "--data"] {
            assert!(said.contains(word), "{word} is missing in: {said}");
        }
        assert!(said.contains("T") && said.contains("Z"), "a time is missing in: {said}");
    }
}

fn kept(dir: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut kept: Vec<_> = folders.filter(|path| name(path).starts_with("data-")).collect();
    kept.sort();
    kept
}

/// The first object that a manager prints, and the manager.
pub(super) fn manager(dir: &Path, more: &[&str], env: &[(&str, &str)]) -> (Process, Value) {
    let mut manager = Process::agon_with(dir, &[&MANAGER[..], &TERMS, more].concat(), env);
    let said = manager.says();
    (manager, said)
}

pub(super) fn state(said: &Value) -> Value {
    http::tool(said["endpoint"].as_str().unwrap(), "get_league_state", &json!({}))
}

pub(super) fn end(manager: Process) -> crate::process::Ended {
    manager.terminate();
    manager.succeed()
}

#[test]
fn u01_a_finished_season_says_so_and_is_still_shown() {
    let over = Over::played();
    let (mut again, said) = manager(over.path(), &[], &[]);
    let told = &said["finished"];
    let name = if over.champion == "P01" { "Ada" } else { "Ada (P02)" };
    assert_eq!(told["champion"], json!({ "player_id": over.champion, "display_name": name }));
    assert_eq!(told["matches"], 1, "{said}");
    assert!(told["ended_at"].as_str().unwrap().ends_with('Z'), "{said}");
    over.assert_told(told["note"].as_str().unwrap());
    let logged = again.logs("the season in this folder is over");
    assert_eq!(logged["champion"], *over.champion, "{logged}");
    assert_eq!(logged["ended_at"], told["ended_at"]);
    assert_eq!(state(&said)["phase"], "COMPLETED");
    let endpoint = said["endpoint"].as_str().unwrap();
    let standings = http::tool(endpoint, "get_standings", &json!({}));
    assert_eq!(standings["standings"].as_array().unwrap(), &over.table);
    end(again);
    let mut for_people = Process::agon(over.path(), &MANAGER);
    let lines = [for_people.line(), for_people.line()].join("\n");
    assert!(lines.contains("manager listening on"), "{lines}");
    over.assert_told(&lines);
    end(for_people);
}

#[test]
fn u01_a_finished_season_is_not_begun_again() {
    let over = Over::played();
    let again = agon(over.path(), &[&MANAGER[..], &["--start-when", "2"]].concat());
    assert_eq!((again.code, again.out.as_str()), (Some(2), ""), "{}", again.err);
    over.assert_told(&again.err);
    assert!(over.kept().is_empty());
}

#[test]
fn u01_new_keeps_the_old_season_under_another_name() {
    let mut over = Over::played();
    let home = over.path().to_owned();
    let secret = |name: &str| fs::read_to_string(home.join("data").join(name)).unwrap();
    let (operator, key) = (secret("operator.token"), secret("token.key"));
    for seasons in 1..=2 {
        let (manager, said) = manager(over.path(), &["--new", "--start-when", "2"], &[]);
        let kept = over.kept();
        assert_eq!(kept.len(), seasons, "{kept:?}");
        let place = PathBuf::from(said["kept"].as_str().unwrap());
        assert!(kept.iter().any(|path| path.file_name() == place.file_name()), "{said}");
        assert_eq!(state(&said)["phase"], "ACCEPTING_REGISTRATIONS");
        // The operator is the same; whoever was in has to come anew.
        assert_eq!(secret("operator.token"), operator);
        assert_ne!(secret("token.key"), key);
        // What was kept is whole, and can be shown.
        let shown = agon(over.path(), &["export", "--data", place.to_str().unwrap(), "--to", "x"]);
        assert_eq!(shown.code, Some(0), "{}", shown.err);
        let endpoint = said["endpoint"].as_str().unwrap().to_owned();
        let league = League { dir: over.dir, manager, endpoint };
        over = Over::of(league);
        let table =
            fs::read(over.path().join("x/data/leagues/league_2026_even_odd/standings.json"))
                .unwrap();
        let table: Value = serde_json::from_slice(&table).unwrap();
        assert_eq!(table["standings"].as_array().unwrap().len(), 2, "{table}");
        assert_eq!(secret("operator.token"), operator);
    }
}

#[test]
fn u01_new_throws_nothing_away_that_is_not_over() {
    let mut league = League::open(&[]);
    let _player = league.member("player", &[]);
    let new = [&MANAGER[..], &["--new"]].concat();
    let running = agon(league.path(), &new);
    assert_eq!(running.code, Some(2), "{}", running.err);
    assert!(running.err.contains("in use"), "{}", running.err);
    let League { dir, manager: running, .. } = league;
    end(running);
    let refused = agon(dir.path(), &new);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{}", refused.err);
    for word in ["not over", "without --new", "--data"] {
        assert!(refused.err.contains(word), "{word} is missing in: {}", refused.err);
    }
    assert!(kept(dir.path()).is_empty());
    let (goes_on, said) = manager(dir.path(), &[], &[]);
    assert_eq!(state(&said)["players"], 1);
    end(goes_on);
}

#[test]
fn u01_new_begins_where_there_is_nothing() {
    let dir = tempfile::tempdir().unwrap();
    // No folder; then one in which nobody has registered.
    for _ in 0..2 {
        let (new, said) = manager(dir.path(), &["--new"], &[]);
        assert_eq!(state(&said)["phase"], "ACCEPTING_REGISTRATIONS");
        assert!(said.get("kept").is_none() && said.get("finished").is_none(), "{said}");
        end(new);
    }
    fs::remove_dir_all(dir.path().join("data")).unwrap();
    fs::create_dir(dir.path().join("data")).unwrap();
    let (new, said) = manager(dir.path(), &["--new"], &[]);
    assert_eq!(state(&said)["phase"], "ACCEPTING_REGISTRATIONS");
    end(new);
    assert!(kept(dir.path()).is_empty());
}

#[test]
fn u01_a_death_while_a_new_season_begins_loses_nothing() {
    let over = Over::played();
    // Dead before the new season's first fact is on disk: the old one is aside, a folder is there.
    let args = [&MANAGER[..], &TERMS, &["--new"]].concat();
    let env = [("AGON_FAILPOINT", "before-commit:1")];
    let dead = Process::agon_with(over.path(), &args, &env).wait();
    assert_ne!(dead.code, Some(0), "{}", dead.err);
    for more in [&["--new"][..], &[]] {
        let (next, said) = manager(over.path(), more, &[]);
        assert_eq!(state(&said)["phase"], "ACCEPTING_REGISTRATIONS");
        end(next);
    }
    let kept = over.kept();
    assert_eq!(kept.len(), 1, "{kept:?}");
    // Dead between the two: the old one is aside, and no folder is there yet.
    fs::remove_dir_all(over.path().join("data")).unwrap();
    let (next, said) = manager(over.path(), &["--start-when", "2"], &[]);
    assert_eq!(state(&said)["phase"], "ACCEPTING_REGISTRATIONS");
    end(next);
    // Dead before: the finished season is in its place, and says so.
    fs::remove_dir_all(over.path().join("data")).unwrap();
    fs::rename(&kept[0], over.path().join("data")).unwrap();
    let again = agon(over.path(), &[&MANAGER[..], &["--start-when", "2"]].concat());
    assert_eq!(again.code, Some(2), "{}", again.err);
    over.assert_told(&again.err);
}

#[test]
fn u01_a_finished_season_of_teams_says_so_and_another_has_a_name_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let season = ["demo", "--game", "q21", "--teams", "3", "--data", "data", "--json"];
    assert_eq!(agon(dir.path(), &season).code, Some(0));
    let q21 = ["--game", "q21", "--start-when", "3"];
    let again = agon(dir.path(), &[&MANAGER[..], &q21].concat());
    assert_eq!(again.code, Some(2), "{}", again.err);
    for word in ["3 matches", "--new", "--data"] {
        assert!(again.err.contains(word), "{word} is missing in: {}", again.err);
    }
    let (new, said) = manager(dir.path(), &[&["--new"][..], &q21].concat(), &[]);
    let first = kept(dir.path());
    assert_eq!(first.len(), 1, "{first:?}");
    // A letter of the old season must not pass for one of the new.
    assert_eq!(state(&said)["season_id"], "S01-2");
    assert_eq!(state(&said)["phase"], "ACCEPTING_REGISTRATIONS");
    end(new);
    // Its name is in the journal: it stays, whatever is said at later starts.
    let (next, said) = manager(dir.path(), &q21, &[]);
    assert_eq!(state(&said)["season_id"], "S01-2");
    end(next);
    // The folder may hold another game afterwards.
    let shown = league::manager(dir.path(), &["--game", "q21"]);
    end(shown.0);
}

#[test]
fn u01_a_manager_that_died_with_the_news_is_back_to_spread_it() {
    let over = Over::played();
    let (mut dies, _) = manager(over.path(), &[], &[]);
    dies.kill();
    // Started again as it was started first, because somebody may not have heard of the end yet.
    let (back, said) =
        manager(over.path(), &["--start-when", "2", "--match-time-max-s", "9999"], &[]);
    assert_eq!(said["finished"]["champion"]["player_id"], *over.champion, "{said}");
    end(back);
    // Much later nobody waits any more.
    let (mut dies, _) = manager(over.path(), &[], &[]);
    dies.kill();
    let late = [&MANAGER[..], &["--start-when", "2", "--match-time-max-s", "0.001"]].concat();
    let refused = agon(over.path(), &late);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    over.assert_told(&refused.err);
}
