//! The protocol log: one line for each letter and each call of a team's program, as players and
//! referees of Q21 leagues are used to reading it.
//!
//! All times are UTC, as in the letters themselves.
//!
//! Spec: docs/q21.md

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use agon_node::{LetterLog, LetterLogEntry};
use agon_proto::act::Act;
use agon_proto::dialect::{log_callback, log_deadline, log_words};
use agon_proto::{Address, GameId, Letter, Role, Timestamp};
use owo_colors::{AnsiColors, DynColors, OwoColorize, Stream};

use crate::output;

/// Writes the lines of one agent.
pub(crate) struct ProtocolLog {
    role: Role,
    address: Address,
    season: u32,
    /// The rounds in which this agent has a game.
    rounds: BTreeSet<u32>,
    round: u32,
    pub(crate) counts: Counts,
}

/// What a scan brought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) received: u32,
    pub(crate) sent: u32,
    pub(crate) errors: u32,
}

/// Which of the three kinds of line it is; each has its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Letter,
    Callback,
    Error,
}

/// Takes news and writes them to stdout, unless that is for machines.
pub(crate) fn letter_log(
    role: Role,
    address: Address,
    silent: bool,
) -> (Arc<Mutex<ProtocolLog>>, LetterLog) {
    let log = Arc::new(Mutex::new(ProtocolLog::new(role, address)));
    let told = log.clone();
    let letter_log: LetterLog = Box::new(move |news| {
        let Ok(mut log) = told.lock() else { return };
        let line = log.line(&news);
        if !silent {
            output::line(line);
        }
    });
    (log, letter_log)
}

impl ProtocolLog {
    pub(crate) fn new(role: Role, address: Address) -> Self {
        let (rounds, counts) = (BTreeSet::new(), Counts::default());
        Self { role, address, season: 1, rounds, round: 0, counts }
    }

    /// One line, in its colour if the terminal has any.
    pub(crate) fn line(&mut self, news: &LetterLogEntry<'_>) -> String {
        let (tone, text) = self.text(news);
        let colour = self.colour(tone);
        text.if_supports_color(Stream::Stdout, |text| text.color(colour)).to_string()
    }

    fn text(&mut self, news: &LetterLogEntry<'_>) -> (Tone, String) {
        match news {
            LetterLogEntry::Received { from, letter, at } => {
                self.counts.received += 1;
                self.learn(letter);
                // By call a manager has no address of its own.
                let role = letter.head.from.role.map_or("", Role::name);
                let from = from.map_or(role, Address::as_str);
                (Tone::Letter, self.letter(*at, &format!("RECEIVED | from {from:<30}"), letter))
            }
            LetterLogEntry::Sent { parcel, at } => {
                self.counts.sent += 1;
                let to = match parcel.to.as_slice() {
                    [one] => one.shown().into_owned(),
                    many => format!("{} agents", many.len()),
                };
                let to = match self.role {
                    Role::Player => format!("to {to:<32}"),
                    Role::Referee | Role::Manager => format!("to   {to:<30}"),
                };
                let way = format!("SENT     | {to}");
                let line = parcel.letter.read().map(|letter| self.letter(*at, &way, &letter));
                let short = || format!("{} | {way} | {}", clock(*at), parcel.letter.kind.name());
                (Tone::Letter, line.unwrap_or_else(short))
            }
            LetterLogEntry::Asked { kind, at } => {
                (Tone::Callback, self.callback(*at, kind, "CALL"))
            }
            LetterLogEntry::Answered { kind, mishap: None, at } => {
                (Tone::Callback, self.callback(*at, kind, "RESPONSE"))
            }
            LetterLogEntry::Answered { kind, mishap: Some(mishap), at } => {
                self.counts.errors += 1;
                let name = log_callback(self.role, kind);
                (Tone::Error, error(*at, &format!("{name}: {}", mishap.text)))
            }
            LetterLogEntry::Trouble { text, at } => {
                self.counts.errors += 1;
                (Tone::Error, error(*at, text))
            }
        }
    }

