//! Processes that are killed in the middle of a season: every match still counts exactly once.
//!
//! Where a process dies is chance. The seed is printed; `AGON_TEST_SEED` plays the same choices
//! again, although two runs of real processes are never quite the same.

mod chance;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_core::{League, LeagueFact};
use agon_proto::message::StandingsRow;
use agon_sim::{Sight, Told};
use agon_store::Journal;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tempfile::TempDir;

use crate::audit;
use crate::process::{Process, quiet_port};
pub(crate) use chance::Chance;

/// How often the manager is killed at least.
const KILLS_MIN: u32 = 50;

/// Whoever is alive gets all the time it needs; who finds somebody dead tries again at once.
const TERMS: [&str; 16] = [
    "--time-scale",
    "0.02",
    "--join-s",
    "250",
    "--choice-s",
    "250",
    "--notice-s",
    "100",
    "--report-s",
    "100",
    "--registration-s",
    "250",
    "--match-time-max-s",
    "250",
    "--breaker-open-s",
    "5",
];

/// Agents may be born while the manager is dead.
const ENV: [(&str, &str); 1] = [("AGON_TIMES__REGISTRATION_TRIES", "10")];

/// A season, and what all lives of its manager have said of it.
struct Season {
    dir: TempDir,
    port: u16,
    game: &'static str,
    players: u32,
    manager: Process,
    /// The lines about accepted results, of all lives.
    accepted: Vec<Value>,
}

impl Season {
    fn open(game: &'static str, players: u32) -> Self {
        let (dir, port) = (tempfile::tempdir().unwrap(), quiet_port());
        let manager = manager(dir.path(), game, port, players);
        Self { dir, port, game, players, manager, accepted: Vec::new() }
    }

    fn agent(&self, args: &[&str]) -> Process {
        let manager = format!("http://127.0.0.1:{}/mcp", self.port);
        let to = ["--game", self.game, "--manager", &manager, "--json", "--log", "warn"];
        Process::agon_with(self.dir.path(), &[args, &to, &TERMS].concat(), &ENV)
    }

    /// Everybody who is needed, each in a process of its own.
    fn agents(&self, capacity: &str) -> Vec<Process> {
        let count = self.players.to_string();
        let referee = ["referee", "--listen", "127.0.0.1:0", "--capacity", capacity];
        vec![
            self.agent(&referee),
            self.agent(&referee),
            self.agent(&["player", "--listen", "127.0.0.1:0", "--count", &count]),
        ]
    }

    /// Reads so many lines of the log. Says whether the league was completed among them.
    #[track_caller]
    fn watch(&mut self, lines: u32) -> bool {
        (0..lines).any(|_| {
            let line = self.manager.log().expect("the manager lives until it is killed");
            self.take(line)
        })
    }

    /// Reads the log until a match has its result; `false` when the league was completed.
    #[track_caller]
    fn watch_result(&mut self) -> bool {
        let before = self.accepted.len();
        while self.accepted.len() == before {
            if self.watch(1) {
                return false;
            }
        }
        true
    }

