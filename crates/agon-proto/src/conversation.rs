//! Who says something, and in which dialogue. The last number of a match's conversation is its
//! attempt.
//!
//! Spec: docs/protocol/README.md

use std::fmt;

use crate::ids::canonical;
use crate::json::texts;
use crate::text::{NAME_MAX, marked};
use crate::{DisplayName, MatchId, PlayerId, RefereeId, RoundId};

/// Longest foreign conversation id that is kept.
const TEXT_MAX: usize = 128;

/// A conversation. Ours are numbers inside; a foreign one is kept as it came and echoed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ConversationId {
    /// `conv-r1m1-001`: one attempt at a match.
    Match {
        /// The match.
        match_id: MatchId,
        /// The attempt, counted from 1.
        attempt: u32,
    },
    /// `conv-r1m1-report`.
    Report(MatchId),
    /// `conv-round-1-announce`.
    RoundAnnounce(RoundId),
    /// `conv-round-1-standings`.
    RoundStandings(RoundId),
    /// `conv-round-1-complete`.
    RoundComplete(RoundId),
    /// `conv-league-complete`.
    LeagueComplete,
    /// Any other.
    Other(Box<str>),
}

impl ConversationId {
    /// The conversation of that text.
    pub fn new(text: &str) -> Self {
        Self::ours(text).unwrap_or_else(|| Self::Other(text.into()))
    }

    fn ours(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("conv-")?;
        if rest == "league-complete" {
            return Some(Self::LeagueComplete);
        }
        let (head, tail) = rest.rsplit_once('-')?;
        if let Some(round) = head.strip_prefix("round-") {
            let round = canonical(round, 1)?;
            return match tail {
                "announce" => Some(Self::RoundAnnounce(round)),
                "standings" => Some(Self::RoundStandings(round)),
                "complete" => Some(Self::RoundComplete(round)),
                _ => None,
            };
        }
        let (round, number) = head.strip_prefix('r')?.split_once('m')?;
        let match_id = MatchId::new(canonical(round, 1)?, canonical(number, 1)?);
        if tail == "report" {
            return Some(Self::Report(match_id));
        }
        Some(Self::Match { match_id, attempt: canonical(tail, 3)? })
    }
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Match { match_id: MatchId { round, number }, attempt } => {
                write!(f, "conv-r{round}m{number}-{attempt:03}")
            }
            Self::Report(MatchId { round, number }) => write!(f, "conv-r{round}m{number}-report"),
            Self::RoundAnnounce(round) => write!(f, "conv-round-{round}-announce"),
            Self::RoundStandings(round) => write!(f, "conv-round-{round}-standings"),
            Self::RoundComplete(round) => write!(f, "conv-round-{round}-complete"),
            Self::LeagueComplete => f.write_str("conv-league-complete"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

texts! {
    ConversationId by collect_str: "a conversation id of at most 128 characters",
        |text| (text.len() <= TEXT_MAX).then(|| Self::new(text)),
        { "maxLength": TEXT_MAX };
}

/// `league_manager`, `referee:REF01`, `player:P01`, or a self-chosen name before registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sender {
    /// The league manager.
    LeagueManager,
    /// A registered referee.
    Referee(RefereeId),
    /// A registered player.
    Player(PlayerId),
    /// A referee that has no id yet.
    NewReferee(Box<DisplayName>),
    /// A player that has no id yet.
    NewPlayer(Box<DisplayName>),
}

/// Every letter has one. Names are boxed, because they stand in a registration alone.
const _: () = assert!(size_of::<Sender>() <= 16);

impl Sender {
    fn parse(text: &str) -> Option<Self> {
        Some(match text.split_once(':') {
            None => (text == "league_manager").then_some(Self::LeagueManager)?,
            Some(("league_manager", _)) => Self::LeagueManager,
            Some(("player", name)) => {
                name.parse().map_or_else(|_| Self::NewPlayer(chosen(name)), Self::Player)
            }
            Some(("referee", name)) => {
                name.parse().map_or_else(|_| Self::NewReferee(chosen(name)), Self::Referee)
            }
            Some(_) => return None,
        })
    }
}

/// A name that is no id, and must not look like one either when it has been made harmless.
fn chosen(name: &str) -> Box<DisplayName> {
    Box::new(DisplayName::new(&marked(name, NAME_MAX)))
}

impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeagueManager => f.write_str("league_manager"),
            Self::Referee(id) => write!(f, "referee:{id}"),
            Self::Player(id) => write!(f, "player:{id}"),
            Self::NewReferee(name) => write!(f, "referee:{name}"),
            Self::NewPlayer(name) => write!(f, "player:{name}"),
        }
    }
}

texts! {
    Sender by collect_str: "league_manager, referee:<id> or player:<id>",
        Self::parse,
        { "pattern": "^(league_manager|(referee|player):.+)$" };
}

#[cfg(test)]
mod tests;