    /// In which rounds we have a game, and which round it is.
    fn learn(&mut self, letter: &Letter) {
        if let Act::AssignmentTable(table) | Act::TableAnswer(table) = &letter.act {
            let own = table.rows.iter().filter(|row| row.address.as_ref() == Some(&self.address));
            let games = own.filter_map(|row| row.game.parts());
            for (season, match_id) in games {
                self.season = season;
                self.rounds.insert(match_id.round);
            }
        }
        if let Act::NewRound(round) = &letter.act {
            self.round = round.number;
        }
    }

    fn letter(&self, at: Timestamp, way: &str, letter: &Letter) -> String {
        let (name, next) = log_words(&letter.act, self.role);
        let game = self.game(letter);
        let role = game.as_ref().map_or_else(String::new, |_| self.activity());
        let game = game.unwrap_or_else(|| format!("{:02}99999", self.season));
        let role = match self.role {
            Role::Player => role,
            Role::Referee | Role::Manager => format!("{role:<24}"),
        };
        let deadline = match (log_deadline(&letter.act), self.role) {
            (Some(deadline), _) => clock(deadline),
            (None, Role::Player) => "--:--:--".to_owned(),
            (None, Role::Referee | Role::Manager) => "N/A".to_owned(),
        };
        format!(
            "{} | GAME-ID: {game} | {way} | {name:<20} | EXPECTED-RESPONSE: {next:<25} | \
             ROLE: {role} | DEADLINE: {deadline}",
            clock(at)
        )
    }

    /// The game, or what stands for a round; nothing if it is about the season.
    fn game(&self, letter: &Letter) -> Option<String> {
        let game = letter.head.context.game.as_ref().and_then(GameId::parts);
        if let Some((season, match_id)) = game {
            return Some(GameId::of(season, match_id).to_string());
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "three of 40 are about a round")]
        let round = match &letter.act {
            Act::NewRound(round) => round.number,
            Act::EndRound(round) => round.number,
            Act::RoundResults(round) => round.number,
            _ => return None,
        };
        Some(format!("{:02}{round:02}999", self.season))
    }

    fn activity(&self) -> String {
        let active = if self.rounds.contains(&self.round) { "ACTIVE" } else { "INACTIVE" };
        match self.role {
            Role::Player => format!("PLAYER-{active}"),
            Role::Referee => format!("REFEREE-{active}"),
            Role::Manager => Role::Manager.name().to_owned(),
        }
    }

    fn callback(&self, at: Timestamp, kind: &str, what: &str) -> String {
        let name = log_callback(self.role, kind);
        let millis = at.micros().rem_euclid(1_000_000) / 1000;
        let (clock, role) = (clock(at), self.role.name());
        format!("{clock}:{millis:03} | CALLBACK: {name} | {what:<8} | ROLE: {role}")
    }

    fn colour(&self, tone: Tone) -> DynColors {
        match (self.role, tone) {
            (Role::Player, Tone::Letter) => DynColors::Ansi(AnsiColors::BrightGreen),
            (Role::Player, Tone::Callback) => DynColors::Ansi(AnsiColors::BrightYellow),
            (Role::Player, Tone::Error) => DynColors::Ansi(AnsiColors::BrightRed),
            (Role::Referee | Role::Manager, Tone::Letter) => DynColors::Ansi(AnsiColors::Green),
            (Role::Referee | Role::Manager, Tone::Callback) => DynColors::Xterm(208.into()),
            (Role::Referee | Role::Manager, Tone::Error) => DynColors::Ansi(AnsiColors::Red),
        }
    }
}

fn error(at: Timestamp, text: &str) -> String {
    format!("[ERROR] {} | {text}", clock(at))
}

/// `HH:MM:SS`.
fn clock(at: Timestamp) -> String {
    at.to_string().get(11..19).unwrap_or("--:--:--").to_owned()
}

#[cfg(test)]
mod tests;
