//! A league on one machine, and another machine beside it.

use serde_json::{Value, json};

use crate::http;
use crate::league::{League, assert_whole};
use crate::namespace::Namespace;
use crate::process::{Ended, Process};
use crate::refusals::clerk::registration;

/// Where the manager's machine is, and where another one is.
pub(crate) const HOME: &str = "10.77.0.1";
pub(crate) const AWAY: &str = "10.77.0.2";
/// All that a process can be made to say.
pub(crate) const TALKATIVE: [&str; 7] =
    ["--json", "--log", "trace", "--log-format", "json", "--time-scale", "0.1"];

/// Two networks with a cable between them.
pub(crate) struct Field {
    pub(crate) home: Namespace,
    pub(crate) away: Namespace,
    pub(crate) league: League,
    /// How the manager is called from the other machine.
    pub(crate) manager: String,
}

impl Field {
    pub(crate) fn open(args: &[&str]) -> Self {
        Self::open_with(args, &[])
    }

    /// The same, with variables in the manager's environment.
    pub(crate) fn open_with(args: &[&str], env: &[(&str, &str)]) -> Self {
        let addresses = [format!("{HOME}/24"), format!("{AWAY}/24")];
        let [home, away] = Namespace::pair([&addresses[0], &addresses[1]]);
        let everywhere = ["--listen", "0.0.0.0:0", "--insecure"];
        let args = [&everywhere[..], args].concat();
        let league = home.enter(|| League::open_with(&args, env));
        let manager = league.endpoint.replace("127.0.0.1", HOME);
        Self { home, away, league, manager }
    }

    /// An agent on one of the machines, with a log that says everything.
    pub(crate) fn agent(
        &self,
        (place, address): (&Namespace, &str),
        role: &str,
        args: &[&str],
        env: &[(&str, &str)],
    ) -> Process {
        let listen = format!("{address}:0");
        let usual = [role, "--listen", &listen, "--insecure"];
        let args = [&usual[..], &TALKATIVE, args].concat();
        let dir = self.league.path();
        place.enter(|| Process::agon_with(dir, &args, env))
    }

    /// An operator's command, given beside the manager.
    pub(crate) fn operate(&self, command: &[&str]) -> Ended {
        let (path, endpoint) = (self.league.path(), &self.league.endpoint);
        let usual = ["--data", "data", "--json", "--manager", endpoint];
        let command = [command, &usual].concat();
        self.home.enter(|| Process::agon(path, &command).wait())
    }

    pub(crate) fn state(&self) -> Value {
        let endpoint = &self.league.endpoint;
        self.home.enter(|| http::tool(endpoint, "get_league_state", &json!({})))
    }

    /// The season was played, every match of it.
    #[track_caller]
    pub(crate) fn assert_whole(&mut self, players: u64) {
        let league = &mut self.league;
        self.home.enter(move || assert_whole(league, players));
    }

    /// An invitation, as `agon invite` shows it.
    #[track_caller]
    pub(crate) fn invite(&self, args: &[&str]) -> Value {
        let ended = self.operate(&[&["invite"], args].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        ended.json()
    }

    /// Everybody, as `agon agents` shows them to the operator.
    #[track_caller]
    pub(crate) fn agents(&self) -> Value {
        let ended = self.operate(&["agents"]);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        ended.json()
    }
}

/// The manager's address with a code in it.
pub(crate) fn joining(manager: &str, code: &str) -> String {
    manager.replace("/mcp", &format!("/join/{code}/mcp"))
}

/// Registers somebody that is not there, and says what came of it.
#[track_caller]
pub(crate) fn apply(
    manager: &str,
    role: &str,
    (host, number): (&str, u32),
    code: Option<&str>,
) -> Value {
    let (method, mut params) = registration(role, &format!("http://{host}:{number}/mcp"));
    params["conversation_id"] = json!(format!("conv-{number}"));
    if let Some(code) = code {
        params[format!("{role}_meta")]["invitation_code"] = json!(code);
    }
    let body = json!({ "jsonrpc": "2.0", "method": method, "params": params, "id": 7 });
    http::post(manager, &body.to_string()).json()["result"].take()
}

#[track_caller]
pub(crate) fn assert_refused(answer: &Value, word: &str) {
    assert_eq!(answer["status"], "REJECTED", "{answer}");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.starts_with("E0") && reason.contains(word), "{answer}");
    assert!(answer.get("auth_token").is_none(), "{answer}");
}

#[track_caller]
pub(crate) fn assert_admitted(answer: &Value) {
    assert_eq!(answer["status"], "ACCEPTED", "{answer}");
}
