//! A league of separate processes on this machine.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http;
use crate::process::Process;

/// Logs as lines of JSON, and short waits where somebody does not answer.
pub(crate) const TERMS: [&str; 7] =
    ["--json", "--log", "info", "--log-format", "json", "--time-scale", "0.1"];

/// A player's strategy that answers once nobody holds the league's gate.
pub(crate) const GATED: [&str; 2] =
    ["--strategy", "exec:sh -c 'while read -r line; do flock gate true; echo odd; done'"];

/// A manager, and a folder for everything that belongs to its league.
pub(crate) struct League {
    pub(crate) dir: TempDir,
    pub(crate) manager: Process,
    pub(crate) endpoint: String,
}

impl League {
    pub(crate) fn open(args: &[&str]) -> Self {
        Self::open_with(args, &[])
    }

    /// The same, with variables in the manager's environment.
    pub(crate) fn open_with(args: &[&str], env: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (manager, endpoint) = manager_with(dir.path(), args, env);
        Self { dir, manager, endpoint }
    }

    /// A manager that finds these hosts by their names, `address name` a line.
    pub(crate) fn open_among(hosts: &str, args: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("hosts"), hosts).unwrap();
        let mount = "mount --bind hosts /etc/hosts && exec \"$@\"";
        let agon = ["--mount", "sh", "-c", mount, "sh", env!("CARGO_BIN_EXE_agon")];
        let args = [&agon[..], &["manager", "--data", "data"], &TERMS, args].concat();
        let mut manager = Process::start("unshare", dir.path(), &args, &[]);
        let endpoint = manager.endpoint();
        Self { dir, manager, endpoint }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Shuts the gate for as long as the file is open.
    pub(crate) fn shut_gate(&self) -> File {
        let gate = File::create(self.path().join("gate")).unwrap();
        gate.lock().unwrap();
        gate
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// Starts an agent: `referee` or `player`, with more arguments.
    pub(crate) fn agent(&self, role: &str, args: &[&str]) -> Process {
        let usual = [role, "--manager", &self.endpoint, "--listen", "127.0.0.1:0"];
        Process::agon(self.path(), &[&usual[..], &TERMS, args].concat())
    }

    /// Starts an agent, and returns once it is in.
    pub(crate) fn member(&mut self, role: &str, args: &[&str]) -> Process {
        let agent = self.agent(role, args);
        self.manager.logs(&format!("{role} registered"));
        agent
    }

    /// Runs a command that asks this manager.
    pub(crate) fn ask(&self, command: &[&str]) -> Process {
        Process::agon(self.path(), &[command, &["--json", "--manager", &self.endpoint]].concat())
    }

    /// Runs a command that needs no manager.
    pub(crate) fn ask_offline(&self, command: &[&str]) -> Process {
        Process::agon(self.path(), command)
    }

    /// Runs an operator's command with the token from the manager's folder.
    pub(crate) fn operate(&self, command: &str) -> Process {
        self.ask(&[command, "--data", "data"])
    }

    pub(crate) fn state(&self) -> Value {
        http::tool(&self.endpoint, "get_league_state", &json!({}))
    }

    pub(crate) fn standings(&self) -> Vec<Value> {
        let ended = self.ask(&["standings"]).succeed();
        ended.json()["standings"].as_array().unwrap().clone()
    }

    /// One match, as `agon match` shows it.
    pub(crate) fn shown(&self, id: &str) -> Value {
        self.ask(&["match", id]).succeed().json()
    }

    /// Stops the manager as an operator would.
    pub(crate) fn close(self) {
        self.manager.terminate();
        self.manager.succeed();
    }
}

/// Starts a manager whose data is in `data`, and returns once it listens.
pub(crate) fn manager(dir: &Path, args: &[&str]) -> (Process, String) {
    manager_with(dir, args, &[])
}

/// The same, with variables in its environment.
pub(crate) fn manager_with(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> (Process, String) {
    let listen = if args.contains(&"--listen") { &[][..] } else { &["--listen", "127.0.0.1:0"] };
    let usual = ["manager", "--data", "data"];
    let args = [&usual[..], &TERMS, listen, args].concat();
    let mut manager = Process::agon_with(dir, &args, env);
    let endpoint = manager.endpoint();
    (manager, endpoint)
}

/// Every match of a season is there once, was not forfeited, and its points are in the table.
#[track_caller]
pub(crate) fn assert_whole(league: &League, players: u64) {
    let state = league.state();
    let matches = players * (players - 1) / 2;
    assert_eq!(state["phase"], "COMPLETED", "{state}");
    assert_eq!(state["matches_completed"], matches, "{state}");
    let table = league.standings();
    assert_eq!(table.len() as u64, players);
    let sum = |field: &str| table.iter().map(|row| row[field].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("played"), 2 * matches);
    assert!(table.iter().all(|row| row["played"] == players - 1));
    assert_eq!(sum("wins"), sum("losses"));
    assert_eq!(sum("points"), 3 * sum("wins") + sum("draws"));
}
