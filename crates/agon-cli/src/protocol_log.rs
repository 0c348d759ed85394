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
use tracing::warn;

use crate::output;

/// No line is longer.
const COLUMNS: usize = 100;
/// What a line that goes on begins with.
const INDENT: &str = "                 |";
/// How wide an address is shown, if there is room, and at least.
const WHO: usize = 17;
const WHO_MIN: usize = 12;
const RECEIVED: &str = "RECEIVED from";
const SENT: &str = "SENT     to  ";

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

/// Takes news and writes them to stdout; if that is for machines, errors go to the log.
pub(crate) fn letter_log(
    role: Role,
    address: Address,
    silent: bool,
) -> (Arc<Mutex<ProtocolLog>>, LetterLog) {
    let log = Arc::new(Mutex::new(ProtocolLog::new(role, address)));
    let told = log.clone();
    let letter_log: LetterLog = Box::new(move |news| {
        let Ok(mut log) = told.lock() else { return };
        match log.text(&news) {
            (tone, text) if !silent => output::line(log.painted(tone, &text)),
            // What its author must know is said all the same, where it disturbs no machine.
            (Tone::Error, text) => warn!("{text}"),
            (Tone::Letter | Tone::Callback, _) => {}
        }
    });
    (log, letter_log)
}

impl ProtocolLog {
    pub(crate) fn new(role: Role, address: Address) -> Self {
        let (rounds, counts) = (BTreeSet::new(), Counts::default());
        Self { role, address, season: 1, rounds, round: 0, counts }
    }

    /// In its colour if the terminal has any.
    fn painted(&self, tone: Tone, text: &str) -> String {
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
                (Tone::Letter, self.letter(*at, (RECEIVED, from), letter))
            }
            LetterLogEntry::Sent { parcel, at } => {
                self.counts.sent += 1;
                let to = match parcel.to.as_slice() {
                    [one] => one.shown().into_owned(),
                    many => format!("{} agents", many.len()),
                };
                let line =
                    parcel.letter.read().map(|letter| self.letter(*at, (SENT, &to), &letter));
                let short = || line_of(*at, "", (SENT, &to), (parcel.letter.kind.name(), ""));
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
                let (name, text) = (log_callback(self.role, kind), &mishap.text);
                let named = if text.contains(name) { String::new() } else { format!("{name}: ") };
                (Tone::Error, error(*at, &format!("{named}{text}")))
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

    fn letter(&self, at: Timestamp, who: (&str, &str), letter: &Letter) -> String {
        let (name, next) = log_words(&letter.act, self.role);
        let idle = matches!(letter.act, Act::NewRound(_)) && !self.rounds.contains(&self.round);
        let next = if idle { "no game of ours" } else { next };
        let until = log_deadline(&letter.act).map(|at| format!(" by {}", clock(at)));
        let next = format!("{next}{}", until.unwrap_or_default());
        let game = self.game(letter).unwrap_or_else(|| format!("{:02}99999", self.season));
        line_of(at, &format!("{game} "), who, (name, next.trim()))
    }

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

/// What happened to a letter of a game, and what should follow. An address that is too long for the
/// line is cut.
fn line_of(
    at: Timestamp,
    game: &str,
    (way, who): (&str, &str),
    (name, next): (&str, &str),
) -> String {
    let head = format!("{} {game}{way} ", clock(at));
    let tail = if next.is_empty() { name.to_owned() } else { format!("{name:<16} | {next}") };
    let who = who.trim_start_matches("http://").trim_start_matches("https://");
    let who = who.trim_end_matches("/mcp");
    let room = COLUMNS.saturating_sub(head.chars().count() + tail.chars().count() + " | ".len());
    let (room, width) = (room.max(WHO_MIN), room.clamp(WHO_MIN, WHO));
    let mut shown: String = who.chars().take(room).collect();
    if shown.len() < who.len() {
        shown.pop();
        shown.push('…');
    }
    format!("{head}{shown:<width$} | {tail}")
}

/// What went wrong, in as many lines as it needs.
fn error(at: Timestamp, text: &str) -> String {
    let mut said = format!("[ERROR] {} |", clock(at));
    let mut column = said.len();
    for word in text.split_whitespace() {
        let length = word.chars().count() + 1;
        if column + length > COLUMNS && column > INDENT.len() {
            said += "\n";
            said += INDENT;
            column = INDENT.len();
        }
        said += " ";
        said += word;
        column += length;
    }
    said
}

/// `HH:MM:SS`.
fn clock(at: Timestamp) -> String {
    at.to_string().get(11..19).unwrap_or("--:--:--").to_owned()
}

#[cfg(test)]
mod tests;
