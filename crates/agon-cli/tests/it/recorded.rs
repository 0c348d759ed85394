//! Whole seasons, word by word: what all agents say to each other is what they said before.
//!
//! Every node records the bytes of its calls at the edge, so this holds whatever becomes of the
//! inside. A difference is a decision that a commit explains; CONTRIBUTING.md says how.
//!
//! Nobody is hurried in these seasons: where nothing is meant to fail, every time limit is longer
//! than a busy machine needs. So nothing is asked twice by chance.

pub(crate) mod book;
mod calls;
mod silent;
pub(crate) mod words;

use std::path::Path;

use tempfile::TempDir;

use crate::process::{Process, quiet_port};
use book::Detail;
use silent::Silent;
use words::Names;

/// What every process is told: no hurry, no heartbeats but the first, no probes, any free port.
const CALM: [(&str, &str); 15] = [
    ("AGON_RECORD_WORDS", "1"),
    ("AGON_MANAGER__LISTEN", "127.0.0.1:0"),
    ("AGON_REFEREE__LISTEN", "127.0.0.1:0"),
    ("AGON_PLAYER__LISTEN", "127.0.0.1:0"),
    ("AGON_TIMES__JOIN_S", "300"),
    ("AGON_TIMES__CHOICE_S", "300"),
    ("AGON_TIMES__NOTICE_S", "300"),
    ("AGON_TIMES__REPORT_S", "300"),
    ("AGON_TIMES__REGISTRATION_S", "300"),
    ("AGON_TIMES__MATCH_TIME_MAX_S", "3000"),
    ("AGON_TIMES__HEARTBEAT_S", "1000"),
    ("AGON_TIMES__LEASE_S", "3000"),
    ("AGON_TIMES__LATENESS_MAX_S", "300"),
    ("AGON_CLIENT__CONNECT_TIMEOUT_S", "60"),
    ("AGON_ADMISSION__PROBES", "false"),
];

/// A folder for a season and the record of it.
struct Studio {
    dir: TempDir,
}

impl Studio {
    fn open() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("record")).unwrap();
        Self { dir }
    }

    fn record(&self) -> std::path::PathBuf {
        self.dir.path().join("record")
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Starts a process that is recorded.
    fn start(&self, args: &[&str], more: &[(&str, &str)]) -> Process {
        let record = self.record();
        let env = [("AGON_RECORD", record.to_str().unwrap())];
        Process::agon_with(self.path(), args, &[&env[..], &CALM, more].concat())
    }

    /// Plays a whole season in one process, and compares it.
    #[track_caller]
    fn demo(&self, name: &str, detail: Detail, args: &[&str]) {
        self.start(&[&["demo", "--seed", "7", "--json"], args].concat(), &[]).succeed();
        calls::read(&self.record(), Names::default()).check(name, detail);
    }
}

#[test]
fn recorded_season_of_four() {
    Studio::open().demo("even_odd_4", Detail::Whole, &["--players", "4"]);
}

#[test]
fn recorded_season_of_five() {
    Studio::open().demo("even_odd_5", Detail::Whole, &["--players", "5"]);
}

#[test]
fn recorded_season_of_sixteen() {
    Studio::open().demo("even_odd_16", Detail::Hashed, &["--players", "16"]);
}

#[test]
fn recorded_season_of_three_teams_by_call() {
    Studio::open().demo("q21_by_call", Detail::Whole, &["--game", "q21", "--teams", "3"]);
}

/// A league of separate processes, whose members come one after the other.
struct League {
    studio: Studio,
    manager: Process,
    endpoint: String,
    env: &'static [(&'static str, &'static str)],
}

impl League {
    fn open(start_when: &str, env: &'static [(&'static str, &'static str)]) -> Self {
        let studio = Studio::open();
        let log = ["--json", "--log", "info", "--log-format", "json"];
        let args = ["manager", "--data", "data", "--start-when", start_when];
        let mut manager = studio.start(&[&args[..], &log].concat(), env);
        let endpoint = manager.endpoint();
        Self { studio, manager, endpoint, env }
    }

    /// Starts an agent, and returns once it is in.
    fn member(&mut self, args: &[&str], more: &[(&str, &str)]) -> Process {
        let to = ["--manager", &self.endpoint, "--log", "warn"];
        let agent = self.studio.start(&[args, &to].concat(), &[self.env, more].concat());
        self.manager.logs(&format!("{} registered", args[0]));
        agent
    }

    /// Players whose choices do not depend on chance.
    fn players(&mut self, strategies: &[&str]) -> Vec<Process> {
        let join = |strategy: &&str| {
            self.member(&["player", "--name", strategy, "--strategy", strategy], &[])
        };
        strategies.iter().map(join).collect()
    }

    /// Waits for everybody's end, and compares the season.
    #[track_caller]
    fn close(mut self, agents: Vec<Process>, names: Names, name: &str) {
        self.manager.logs("league completed");
        for agent in agents {
            agent.succeed();
        }
        self.manager.terminate();
        self.manager.succeed();
        calls::read(&self.studio.record(), names).check(name, Detail::Whole);
    }
}

/// The number is always the same, because here every referee throws dice of its own.
const LOADED_DICE: [(&str, &str); 2] =
    [("AGON_LEAGUE__DRAW_MIN", "8"), ("AGON_LEAGUE__DRAW_MAX", "8")];

#[test]
fn recorded_season_in_which_a_referee_dies() {
    let mut league = League::open("4", &LOADED_DICE);
    let listen = format!("127.0.0.1:{}", quiet_port());
    let doomed = ["referee", "--listen", &listen, "--data", "referee", "--capacity", "1"];
    // It writes down that it is in and that it has a match; then it dies with its first verdict.
    let dies = league.member(&doomed, &[("AGON_FAILPOINT", "before-commit:3")]);
    let mut agents = vec![league.member(&["referee", "--capacity", "1"], &[])];
    agents.extend(league.players(&["even", "odd", "alternate", "even"]));
    assert_eq!(dies.wait().code, None);
    agents.push(league.member(&doomed, &[]));
    league.close(agents, Names::default(), "even_odd_referee_killed");
}

/// Whoever does not answer has four seconds each time, and is out after the first match.
const IMPATIENT: [(&str, &str); 5] = [
    ("AGON_TIMES__JOIN_S", "4"),
    ("AGON_TIMES__ASK_BACKOFF_S", "[0.1, 0.1, 0.1]"),
    ("AGON_LEAGUE__WITHDRAW_AFTER", "1"),
    LOADED_DICE[0],
    LOADED_DICE[1],
];

#[test]
fn recorded_season_with_a_silent_player() {
    let mut league = League::open("3", &IMPATIENT);
    let mut agents = vec![league.member(&["referee"], &[])];
    let silent = Silent::join(&league.endpoint);
    league.manager.logs("player registered");
    agents.extend(league.players(&["even", "odd"]));
    let mut names = Names::default();
    names.add(silent.address(), "P01");
    league.close(agents, names, "even_odd_silent_player");
}
