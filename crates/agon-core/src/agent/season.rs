//! The season, as an agent was told of it.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::{LeagueId, Letter, MessageId, SeasonId, Timestamp};

use agon_proto::act::Act;

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
    requests: BTreeSet<MessageId>,
    /// Seasons that are forgotten: mails overtake each other, and some are still about them.
    past: BTreeSet<SeasonId>,
}

impl SeasonTold {
    /// Whether that is the id of a request of ours.
    pub(crate) fn has_requested(&self, id: &MessageId) -> bool {
        self.requests.contains(id)
    }

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
