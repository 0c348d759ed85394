//! What a player writes down: of its table, of what a referee says in letters, of its own moves.
//!
//! Letters count the questions of a match from 0; here they are counted from 1.
//!
//! Spec: docs/protocol/match.md docs/protocol/q21.md

use std::borrow::Cow;

use agon_proto::act::{Act, AssignmentRow, RoundWinner, StandingRow, StopReason, Worth};
use agon_proto::known::GameStatus;
use agon_proto::tool::PlayedMatch;
use agon_proto::{
    Address, AuthToken, GameId, MatchId, MessageId, Part, Payload, SeasonId, Timestamp, micros,
};
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentFact};
use crate::letterbox::LetterboxFact;

/// What became true for a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PlayerFact {
    /// What every agent writes down.
    Agent(AgentFact),
    /// Our matches, as the newest table has them.
    Assigned { season: Option<SeasonId>, games: Vec<Assignment> },
    /// A round has begun; whatever was still open in the one before has stopped.
    RoundStarted {
        round: u32,
        name: Option<Box<str>>,
        present: Option<Vec<Address>>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The round under way has stopped, and no other begins.
    RoundStopped {
        reason: StopReason,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The referee of a match has said something new, in a letter.
    Received {
        game: GameId,
        message: MessageId,
        heard: Box<Heard>,
        /// What proved the referee, where letters travel by call: our answer shows it again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<AuthToken>,
    },
    /// It chose; asked the same again, it says the same.
    Chosen {
        match_id: MatchId,
        attempt: u32,
        /// Which question of the match, counted from 1.
        step: u32,
        choice: Payload,
        /// Why something was said in the place of whoever thinks for us.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<Box<str>>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The referee of a match says that we have failed in it, and why.
    Failed { game: GameId, status: GameStatus, error: Box<str> },
    /// Whoever thinks for us knows the score of that match.
    Noted(MatchId),
    /// The league's own table, and who won.
    Ranked { round: Option<u32>, row: Option<StandingRow>, winners: Vec<RoundWinner> },
    /// A match of its is over.
    Over(PlayedMatch),
}

impl PlayerFact {
    /// What it says about letters, if it does.
    pub const fn letterbox(&self) -> Option<&LetterboxFact> {
        if let Self::Agent(fact) = self { fact.letterbox() } else { None }
    }
}

impl From<AgentFact> for PlayerFact {
    fn from(fact: AgentFact) -> Self {
        Self::Agent(fact)
    }
}

/// One game of ours, as the table has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    pub game: GameId,
    /// Its round and its number there, both read off the game's id.
    pub match_id: MatchId,
    pub my_role: Part,
    pub referee: Option<Address>,
    pub opponent: Option<Address>,
}

impl Assignment {
    /// The games of ours among the rows of a table, each once, in the order of their ids.
    pub(super) fn ours(me: &Agent, rows: &[AssignmentRow]) -> Vec<Self> {
        let mine = rows.iter().filter(|row| row.part != Part::Referee && is_ours(me, row));
        let mut games: Vec<Self> = mine.filter_map(|row| Self::of(row, rows)).collect();
        games.sort_by(|one, other| one.game.cmp(&other.game));
        games.dedup_by(|one, other| one.game == other.game);
        games
    }

    fn of(mine: &AssignmentRow, rows: &[AssignmentRow]) -> Option<Self> {
        let address = |part| {
            let mut others = rows.iter().filter(|row| row.game == mine.game && row.part == part);
            others.find_map(|row| row.address.clone().filter(|address| !address.is_empty()))
        };
        let opposite = if mine.part == Part::Player1 { Part::Player2 } else { Part::Player1 };
        Some(Self {
            game: mine.game.clone(),
            match_id: mine.game.match_id()?,
            my_role: mine.part,
            referee: address(Part::Referee),
            opponent: address(opposite),
        })
    }
}

/// A row is ours by its address or, in tables that name only groups, by our group.
fn is_ours(me: &Agent, row: &AssignmentRow) -> bool {
    match &row.address {
        Some(address) if !address.is_empty() => *address == me.address,
        Some(_) | None => row.group.as_str().eq_ignore_ascii_case(me.profile.group.as_str()),
    }
}

/// A question that came by a letter. Its answer is a letter of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedInLetter {
    /// Which question of the match, counted from 1.
    pub number: u32,
    /// What the game calls what it asks for.
    pub kind: Cow<'static, str>,
    /// What the letter shows.
    pub view: Payload,
    pub deadline: Option<Timestamp>,
    /// Which answer of ours it needs: letters overtake each other.
    pub after: Option<u32>,
    /// What stands in it that our answer repeats.
    pub token: Option<Box<str>>,
}

/// The number of what tells us the score, which asks nothing: after every question.
pub(super) const SCORE: u32 = u32::MAX;

/// What a referee says to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Heard {
    Asks(AskedInLetter),
    Score(Box<Worth>),
}

impl Heard {
    /// What a referee says in that letter, if it says anything of a match.
    pub(super) fn of(act: &Act) -> Option<Self> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "two acts are a referee's")]
        match act {
            Act::Worth(said) => Some(Self::Score(Box::new(said.clone()))),
            Act::Ask(asked) => Some(Self::Asks(AskedInLetter {
                number: u32::from(asked.number) + 1,
                kind: act.kind().wanted().into(),
                view: asked.view.clone(),
                deadline: asked.deadline,
                after: act.kind().needs().map(|number| u32::from(number) + 1),
                token: asked.token.clone(),
            })),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> u32 {
        match self {
            Self::Asks(asked) => asked.number,
            Self::Score(_) => SCORE,
        }
    }

    /// The match's token, if it stands there.
    pub(super) fn token(&self) -> Option<&str> {
        match self {
            Self::Asks(asked) => asked.token.as_deref(),
            Self::Score(said) => said.token.as_deref(),
        }
    }
}

/// How the letters count a question.
pub(super) fn place(number: u32) -> u16 {
    u16::try_from(number.saturating_sub(1)).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests;
