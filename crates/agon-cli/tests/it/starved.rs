//! A manager whose disk fails: nothing is lost, reads are answered, and it goes on by itself.
//!
//! The failures are the real ones: a small library in front of the C library lets the system calls
//! of a real manager, with a real SQLite, fail as those of a full or broken disk do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::http;
use crate::league::{League, assert_whole};
use crate::process::{Ended, PATIENCE, Process, agon};
use crate::rates::metered;

const STARVED: &str = "the journal cannot be written, so the league is only read";
const BETTER: &str = "the journal can be written again";

/// A disk that fails while its file says so.
struct Disk {
    command: PathBuf,
    library: PathBuf,
}

impl Disk {
    fn in_dir(dir: &Path) -> Self {
        let (command, library) = (dir.join("disk.txt"), dir.join("failing_disk.so"));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/starved/failing_disk.c");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
        assert!(cc.status().unwrap().success(), "a C compiler is needed, as for SQLite itself");
        Self { command, library }
    }

    /// What a process needs in its environment to live on this disk.
    fn env(&self) -> [(&str, &str); 2] {
        let [library, command] = [&self.library, &self.command].map(|path| path.to_str().unwrap());
        [("LD_PRELOAD", library), ("FAILING_DISK", command)]
    }

    /// From now on it fails in this way. The word is there at once and whole.
    fn fail(&self, how: &str) {
        let draft = self.command.with_extension("new");
        fs::write(&draft, how).unwrap();
        fs::rename(draft, &self.command).unwrap();
    }

    fn mend(&self) {
        fs::remove_file(&self.command).unwrap();
    }
}

fn health(league: &League) -> Value {
    http::get(&league.endpoint, "/health").json()
}

/// A season in whose middle the disk fails in this way, and is mended.
fn season_through(how: &str) {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::in_dir(dir.path());
    let mut league = League::open_with(&[], &disk.env());
    let agents: Vec<_> = [("referee", 2), ("player", 6)]
        .into_iter()
        .flat_map(|(role, count)| (0..count).map(move |_| role))
        .map(|role| league.member(role, &[]))
        .collect();
    league.operate("start").succeed();
    for _ in 0..4 {
        league.manager.logs("result accepted");
    }
    disk.fail(how);
    let said = league.manager.logs(STARVED);
    assert!(said["why"].as_str().unwrap().contains("nothing of it was acknowledged"), "{said}");

    // Reads are answered from what is durable; changes are turned away and change nothing.
    assert_eq!(health(&league)["status"], "read-only");
    let before = league.state();
    assert!(before["matches_completed"].as_u64().unwrap() >= 4, "{before}");
    assert_eq!(league.standings().len(), 6);
    let refused = league.operate("pause").exit(1);
    assert!(refused.err.contains("nothing can be written down at the moment"), "{}", refused.err);
    let pause = json!({ "jsonrpc": "2.0", "id": 1, "method": "pause_league", "params": {} });
    let answer = http::post(&league.endpoint, &pause.to_string());
    assert_eq!(answer.status, 503, "{answer:?}");
    assert_eq!(league.state(), before);

    disk.mend();
    league.manager.logs(BETTER);
    league.manager.logs("league completed");
    assert_eq!(health(&league)["status"], "ok");
    assert_whole(&league, 6);
    for agent in agents {
        agent.succeed();
    }
    league.close();
}

#[test]
fn a_full_disk_makes_a_league_wait_and_loses_nothing() {
    season_through("full");
}

#[test]
fn a_failed_sync_makes_a_league_wait_and_loses_nothing() {
    season_through("sync");
}

#[test]
fn a_read_only_file_system_makes_a_league_wait_and_loses_nothing() {
    season_through("read-only");
}

/// Waits until the manager has handled more than so many requests and answers, and says how many.
fn handled_more_than(before: f64, at: &str) -> f64 {
    let since = Instant::now();
    loop {
        let handled = metered(at, "agon_batch_size_sum{role=\"manager\"}");
        if handled > before {
            return handled;
        }
        assert!(since.elapsed() < PATIENCE, "it handles nothing while the disk works");
    }
}

