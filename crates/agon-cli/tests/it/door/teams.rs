//! A Q21 league of three teams by call, and a season by mail whose manager is the test itself.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::post;
use crate::mail::office::Office;
use crate::process::Process;

/// A league by call that begins with its third team.
pub(super) struct Teams {
    dir: TempDir,
    pub(super) manager: Process,
    pub(super) endpoint: String,
}

impl Teams {
    pub(super) fn open() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let season = ["manager", "--game", "q21", "--start-when", "3", "--data", "league"];
        let talk = ["--listen", "127.0.0.1:0", "--json", "--log-format", "json"];
        let mut manager = Process::agon(dir.path(), &[&season[..], &talk].concat());
        let endpoint = manager.endpoint();
        Self { dir, manager, endpoint }
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// A program of that team's author.
    pub(super) fn write(&self, name: &str, program: &str) {
        std::fs::write(self.path().join(name), program).unwrap();
    }

    /// The player or the referee of that team.
    pub(super) fn agent(&self, role: &str, team: u32, more: &[&str]) -> Process {
        let group = format!("team{team}");
        let who = [role, "--game", "q21", "--listen", "127.0.0.1:0", "--group", &group];
        let place = ["--manager", &self.endpoint, "--name", &group];
        Process::agon(self.path(), &[&who[..], &place, more].concat())
    }

    /// The results of the season, in the manager's words, up to its end.
    pub(super) fn results(&mut self) -> Vec<Value> {
        let mut results = Vec::new();
        loop {
            let line = self.manager.log().expect("the manager lives");
            if line["message"] == "result accepted" {
                results.push(line);
            } else if line["message"] == "league completed" {
                return results;
            }
        }
    }

    /// One match, as `agon match` tells machines.
    pub(super) fn shown(&self, id: &str) -> Value {
        self.ask(&["match", id, "--json"]).succeed().json()
    }

    pub(super) fn ask(&self, command: &[&str]) -> Process {
        Process::agon(self.path(), &[command, &["--manager", &self.endpoint]].concat())
    }
}

/// One agent by mail, in the season of a manager that is the test.
pub(super) struct ByMail {
    pub(super) office: Office,
    pub(super) agent: Process,
    address: &'static str,
}

impl ByMail {
    /// A player, or a referee, that is invited and let in.
    pub(super) fn admitted(role: &str, address: &'static str) -> Self {
        let office = Office::open_with(2, &["--record"]);
        let file = format!("{}.toml", address.split('@').next().unwrap());
        let who = [role, "--game", "q21", "--mail", &file, "--data", "own", "--json"];
        let talk = ["--log", "info", "--log-format", "json"];
        let agent = Process::agon_with(office.path(), &[&who[..], &talk].concat(), &Office::env());
        let mut it = Self { office, agent, address };
        it.says("BROADCAST_START_SEASON", "1", json!({ "season_id": "S01", "total_rounds": 2 }));
        it.agent.logs("a season is open");
        it.decides("2", "ACCEPTED", "");
        it.agent.logs("registered");
        it
    }

    /// Its application is answered.
    pub(super) fn decides(&self, id: &str, status: &str, reason: &str) {
        let said = json!({ "status": status, "season_id": "S01", "reason": reason });
        self.says("SEASON_REGISTRATION_RESPONSE", id, said);
    }

    /// The manager says that.
    pub(super) fn says(&self, kind: &str, id: &str, payload: Value) {
        self.deliver("manager@league.test", "LEAGUEMANAGER", kind, id, payload);
    }

    /// Somebody says that.
    pub(super) fn deliver(&self, from: &str, role: &str, kind: &str, id: &str, payload: Value) {
        let mut letter = post::letter(kind, from, role, payload);
        letter["message_id"] = json!(id);
        post::put(&self.office, (from, self.address), &letter, "");
    }

    /// A table of two games, the first of each round, that this player has with the other.
    pub(super) fn tables(&self) {
        let row = |game: &str, role: &str, name: &str| {
            let email = format!("{name}@league.test");
            json!({ "game_id": game, "role": role, "email": email, "group_id": name })
        };
        let rows: Vec<_> = ["0101001", "0102001"]
            .iter()
            .flat_map(|game| {
                [row(game, "player1", "p1"), row(game, "player2", "p2"), row(game, "referee", "r2")]
            })
            .collect();
        let table = json!({ "season_id": "S01", "assignments": rows, "total_count": 6 });
        self.says("BROADCAST_ASSIGNMENT_TABLE", "3", table);
    }
}
