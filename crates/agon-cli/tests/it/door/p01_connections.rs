//! Connections between nodes: as many as calls may be in flight and no more, and what becomes of a
//! season when a host has no port or no file left for another one.
//!
//! Counted from outside, in networks of their own: what the kernel of each says was opened.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http;
use crate::league::League;
use crate::namespace::Namespace;
use crate::process::Process;

const SHORT: &str = "this host cannot make another connection";
const OVER: &str = "this host can make connections again";

/// What the default configuration allows.
const IN_FLIGHT_MAX: u64 = 256;

/// Connections are kept for as long as a test takes, so that only what is closed for want of a
/// place is opened again.
const PATIENT: [(&str, &str); 3] = [
    ("AGON_CLIENT__IDLE_TIMEOUT_S", "500"),
    ("AGON_SERVER__HEADER_TIMEOUT_S", "900"),
    // All players come from one address, and at once.
    ("AGON_ADMISSION__REGISTRATIONS_PER_S", "1000"),
];

/// All the time that there is by default: a call that times out takes its connection with it, and a
/// busy machine must not make that happen.
const LOGS: [&str; 5] = ["--json", "--log", "info", "--log-format", "json"];

/// A manager in one network, referee and players in another.
struct Apart {
    dir: TempDir,
    networks: [Namespace; 2],
    manager: Process,
    endpoint: String,
}

impl Apart {
    fn open() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let networks = Namespace::pair(["10.77.0.1/24", "10.77.0.2/24"]);
        let place = ["manager", "--data", "data", "--listen", "10.77.0.1:8000", "--insecure"];
        let args = [&place[..], &LOGS, &["--admit", "open"]].concat();
        let path = dir.path();
        let mut manager = networks[0].enter(|| Process::agon_with(path, &args, &PATIENT));
        let endpoint = manager.endpoint();
        Self { dir, networks, manager, endpoint }
    }

    /// Starts a referee or players on the other side.
    fn agent(&self, role: &str, listen: &str, more: &[&str]) -> Process {
        let place = [role, "--manager", &self.endpoint, "--listen", listen, "--insecure"];
        let args = [&place[..], &LOGS, more].concat();
        let path = self.dir.path();
        self.networks[1].enter(|| Process::agon_with(path, &args, &PATIENT))
    }

    /// A referee for that many matches at once, and players; the season has begun.
    fn begin(&mut self, capacity: u32, players: u32) -> [Process; 2] {
        let capacity = capacity.to_string();
        // It is not on the manager's host.
        let (path, endpoint) = (self.dir.path(), &self.endpoint);
        let invite = ["invite", "--role", "referee", "--data", "data", "--json"];
        let invite = [&invite[..], &["--manager", endpoint]].concat();
        let invited = self.networks[0].enter(|| Process::agon(path, &invite).succeed()).json();
        let more = ["--capacity", &capacity, "--invitation", invited["code"].as_str().unwrap()];
        let referee = self.agent("referee", "10.77.0.2:8001", &more);
        self.manager.logs("referee registered");
        let count = players.to_string();
        let many = self.agent("player", "10.77.0.2:9000", &["--count", &count]);
        for _ in 0..players {
            self.manager.logs("player registered");
        }
        let (path, endpoint) = (self.dir.path(), &self.endpoint);
        let start = ["start", "--data", "data", "--manager", endpoint];
        self.networks[0].enter(|| Process::agon(path, &start).succeed());
        [referee, many]
    }

    fn state(&self) -> Value {
        let endpoint = &self.endpoint;
        self.networks[0].enter(|| http::tool(endpoint, "get_league_state", &json!({})))
    }

    /// The connections that were opened by the manager's network, and those that it took.
    fn opened(&self) -> [u64; 2] {
        let text = self.networks[0].enter(|| fs::read_to_string("/proc/thread-self/net/snmp"));
        let text = text.unwrap();
        let mut lines = text.lines().filter(|line| line.starts_with("Tcp:"));
        let (names, values) = (lines.next().unwrap(), lines.next().unwrap());
        let all: BTreeMap<_, _> = names.split(' ').zip(values.split(' ')).collect();
        ["ActiveOpens", "PassiveOpens"].map(|name| all[name].parse().unwrap())
    }

    /// From now on the manager's network gives out these local ports.
    fn ports(&self, range: &str) {
        let file = "/proc/sys/net/ipv4/ip_local_port_range";
        self.networks[0].enter(|| fs::write(file, range)).unwrap();
    }
}

