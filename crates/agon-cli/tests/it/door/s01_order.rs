//! What one player hears of a league, in order, whoever says it.
//!
//! The league is run as it comes: nothing is set but addresses and folders. Three of its four
//! players are of other authors: one writes down what it hears, one takes its time to acknowledge,
//! one refuses what was not announced. Seasons are played side by side, each at ports of its own.

pub(super) mod listener;
mod order;
mod returning;

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;

use crate::http;
use crate::process::{Process, quiet_port};
use crate::refusals::clerk::Clerk;
use listener::{Character, Listener};
use order::{Heard, faults};

/// How long the slow player takes to acknowledge a notice.
const SLOWNESS: Duration = Duration::from_millis(1_500);
/// When the season begins by itself.
const START: [&str; 2] = ["--start-when", "4"];
/// Four players meet in three rounds of two matches.
const ROUNDS: u32 = 3;
const MATCHES: [&str; 6] = ["R1M1", "R1M2", "R2M1", "R2M2", "R3M1", "R3M2"];

/// A season of four players with everybody in it.
struct Season {
    dir: TempDir,
    manager: Process,
    /// Where the manager and each referee listen, in every life.
    listen: Vec<String>,
    referees: Vec<Process>,
    ours: Process,
    others: [Listener; 3],
}

