//! What a referee of a Q21 league writes down. Read again, it gives the same referee in the middle
//! of the same games.
//!
//! Facts are what a journal holds, so their form is a promise: add variants, never change one.

use agon_proto::GameId;
use agon_proto::{
    Address, AuthToken, GroupId, LeagueId, MessageId, Payload, SeasonId, Timestamp, micros,
};
use serde::{Deserialize, Serialize};

use crate::agent::AgentFact;
use crate::matches::PlayedOnce;
use crate::post::PostFact;
use crate::verdict::{Seat, Verdict};

/// What became true.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Fact {
    /// What every agent writes down.
    Agent(AgentFact),
    /// The season's table came: these games are ours.
    Assigned { season: Option<SeasonId>, league: Option<LeagueId>, fixtures: Vec<Fixture> },
    /// A round has begun.
    RoundBegan(Round),
    /// It is over, by the manager's word.
    RoundEnded { number: u32 },
    /// A game has begun.
    Started(Box<Start>),
    /// Our own program has spoken, about one player or the game.
    Told {
        game: GameId,
        about: Option<Seat>,
        judgement: u8,
        word: Payload,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Our own program failed, for good.
    Lost {
        game: GameId,
        about: Option<Seat>,
        judgement: u8,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A player has answered that question, in the letter of that id.
    Answered {
        game: GameId,
        seat: Seat,
        step: u16,
        said: Payload,
        letter: MessageId,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A player has sent something instead of an answer that nobody can read.
    Garbled {
        game: GameId,
        seat: Seat,
        step: u16,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A player's time is up, or both players'.
    TimedOut {
        game: GameId,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A question did not reach its player in time, and that was not the player's fault.
    Extended {
        game: GameId,
        seat: Seat,
        #[serde(with = "micros")]
        until: Timestamp,
    },
    /// A game was broken off.
    Aborted {
        game: GameId,
        reason: AbortReason,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A game is over, and its report is in the post.
    Judged { game: GameId, verdict: Verdict },
}

impl Fact {
    /// What it says about letters, if it does.
    pub const fn post(&self) -> Option<&PostFact> {
        if let Self::Agent(fact) = self { fact.post() } else { None }
    }
}

impl From<AgentFact> for Fact {
    fn from(fact: AgentFact) -> Self {
        Self::Agent(fact)
    }
}

/// One of our games, on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixture {
    pub game: GameId,
    pub round: u32,
    pub players: [Entrant; 2],
}

/// A player of one of our games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    pub group: GroupId,
    pub address: Address,
    /// What proves us to it and it to us, where letters travel by call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<AuthToken>,
}

/// A round, as the manager announced it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    pub number: u32,
    /// In the manager's words.
    pub name: Box<str>,
    /// Who has checked in, if somebody keeps that list.
    pub present: Option<Vec<Address>>,
}

/// A game that begins, with everything that must not change under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    pub fixture: Fixture,
    /// The round, in the manager's words.
    pub round: Box<str>,
    pub played: PlayedOnce,
    /// Who has not checked in.
    pub absent: [bool; 2],
    /// What every letter of this game carries, for each player another.
    pub tokens: [AuthToken; 2],
    #[serde(with = "micros")]
    pub at: Timestamp,
}

/// Why a game was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AbortReason {
    NewRound,
    RoundEnded,
    LeagueCompleted,
    NewSeason,
}

impl AbortReason {
    /// As it is sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NewRound => "new_round_started",
            Self::RoundEnded => "end_round_received",
            Self::LeagueCompleted => "league_completed",
            Self::NewSeason => "new_season_started",
        }
    }
}
