//! What every agent writes down, whatever its role, and the season as it was told of it.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::act::Act;
use agon_proto::{
    Address, AgentId, LeagueId, Letter, MessageId, SeasonId, Timestamp, WrittenLetter, micros,
};
use serde::{Deserialize, Serialize};

use super::Credentials;
use crate::letterbox::LetterboxFact;

/// What became true for an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AgentFact {
    /// A letter was queued, taken or dealt with.
    Letterbox(LetterboxFact),
    /// It asks by call to be let in, with this number. Until it was answered it repeats that.
    Asked { nonce: u64 },
    /// A season is open. Another one than before: everything of that is forgotten.
    SeasonOpened { season: SeasonId, league: Option<LeagueId> },
    /// The league let it in; where it is called, with what proves it from now on.
    Admitted {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        season: Option<SeasonId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        league: Option<LeagueId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        given: Option<Credentials>,
    },
    /// The league did not, or not any more.
    Rejected { reason: Box<str> },
    /// The season stands still.
    Paused {
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// It goes on.
    Continued {
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The season is forgotten, by the manager's word.
    Reset,
    /// What proved us to the manager, and it to us, went with the season.
    Expired,
    /// The season is over.
    Completed {
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A letter came before anybody could say whether it is good. From that address, if by mail.
    Kept { from: Option<Address>, letter: Box<WrittenLetter> },
    /// All letters that were kept are looked at again; those that are still early are kept anew.
    Reconsidered,
}

impl AgentFact {
    /// Who it is from now on, if the league says so.
    pub fn admitted_as(&self) -> Option<AgentId> {
        if let Self::Admitted { given, .. } = self { given.as_ref()?.agent } else { None }
    }

    /// What it says about letters, if it does.
    pub const fn letterbox(&self) -> Option<&LetterboxFact> {
        if let Self::Letterbox(fact) = self { Some(fact) } else { None }
    }
}

impl From<LetterboxFact> for AgentFact {
    fn from(fact: LetterboxFact) -> Self {
        Self::Letterbox(fact)
    }
}

/// Whether we are in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Membership {
    #[default]
    Outside,
    Applying,
    In,
    Rejected(Box<str>),
}

/// The season, as far as we were told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SeasonTold {
    pub(crate) league: Option<LeagueId>,
    pub(crate) id: Option<SeasonId>,
    pub(crate) membership: Membership,
    pub(crate) paused_at: Option<Timestamp>,
    pub(crate) completed: Option<Timestamp>,
    /// The ids of requests of ours.
    pub(crate) requests: BTreeSet<MessageId>,
    /// Seasons that are forgotten: mails overtake each other, and some are still about them.
    past: BTreeSet<SeasonId>,
}

impl SeasonTold {
    pub(crate) fn is_another(&self, season: &SeasonId) -> bool {
        self.id.as_ref().is_some_and(|ours| ours != season)
    }

    /// Whether a letter is about a season that is forgotten.
    pub(crate) fn is_past(&self, letter: &Letter) -> bool {
        season_of(letter).is_some_and(|season| self.past.contains(season))
    }

    /// Whether a letter is about another season than ours.
    pub(crate) fn is_elsewhere(&self, letter: &Letter) -> bool {
        self.is_past(letter) || season_of(letter).is_some_and(|season| self.is_another(season))
    }

    /// A request of ours is on its way. Called from `apply`.
    pub(super) fn requested(&mut self, id: &MessageId) {
        self.requests.insert(id.clone());
        if self.membership != Membership::In {
            self.membership = Membership::Applying;
        }
    }

    /// A season is open. Called from `apply`.
    pub(super) fn open(&mut self, season: &SeasonId, league: Option<&LeagueId>) {
        if self.is_another(season) {
            self.forget();
        }
        self.past.remove(season);
        self.id = Some(season.clone());
        self.learn(league);
    }

    /// We know nothing of a season any more. Called from `apply`.
    pub(super) fn forget(&mut self) {
        // An answer to an old request still has to be known as one.
        let requests = std::mem::take(&mut self.requests);
        let mut past = std::mem::take(&mut self.past);
        past.extend(self.id.take());
        *self = Self { league: self.league.take(), requests, past, ..Self::default() };
    }

    /// That is what it is called, if we did not know. Called from `apply`.
    pub(crate) fn name(&mut self, season: Option<&SeasonId>) {
        self.id = self.id.take().or_else(|| season.cloned());
    }

    /// That is the league, if it was said. Called from `apply`.
    pub(crate) fn learn(&mut self, league: Option<&LeagueId>) {
        if league.is_some() {
            self.league = league.cloned();
        }
    }
}

/// The season that a letter is about, if it says so.
#[expect(clippy::wildcard_enum_match_arm, reason = "four of 40 letters name it in what they say")]
pub(crate) fn season_of(letter: &Letter) -> Option<&SeasonId> {
    let said = match &letter.act {
        Act::Decide(said) => said.season.as_ref(),
        Act::AssignmentTable(said) | Act::TableAnswer(said) => said.season.as_ref(),
        Act::SeasonCompleted(said) => said.season.as_ref(),
        _ => None,
    };
    said.or(letter.head.context.season.as_ref()).filter(|season| !season.is_empty())
}
