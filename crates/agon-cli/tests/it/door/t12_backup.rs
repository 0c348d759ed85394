//! A backup is put back, and the season goes on.

use std::fs;

use crate::league::{GATED, League, TERMS, assert_whole};
use crate::process::{Process, quiet_port};

/// What was played after the backup was made is played again, and at once.
#[test]
fn t12_a_restored_backup_plays_on_at_once() {
    let listen = format!("127.0.0.1:{}", quiet_port());
    // Far longer than anybody waits here: no match may be given up only because its time is over.
    let patient = ["--listen", &listen, "--match-time-max-s", "30000"];
    let mut league = League::open(&[&patient[..], &["--start-when", "4"]].concat());
    let gate = league.shut_gate();
    let referee = league.member("referee", &["--capacity", "2"]);
    let players: Vec<_> = (0..4).map(|_| league.member("player", &GATED)).collect();
    league.manager.logs("round announced");
    // As docs/operate.md has it.
    let (data, restored) = (league.data(), league.path().join("restored"));
    fs::create_dir(&restored).unwrap();
    let journal = rusqlite::Connection::open(data.join("journal.sqlite3")).unwrap();
    let backup = restored.join("journal.sqlite3");
    journal.execute("VACUUM INTO ?1", [backup.to_str().unwrap()]).unwrap();
    drop(journal);
    drop(gate);
    for _ in 0..2 {
        league.manager.logs("result accepted");
    }
    league.manager.kill();
    for name in ["operator.token", "token.key"] {
        fs::copy(data.join(name), restored.join(name)).unwrap();
    }
    let args = ["manager", "--data", "restored"];
    league.manager = Process::agon(league.path(), &[&args[..], &TERMS, &patient].concat());
    league.endpoint = league.manager.endpoint();
    league.manager.logs("league completed");
    for agent in players.into_iter().chain([referee]) {
        agent.succeed();
    }
    assert_whole(&league, 4);
    league.close();
}