#[test]
fn what_is_asked_while_the_disk_works_is_handled_and_waits_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::in_dir(dir.path());
    let league = League::open_with(&[], &disk.env());
    let at = league.endpoint.clone();
    league.state();
    let before = handled_more_than(0.0, &at);
    disk.fail("slow");
    let player = league.agent("player", &[]);
    let registered = handled_more_than(before, &at);

    // The player is in, and nobody may know it yet: it is not durable.
    let asked = thread::spawn({
        let at = at.clone();
        move || http::tool(&at, "get_league_state", &json!({}))
    });
    handled_more_than(registered, &at);
    assert_eq!(health(&league)["status"], "ok");
    assert!(!asked.is_finished(), "the state is told before it is durable");

    disk.mend();
    assert_eq!(asked.join().unwrap()["players"], 1);
    drop(player);
    league.close();
}

#[test]
fn a_starved_manager_stops_when_it_is_told_to() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::in_dir(dir.path());
    let mut league = League::open_with(&[], &disk.env());
    disk.fail("full");
    let player = league.agent("player", &[]);
    league.manager.logs(STARVED);
    drop(player);
    league.close();
}

/// What `agon manager` says when it cannot even begin.
fn cannot_begin(dir: &Path) -> Ended {
    let ended = agon(dir, &["manager", "--data", "data", "--listen", "127.0.0.1:0", "--json"]);
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    ended
}

/// The folder of a league in which one player has registered.
fn closed_league() -> tempfile::TempDir {
    let mut league = League::open(&[]);
    let player = league.member("player", &[]);
    drop(player);
    let League { dir, manager, .. } = league;
    manager.terminate();
    manager.succeed();
    dir
}

fn database(dir: &Path) -> PathBuf {
    dir.join("data/journal.sqlite3")
}

#[test]
fn a_manager_that_starts_on_a_full_disk_says_so() {
    let dir = closed_league();
    let disk = Disk::in_dir(dir.path());
    disk.fail("full");
    let args = ["manager", "--data", "data", "--listen", "127.0.0.1:0"];
    let ended = Process::agon_with(dir.path(), &args, &disk.env()).exit(2);
    assert!(ended.err.contains("could not open the journal in data"), "{}", ended.err);
    assert!(ended.err.contains("is the disk full"), "{}", ended.err);
}

#[test]
fn a_manager_with_a_damaged_journal_names_the_fact() {
    let dir = closed_league();
    let damage = "UPDATE facts SET fact = replace(fact, 'P01', 'P02') WHERE seq = 2";
    let changed = Connection::open(database(dir.path())).unwrap().execute(damage, []).unwrap();
    assert_eq!(changed, 1);
    let ended = cannot_begin(dir.path());
    assert!(ended.err.contains("fact 2 is not what was written"), "{}", ended.err);
}

#[test]
fn a_manager_whose_journal_lost_its_end_says_what_to_do() {
    let dir = closed_league();
    let connection = Connection::open(database(dir.path())).unwrap();
    connection.execute("DELETE FROM facts WHERE seq = (SELECT max(seq) FROM facts)", []).unwrap();
    drop(connection);
    let ended = cannot_begin(dir.path());
    assert!(ended.err.contains("its end is gone"), "{}", ended.err);
    assert!(ended.err.contains("remove journal.mark to go on"), "{}", ended.err);
}

#[test]
fn a_manager_refuses_the_journal_of_a_newer_program() {
    let dir = closed_league();
    let connection = Connection::open(database(dir.path())).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let ended = cannot_begin(dir.path());
    assert!(ended.err.contains("the journal is of version 99"), "{}", ended.err);
}

#[test]
fn a_manager_refuses_a_journal_that_is_none() {
    let dir = closed_league();
    fs::write(database(dir.path()), "Dear diary, ".repeat(100)).unwrap();
    let ended = cannot_begin(dir.path());
    assert!(ended.err.contains("is not a journal of Agon"), "{}", ended.err);
}
