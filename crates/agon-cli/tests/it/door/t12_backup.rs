//! A backup is put back, and the season goes on.

use std::fs::{self, File};

use serde_json::json;

use crate::http;
use crate::league::{GATED, League, TERMS, assert_whole};
use crate::process::{Process, quiet_port};

/// A strategy that answers the question of its first round once nobody holds the first gate, and so
/// on. Nothing is asked twice before the third round.
const GATED_BY_ROUND: [&str; 2] = [
    "--strategy",
    "exec:sh -c 'n=0; while read -r line; do n=$((n+1)); flock gate$n true; echo odd; done'",
];
/// Far longer than anybody waits here: no match may be given up only because its time is over.
const PATIENT: [&str; 2] = ["--match-time-max-s", "30000"];

/// A league of four players that is restored from a backup.
struct Restored {
    league: League,
    listen: String,
}

impl Restored {
    fn open() -> Self {
        let listen = format!("127.0.0.1:{}", quiet_port());
        let to = [&PATIENT[..], &["--listen", &listen, "--start-when", "4"]].concat();
        Self { league: League::open(&to), listen }
    }

    /// Makes one, as docs/operate.md has it.
    fn back_up(&self) {
        let (data, restored) = (self.league.data(), self.league.path().join("restored"));
        fs::create_dir(&restored).unwrap();
        let journal = rusqlite::Connection::open(data.join("journal.sqlite3")).unwrap();
        let backup = restored.join("journal.sqlite3");
        journal.execute("VACUUM INTO ?1", [backup.to_str().unwrap()]).unwrap();
    }

    /// Kills the manager, and starts another one with the backup.
    fn put_back(&mut self) {
        let league = &mut self.league;
        league.manager.kill();
        let (data, restored) = (league.data(), league.path().join("restored"));
        for name in ["operator.token", "token.key"] {
            fs::copy(data.join(name), restored.join(name)).unwrap();
        }
        let args = ["manager", "--data", "restored", "--listen", &self.listen];
        league.manager = Process::agon(league.path(), &[&args[..], &TERMS, &PATIENT].concat());
        league.endpoint = league.manager.endpoint();
    }

    /// The season is played to its end, and nobody has lost anything by the backup.
    fn completes(mut self, agents: Vec<Process>) {
        self.league.manager.logs("league completed");
        agents.into_iter().for_each(|agent| drop(agent.succeed()));
        for id in ["R1M1", "R1M2", "R2M1", "R2M2", "R3M1", "R3M2"] {
            let id = json!({ "match_id": id });
            let shown = http::tool(&self.league.endpoint, "get_match_state", &id);
            assert_eq!(shown["result"]["reason"], "PLAYED", "{shown}");
        }
        assert_whole(&self.league, 4);
        self.league.close();
    }
}

/// What was played after the backup was made is played again, and at once.
#[test]
fn t12_a_restored_backup_plays_on_at_once() {
    let mut restored = Restored::open();
    let league = &mut restored.league;
    let gate = league.shut_gate();
    let mut agents = vec![league.member("referee", &["--capacity", "2"])];
    agents.extend((0..4).map(|_| league.member("player", &GATED)));
    league.manager.logs("round announced");
    restored.back_up();
    drop(gate);
    for _ in 0..2 {
        restored.league.manager.logs("result accepted");
    }
    restored.put_back();
    restored.completes(agents);
}

/// Round 2 is over, and the matches of round 3 wait for the gate; the backup is of round 1.
fn in_round_three(at: &str) -> (Restored, Process, Vec<Process>, File) {
    let mut restored = Restored::open();
    let [first, third] = [1, 3].map(|number| {
        let gate = File::create(restored.league.path().join(format!("gate{number}"))).unwrap();
        gate.lock().unwrap();
        gate
    });
    let mut referee = referee(&restored, at);
    let league = &mut restored.league;
    league.manager.logs("referee registered");
    let players = (0..4).map(|_| league.member("player", &GATED_BY_ROUND)).collect();
    league.manager.logs("round announced");
    restored.back_up();
    drop(first);
    // Whoever has a match of round 3 has heard that round 2 is complete.
    while referee.logs("match taken")["round"] != 3 {}
    (restored, referee, players, third)
}

/// A referee without a journal.
fn referee(restored: &Restored, at: &str) -> Process {
    let to = ["referee", "--manager", &restored.league.endpoint, "--listen", at];
    Process::agon(restored.league.path(), &[&to[..], &TERMS].concat())
}

/// A referee forgets the rounds before the last that is complete.
#[test]
fn t12_a_backup_older_than_a_round_costs_nobody_a_match() {
    let (mut restored, referee, mut agents, third) = in_round_three("127.0.0.1:0");
    restored.put_back();
    drop(third);
    agents.push(referee);
    restored.completes(agents);
}

/// One that begins anew without a journal knows nothing.
#[test]
fn t12_a_backup_costs_nobody_a_match_although_the_referee_was_killed_too() {
    let at = format!("127.0.0.1:{}", quiet_port());
    let (mut restored, mut dead, mut agents, third) = in_round_three(&at);
    dead.kill();
    restored.put_back();
    drop(third);
    agents.push(referee(&restored, &at));
    restored.completes(agents);
}