/// Whom to kill, and what the recording player has just heard then.
struct Kill(Victim, &'static str, u32);

#[derive(Debug, Clone, Copy)]
enum Victim {
    Manager,
    Referee,
}

impl Season {
    fn open(referees: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let listen: Vec<_> =
            (0..=referees).map(|_| format!("127.0.0.1:{}", quiet_port())).collect();
        let mut manager = manager(&dir, &listen[0], &START);
        let endpoint = manager.endpoint();
        let referees = (1..=referees).map(|place| {
            let referee = referee(&dir, &endpoint, place, &listen[place]);
            manager.logs("referee registered");
            referee
        });
        let referees = referees.collect();
        let to = ["player", "--manager", &endpoint, "--listen", "127.0.0.1:0"];
        let ours = Process::agon(dir.path(), &to);
        manager.logs("player registered");
        let characters = [Character::Recording, Character::Slow(SLOWNESS), Character::Strict];
        let others = characters.map(|it| Listener::join(&endpoint, "player", it));
        Self { dir, manager, listen, referees, ours, others }
    }

    fn endpoint(&self) -> String {
        format!("http://{}/mcp", self.listen[0])
    }

    /// Kills somebody without a word when it is time, and starts it again at once.
    fn strike(&mut self, Kill(victim, kind, round): &Kill) {
        self.others[0].waits_for(&Heard::new(kind, *round));
        eprintln!("{}: {victim:?} killed at {kind} {round}", self.listen[0]);
        match victim {
            Victim::Manager => {
                self.manager.kill();
                // The season has begun, so it is not told again when to begin.
                self.manager = manager(&self.dir, &self.listen[0], &[]);
                self.manager.endpoint();
            }
            Victim::Referee => {
                self.referees[0].kill();
                self.referees[0] = referee(&self.dir, &self.endpoint(), 1, &self.listen[1]);
            }
        }
    }

    /// Waits for the end. Returns what was wrong with the season.
    fn close(self) -> Vec<String> {
        for player in &self.others {
            player.waits_for(&Heard::end());
        }
        let mut wrong = Vec::new();
        for (name, player) in ["recording", "slow", "strict"].iter().zip(&self.others) {
            let faults = faults(&player.heard(), ROUNDS);
            if !faults.is_empty() {
                let heard: Vec<_> = player.heard().iter().map(Heard::to_string).collect();
                eprintln!("{}, {name}: {}", self.listen[0], heard.join(", "));
            }
            wrong.extend(faults.into_iter().map(|fault| format!("{name}: {fault}")));
        }
        for id in MATCHES {
            let shown = http::tool(&self.endpoint(), "get_match_state", &json!({ "match_id": id }));
            let result = &shown["result"];
            if result["reason"] != "PLAYED" {
                wrong.push(format!("result: {}", result["reason"]));
            }
        }
        self.ours.succeed();
        for referee in self.referees {
            referee.succeed();
        }
        self.manager.terminate();
        self.manager.succeed();
        wrong
    }
}

fn manager(dir: &TempDir, listen: &str, more: &[&str]) -> Process {
    let usual = ["manager", "--data", "data", "--listen", listen];
    let log = ["--json", "--log-format", "json"];
    Process::agon(dir.path(), &[&usual[..], &log, more].concat())
}

fn referee(dir: &TempDir, manager: &str, number: usize, listen: &str) -> Process {
    let data = format!("referee{number}");
    let usual = ["referee", "--manager", manager, "--listen", listen, "--data", &data];
    Process::agon(dir.path(), &usual)
}

/// Plays seasons side by side, and says how often each thing was wrong.
#[track_caller]
fn check(seasons: impl Iterator<Item = (usize, &'static [Kill])>) {
    let play = |(referees, kills): (usize, &'static [Kill])| {
        thread::spawn(move || {
            let mut season = Season::open(referees);
            for kill in kills {
                season.strike(kill);
            }
            season.close()
        })
    };
    let playing: Vec<_> = seasons.map(play).collect();
    let mut wrong = BTreeMap::<String, u32>::new();
    for season in playing {
        for fault in season.join().unwrap() {
            *wrong.entry(fault).or_default() += 1;
        }
    }
    let lines: Vec<_> = wrong.iter().map(|(fault, times)| format!("{times:>3} {fault}")).collect();
    let sum: u32 = wrong.values().sum();
    assert!(lines.is_empty(), "{sum} things were wrong:\n{}", lines.join("\n"));
}

#[test]
fn s01_ten_seasons_are_heard_in_order() {
    check((0..10).map(|number| (1 + number % 2, &[][..])));
}

#[test]
fn s01_in_order_although_manager_and_referee_are_killed() {
    const KILLS: [&[Kill]; 5] = [
        &[
            Kill(Victim::Manager, "GAME_INVITATION", 1),
            Kill(Victim::Referee, "CHOOSE_PARITY_CALL", 2),
            Kill(Victim::Manager, "ROUND_COMPLETED", 2),
        ],
        &[
            Kill(Victim::Referee, "GAME_INVITATION", 1),
            Kill(Victim::Manager, "GAME_OVER", 2),
            Kill(Victim::Referee, "ROUND_COMPLETED", 2),
        ],
        &[
            Kill(Victim::Manager, "LEAGUE_STANDINGS_UPDATE", 1),
            Kill(Victim::Referee, "GAME_OVER", 2),
            Kill(Victim::Manager, "ROUND_ANNOUNCEMENT", 3),
        ],
        &[
            Kill(Victim::Manager, "ROUND_ANNOUNCEMENT", 1),
            Kill(Victim::Referee, "ROUND_ANNOUNCEMENT", 2),
            Kill(Victim::Manager, "LEAGUE_COMPLETED", 0),
        ],
        &[
            Kill(Victim::Referee, "GAME_OVER", 1),
            Kill(Victim::Manager, "CHOOSE_PARITY_CALL", 2),
            Kill(Victim::Manager, "GAME_OVER", 3),
        ],
    ];
    // Each of them with one referee and with two.
    check((1..=2).flat_map(|referees| KILLS.map(|kills| (referees, kills))));
}

#[test]
fn s01_a_referee_hears_of_a_round_before_its_matches() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(&dir, "127.0.0.1:0", &START);
    let endpoint = manager.endpoint();
    let pace = Character::Slow(Duration::from_millis(300));
    let referee = Listener::join(&endpoint, "referee", pace);
    let _players = [(); 4].map(|()| Clerk::join(&endpoint, "player"));
    for _ in MATCHES {
        let given = referee.takes("MATCH_ASSIGNMENT");
        let (a, b) = (&given["player_A_id"], &given["player_B_id"]);
        let (id, winner) = (given["match_id"].as_str().unwrap(), a.as_str().unwrap());
        let choices = json!({ winner: "even", b.as_str().unwrap(): "odd" });
        let mut report = referee.clerk.report(id, winner);
        report["result"]["details"] = json!({ "drawn_number": 8, "choices": choices });
        referee.clerk.reports(&report);
    }
    referee.waits_for(&Heard::end());
    let heard = referee.heard();
    let first = |kind: &str, round| {
        let wanted = Heard::new(kind, round);
        heard.iter().position(|it| *it == wanted).unwrap_or_else(|| panic!("no {wanted}"))
    };
    for round in 1..=ROUNDS {
        let (told, given) = (first("ROUND_ANNOUNCEMENT", round), first("MATCH_ASSIGNMENT", round));
        assert!(told < given, "round {round}: {heard:?}");
    }
    manager.terminate();
    manager.succeed();
}