/// Every match was played out.
#[track_caller]
fn nobody_lost(lines: &[Value]) {
    let results: Vec<_> =
        lines.iter().filter(|line| line["message"] == "result accepted").collect();
    assert!(!results.is_empty());
    for line in results {
        assert_eq!(line["cause"], "PLAYED", "{line}");
    }
}

/// The log up to that line.
#[track_caller]
fn until(process: &mut Process, message: &str) -> Vec<Value> {
    let mut lines = Vec::new();
    loop {
        let line = process.log().unwrap_or_else(|| panic!("it ended without {message:?}"));
        let found = line["message"] == message;
        lines.push(line);
        if found {
            return lines;
        }
    }
}

fn count(lines: &[Value], message: &str) -> usize {
    lines.iter().filter(|line| line["message"] == message).count()
}

#[test]
fn p01_connections_do_not_grow_with_matches() {
    let (players, rounds) = (240_u32, 20);
    let mut league = Apart::open();
    let _agents = league.begin(256, players);
    for _ in 0..rounds {
        league.manager.logs("round completed");
    }
    let [opened, taken] = league.opened();
    // Everybody was called, everybody called at least once, and many matches ran at a time.
    assert!(opened > u64::from(players) && taken > u64::from(players), "{opened}, {taken}");
    // A call that leaves before the connection of the last one is free makes a second one.
    let bound = 2 * u64::from(players) + IN_FLIGHT_MAX;
    assert!(opened <= bound, "{opened} connections to {players} players and one referee");
    assert!(taken <= bound, "{taken} connections of {players} players and one referee");
}

#[test]
fn p01_a_season_without_ports_waits_and_goes_on() {
    let players = 40;
    let mut league = Apart::open();
    league.ports("40000 40003");
    let agents = league.begin(64, players);
    let mut lines = until(&mut league.manager, SHORT);
    let said = lines.last().unwrap();
    assert!(said["hint"].as_str().unwrap().contains("ip_local_port_range"), "{said}");
    // It is slow now, and not much is said about it.
    for _ in 0..3 {
        lines.extend(until(&mut league.manager, "round completed"));
    }
    league.ports("32768 60999");
    while count(&lines, OVER) == 0 {
        lines.extend(league.manager.logs_within(Duration::from_millis(100)));
        assert_eq!(league.state()["players"], players);
    }
    if count(&lines, "league completed") == 0 {
        lines.extend(until(&mut league.manager, "league completed"));
    }
    assert_eq!((count(&lines, SHORT), count(&lines, OVER)), (1, 1), "{lines:?}");
    nobody_lost(&lines);
    assert_eq!(league.state()["matches_completed"], 780);
    for agent in agents {
        agent.succeed();
    }
}

/// So many files that process may open from now on.
fn files(process: &Process, most: u32) {
    let limit = format!("--nofile={most}:");
    let mut prlimit = Command::new("prlimit");
    let done = prlimit.args(["--pid", &process.id().to_string(), &limit]).status().unwrap();
    assert!(done.success());
}

#[test]
fn p01_a_referee_without_files_charges_nobody() {
    // The lease is so long that the referee is not taken for dead meanwhile.
    let env = [("AGON_TIMES__LEASE_S", "3000"), ("AGON_TIMES__HEARTBEAT_S", "1000")];
    let mut league = League::open_with(&["--join-s", "20"], &env);
    let mut referee = league.member("referee", &[]);
    let players = [league.member("player", &[]), league.member("player", &[])];
    players.iter().for_each(|player| player.signal("STOP"));
    league.operate("start").succeed();
    let mut lines = until(&mut referee, "match taken");
    // Fewer than it has open: when the players do not answer, it cannot ask them again.
    files(&referee, 8);
    lines.extend(until(&mut referee, SHORT));
    let said = lines.last().unwrap();
    assert!(said["hint"].as_str().unwrap().contains("ulimit -n"), "{said}");
    lines.extend(until(&mut referee, "judged"));
    let judged = lines.last().unwrap();
    assert_eq!((&judged["attempt"], &judged["cause"]), (&1.into(), &"HOST_OVERLOADED".into()));
    files(&referee, 1024);
    players.iter().for_each(|player| player.signal("CONT"));
    let told = until(&mut league.manager, "league completed");
    nobody_lost(&told);
    for player in players {
        player.succeed();
    }
    let ended = referee.succeed();
    assert_eq!(ended.err.matches(SHORT).count(), 1, "{}", ended.err);
    league.close();
}