    /// Lets it live for a moment more.
    fn linger(&mut self, moment: Duration) {
        for line in self.manager.logs_within(moment) {
            self.take(line);
        }
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    fn take(&mut self, line: Value) -> bool {
        let completed = line["message"] == "league completed";
        if line["message"] == "result accepted" {
            self.accepted.push(line);
        }
        completed
    }

    /// Kills the manager, reads its last words, and starts it again at once. Says whether the
    /// league was complete when it died: it may have written that down and not said it any more.
    fn kill(&mut self) -> bool {
        self.manager.kill();
        while let Some(line) = self.manager.log() {
            self.take(line);
        }
        let completed = is_complete(&self.data());
        self.manager = manager(self.dir.path(), self.game, self.port, self.players);
        completed
    }

    /// Waits for everybody's end and checks the books.
    #[track_caller]
    fn close(mut self, agents: Vec<Process>) -> League {
        for agent in agents {
            agent.succeed();
        }
        let endpoint = self.manager.endpoint();
        let args = ["standings", "--json", "--manager", &endpoint];
        let table = Process::agon(self.dir.path(), &args).succeed().json();
        let mut audit = audit::read(&self.data());
        self.accepted.iter().for_each(|line| audit.see(&Sight::Told(&told(line))));
        audit.see(&Sight::Table(&field::<Vec<StandingsRow>>(&table, "standings")));
        assert_eq!(audit.broken(), None);
        let league = audit.end().unwrap();
        let pairs = league.season().ids().map(|id| league.season().fixture(id).unwrap());
        let pairs: BTreeSet<_> = pairs.map(|it| [it.a.min(it.b), it.a.max(it.b)]).collect();
        let every = u64::from(self.players) * u64::from(self.players - 1) / 2;
        let counted = (league.season().completed(), pairs.len() as u64);
        assert_eq!(counted, (every, every), "everybody meets everybody once");
        self.manager.terminate();
        self.manager.succeed();
        league
    }
}

fn manager(dir: &Path, game: &str, port: u16, players: u32) -> Process {
    let (listen, players) = (format!("127.0.0.1:{port}"), players.to_string());
    let usual = ["manager", "--data", "data", "--listen", &listen, "--start-when", &players];
    let usual = [&usual[..], &["--game", game]].concat();
    let log = ["--json", "--log", "info", "--log-format", "json"];
    Process::agon(dir, &[&usual[..], &log, &TERMS].concat())
}

/// One season of so many players whose manager is killed again and again. Returns how often.
fn kill_through_a_season(game: &'static str, players: u32, chance: &mut Chance) -> u32 {
    let mut season = Season::open(game, players);
    let agents = season.agents("16");
    let mut kills = 0;
    loop {
        // Without a line to wait for, it may die before it has read its own journal.
        let lines = chance.below(50);
        let moment = if lines == 0 { 20_000 } else { 3_000 };
        let moment = Duration::from_micros(u64::from(chance.below(moment)));
        if !season.watch(lines) {
            season.linger(moment);
        }
        let completed = season.kill();
        kills += 1;
        if completed {
            break; // It died with the good news, so its heir has to spread it.
        }
    }
    season.close(agents);
    kills
}

#[test]
fn a_manager_killed_anywhere_finishes_its_season() {
    let mut chance = Chance::announced();
    let (mut kills, mut seasons) = (0, 0);
    while kills < KILLS_MIN {
        kills += kill_through_a_season("even-odd", 64, &mut chance);
        seasons += 1;
    }
    eprintln!("{kills} kills in {seasons} seasons");
}

#[test]
fn a_repeated_game_is_finished_by_a_manager_killed_anywhere() {
    let mut chance = Chance::announced();
    let kills = kill_through_a_season("prisoners-dilemma", 8, &mut chance)
        + kill_through_a_season("rock-paper-scissors", 32, &mut chance);
    assert!(kills > 2, "only {kills} kills");
}

/// A season of 16 players in which one of two referees is killed and comes back as `again` says.
fn kill_a_referee(game: &'static str, again: impl Fn(&Season, u32) -> Process) {
    let mut chance = Chance::announced();
    let mut season = Season::open(game, 16);
    let mut agents = season.agents("4");
    let mut referee = again(&season, 0);
    let mut kills = 0;
    while season.watch_result() {
        if chance.below(8) == 0 && kills < 6 {
            referee.kill();
            kills += 1;
            referee = again(&season, kills);
        }
    }
    eprintln!("{kills} kills");
    agents.push(referee);
    // Nobody waits for the manager's word any more.
    let league = season.close(agents);
    assert_eq!(league.season().completed(), 120);
}

#[test]
fn a_referee_that_forgets_everything_may_come_back() {
    let listen = format!("127.0.0.1:{}", quiet_port());
    kill_a_referee("even-odd", |season, _| {
        season.agent(&["referee", "--capacity", "4", "--listen", &listen])
    });
}

#[test]
fn a_referee_that_remembers_may_come_back() {
    let listen = format!("127.0.0.1:{}", quiet_port());
    kill_a_referee("even-odd", |season, _| {
        let args = ["referee", "--capacity", "4", "--listen", &listen, "--data", "referee"];
        season.agent(&args)
    });
}

#[test]
fn a_referee_of_a_repeated_game_may_come_back() {
    let listen = format!("127.0.0.1:{}", quiet_port());
    kill_a_referee("rock-paper-scissors", |season, _| {
        let args = ["referee", "--capacity", "4", "--listen", &listen, "--data", "referee"];
        season.agent(&args)
    });
}

#[test]
fn a_referee_may_be_replaced_by_another() {
    kill_a_referee("even-odd", |season, life| {
        let data = format!("referee-{life}");
        let args = ["referee", "--capacity", "4", "--listen", "127.0.0.1:0", "--data", &data];
        season.agent(&args)
    });
}

/// Whether the season in that folder is over. A manager that died young has left no journal.
fn is_complete(data: &Path) -> bool {
    let Ok(journal) = Journal::<LeagueFact>::read_only(data) else {
        return false;
    };
    let mut complete = false;
    let end = |fact: LeagueFact| complete |= matches!(fact, LeagueFact::LeagueCompleted { .. });
    journal.replay(end).unwrap();
    complete
}

/// A line of the log about a result.
fn told(line: &Value) -> Told {
    Told {
        match_id: field(line, "match_id"),
        attempt: field(line, "attempt"),
        referee: field(line, "referee"),
        status: field(line, "status"),
        cause: field(line, "cause"),
    }
}

fn field<T: DeserializeOwned>(value: &Value, name: &str) -> T {
    serde_json::from_value(value[name].clone()).unwrap()
}
