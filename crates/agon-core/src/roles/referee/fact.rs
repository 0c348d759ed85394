//! What a referee writes down. Read again, it gives the same referee. And what it was told of the
//! season's matches: three rows of the table for each of ours, found by our own address.
//!
//! Facts are what a journal holds, so their form is a promise: add variants, never change one. They
//! are outcomes. Of a match that is void after a restart its steps are not among them.
//!
//! Spec: docs/protocol/q21.md

use std::sync::Arc;

use agon_proto::act::AssignmentRow;
use agon_proto::message::{MatchAssignment, Transcript};
use agon_proto::{
    Address, AuthToken, GameId, GroupId, LeagueId, MatchId, MessageId, Part, Payload, SeasonId,
};
use serde::{Deserialize, Serialize};

use crate::AgentFact;
use crate::agent::{Agent, short_hash};
use crate::fact::is_nothing_charged;
use crate::letterbox::LetterboxFact;
use crate::matches::{MatchProgress, PlayedOnce};
use crate::verdict::{Seat, Verdict};

/// What a referee writes down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RefereeFact {
    /// What every agent writes down.
    Agent(AgentFact),
    /// It took a match.
    Assigned(Arc<MatchAssignment>),
    /// The season's table came: these matches are its own.
    Scheduled { season: Option<SeasonId>, league: Option<LeagueId>, fixtures: Vec<ScheduledMatch> },
    /// A round has begun.
    RoundBegan(RoundTold),
    /// It is over, by the manager's word.
    RoundEnded { number: u32 },
    /// A match of the table begins, and goes on after a restart.
    Started(Arc<Start>),
    /// A player has answered that question of such a match, in the letter of that id.
    Answered { match_id: MatchId, seat: Seat, step: u16, letter: MessageId },
    /// Something happened in such a match, and so it stands now.
    Stepped { match_id: MatchId, progress: Box<MatchProgress> },
    /// It judged an attempt, and owes the report, if that is not in the post.
    Judged {
        match_id: MatchId,
        attempt: u32,
        verdict: Verdict,
        /// What was played, as its game shows it to everybody.
        #[serde(default, skip_serializing_if = "Payload::is_null")]
        details: Payload,
        /// All that was played, in order, where the report tells that.
        #[serde(default, skip_serializing_if = "Payload::is_null")]
        acts: Payload,
        transcript: Transcript,
        /// How long each player was asked again.
        #[serde(default, skip_serializing_if = "is_nothing_charged")]
        charged_ms: [u32; 2],
    },
    /// The manager has the result, and its players are owed the news.
    Recorded { match_id: MatchId, attempt: u32 },
    /// Nothing is owed any more: the news was taken or given up, or there is none to tell.
    Settled { match_id: MatchId, attempt: u32 },
}

impl RefereeFact {
    /// What it says about letters, if it does.
    pub const fn letterbox(&self) -> Option<&LetterboxFact> {
        if let Self::Agent(fact) = self { fact.letterbox() } else { None }
    }
}

impl From<AgentFact> for RefereeFact {
    fn from(fact: AgentFact) -> Self {
        Self::Agent(fact)
    }
}

/// One of our matches, on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledMatch {
    pub match_id: MatchId,
    /// The same, as the table spells it.
    pub game: GameId,
    pub players: [Entrant; 2],
}

/// A player of one of our matches.
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
pub struct RoundTold {
    pub number: u32,
    /// In the manager's words.
    pub name: Box<str>,
    /// Who has checked in, if somebody keeps that list.
    pub present: Option<Vec<Address>>,
}

/// A match that begins, with everything that must not change under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    pub fixture: ScheduledMatch,
    /// The round, in the manager's words.
    pub round: Box<str>,
    pub played: PlayedOnce,
    /// What every letter of this match carries, for each player another.
    pub tokens: [AuthToken; 2],
}

/// What a referee was told of the season's matches.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    /// Our matches; `None` before the table came.
    pub(super) fixtures: Option<Vec<ScheduledMatch>>,
    /// The newest round.
    pub(super) round: Option<RoundTold>,
    pub(super) round_ended: bool,
}

impl Schedule {
    /// The number of the newest round; 0 before the first one.
    pub(super) fn newest(&self) -> u32 {
        self.round.as_ref().map_or(0, |round| round.number)
    }

    /// The round that is played.
    pub(super) fn under_way(&self) -> Option<&RoundTold> {
        self.round.as_ref().filter(|_| !self.round_ended)
    }

    /// The matches of the round that is played, as they would begin, and who has not checked in.
    pub(super) fn starts(&self, me: &Agent, played: &PlayedOnce) -> Vec<(Start, [bool; 2])> {
        let Some(round) = self.under_way() else {
            return Vec::new();
        };
        let is_absent = |player: &Entrant| {
            round.present.as_ref().is_some_and(|present| !present.contains(&player.address))
        };
        let start = |fixture: &ScheduledMatch| {
            let players = fixture.players.each_ref();
            let start = Start {
                fixture: fixture.clone(),
                round: round.name.clone(),
                played: played.clone(),
                tokens: players.map(|player| token(me, &fixture.game, player)),
            };
            (start, players.map(is_absent))
        };
        let of_round = |fixture: &&ScheduledMatch| fixture.match_id.round == round.number;
        self.fixtures.iter().flatten().filter(of_round).map(start).collect()
    }
}

/// What proves this player's letters in this match. By mail it follows from what we were started
/// with, and nobody can guess it; by call the manager gave it to both of us.
fn token(me: &Agent, game: &GameId, player: &Entrant) -> AuthToken {
    player.token.clone().unwrap_or_else(|| {
        let nonce = format!("{:016x}", me.profile.nonce);
        let digits = short_hash(&[&nonce, game.as_str(), player.address.as_str()]);
        AuthToken::from(format!("tok_{digits}").as_str())
    })
}

/// Our matches, in the order of the table. If nobody can tell its players or its round, it is none.
pub(super) fn fixtures(rows: &[AssignmentRow], us: &Address) -> Vec<ScheduledMatch> {
    let ours = |row: &&AssignmentRow| row.part == Part::Referee && row.address.as_ref() == Some(us);
    let mut found: Vec<ScheduledMatch> = Vec::new();
    for row in rows.iter().filter(ours) {
        if !found.iter().any(|fixture| fixture.game == row.game) {
            found.extend(fixture(rows, &row.game));
        }
    }
    found
}

fn fixture(rows: &[AssignmentRow], game: &GameId) -> Option<ScheduledMatch> {
    let match_id = game.match_id()?;
    let player = |part: Part| {
        let row = rows.iter().find(|row| row.game == *game && row.part == part)?;
        let address = row.address.clone().filter(|address| !address.is_empty())?;
        Some(Entrant { group: row.group.clone(), address, token: row.auth_token.clone() })
    };
    let players = [player(Part::Player1)?, player(Part::Player2)?];
    Some(ScheduledMatch { match_id, game: game.clone(), players })
}
