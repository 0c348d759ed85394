//! Bad input over real HTTP: the exact answer, a count of it, and nothing else changed.

mod agents;
pub(crate) mod clerk;
mod letters;
mod transport;

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::http;
use crate::league::League;
use crate::process::{PATIENCE, Process};
use clerk::Clerk;

/// A league in its first round, whose only referee waits for what the test will say.
pub(crate) struct Floor {
    pub(crate) league: League,
    referee: Clerk,
    /// P01.
    pub(crate) player: Clerk,
    /// P02, a process of its own.
    real: Process,
    /// P03, whom nobody can call; another address than ours.
    absent: Clerk,
}

impl Floor {
    pub(crate) fn open() -> Self {
        let mut league = League::open(&["--match-time-max-s", "3000"]);
        let referee = Clerk::join(&league.endpoint, "referee");
        let player = Clerk::join(&league.endpoint, "player");
        league.manager.logs("player registered");
        let mut real = league.member("player", &[]);
        real.logs("registered"); // Only now does it know whom to believe.
        let absent = Clerk::sign_up(&league.endpoint, "player", "http://127.0.0.2:9/mcp");
        Clerk::join(&league.endpoint, "player");
        league.operate("start").succeed();
        let floor = Self { league, referee, player, real, absent };
        floor.is_laid_out();
        floor
    }

    /// Waits until both matches are with their referee: they are when their players have heard of
    /// them, or could not.
    #[track_caller]
    fn is_laid_out(&self) {
        let end = Instant::now() + PATIENCE;
        for id in ["R1M1", "R1M2"] {
            let shown = || http::tool(self.at(), "get_match_state", &json!({ "match_id": id }));
            while shown()["state"] == "CREATED" {
                assert!(Instant::now() < end, "{id} is never given out");
            }
        }
    }

    pub(crate) fn at(&self) -> &str {
        &self.league.endpoint
    }

    /// Everything that anybody may see of the league.
    fn visible(&self) -> Value {
        let standings = http::tool(self.at(), "get_standings", &json!({}));
        let first = http::tool(self.at(), "get_match_state", &json!({ "match_id": "R1M1" }));
        let second = http::tool(self.at(), "get_match_state", &json!({ "match_id": "R1M2" }));
        let mut state = self.league.state();
        // That a report was disputed is written down and shown; it changes nothing else.
        state.as_object_mut().unwrap().remove("disputed");
        json!([state, standings, first, second])
    }

    /// Does something that must change nothing.
    #[track_caller]
    pub(crate) fn unchanged<T>(&self, act: impl FnOnce() -> T) -> T {
        let before = self.visible();
        let outcome = act();
        assert_eq!(self.visible(), before);
        assert_eq!(http::get(self.at(), "/health").status, 200);
        outcome
    }

    /// Sends what the manager must refuse with LEAGUE_ERROR.
    #[track_caller]
    fn refuses(&self, method: &str, params: &Value, code: &str, name: &str) -> Value {
        let counted = refusals(self.at(), code);
        let error = self.unchanged(|| http::call(self.at(), method, params))["result"].take();
        assert_eq!(refusals(self.at(), code), counted + 1, "{error}");
        assert_eq!(error["message_type"], "LEAGUE_ERROR", "{error}");
        assert_eq!((&error["error_code"], &error["error_name"]), (&json!(code), &json!(name)));
        assert_eq!(error["conversation_id"], params["conversation_id"]);
        assert_eq!(error["original_message_type"], params["message_type"]);
        error
    }

    /// Sends a registration that must be rejected.
    #[track_caller]
    fn rejects(&self, role: &str, params: &Value, code: &str) {
        let method = format!("register_{role}");
        let answer = self.unchanged(|| http::call(self.at(), &method, params));
        assert_rejected(&answer, code);
    }
}

#[track_caller]
fn assert_rejected(answer: &Value, code: &str) {
    let answer = &answer["result"];
    assert_eq!(answer["status"], "REJECTED", "{answer}");
    assert!(answer["reason"].as_str().unwrap().starts_with(code), "{answer}");
    let granted = ["auth_token", "player_id", "referee_id"];
    assert!(granted.iter().all(|field| answer.get(field).is_none_or(Value::is_null)), "{answer}");
}

/// How often a node has refused something with that code.
fn refusals(endpoint: &str, code: &str) -> u64 {
    let label = format!("code=\"{code}\"");
    let page = http::get(endpoint, "/metrics").body;
    let counted = page
        .lines()
        .filter(|line| line.starts_with("agon_refusals_total{") && line.contains(&label));
    counted.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

/// The golden examples of bad input: name, request, and the manager's answer.
fn golden() -> Vec<(String, String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agon-proto/golden/errors");
    let mut examples = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let (request, answer) = text.trim_end().split_once('\n').unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        examples.push((name, request.to_owned(), serde_json::from_str(answer).unwrap()));
    }
    assert!(examples.len() >= 11);
    examples
}
