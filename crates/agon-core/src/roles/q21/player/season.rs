//! The season, as a player was told of it.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::dialect::q21::{Body, Letter};
use agon_proto::{LeagueId, MessageId, SeasonId, Timestamp};

use crate::Refusal;

/// Whether we are in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Registration {
    #[default]
    Unasked,
    Asked,
    Confirmed,
    Rejected(Box<str>),
}

/// The season, as far as we were told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct League {
    pub(super) league: Option<LeagueId>,
    pub(super) season: Option<SeasonId>,
    pub(super) registration: Registration,
    pub(super) has_table: bool,
    pub(super) paused: bool,
    pub(super) completed: Option<Timestamp>,
    requests: BTreeSet<MessageId>,
    /// Seasons that are forgotten: mails overtake each other, and some are still about them.
    past: BTreeSet<SeasonId>,
}

impl League {
    /// Whether that is the id of a request of ours.
    pub(super) fn has_requested(&self, id: &MessageId) -> bool {
        self.requests.contains(id)
    }

    /// A request of ours is on its way. Called from `apply`.
    pub(super) fn requested(&mut self, id: &MessageId) {
        self.requests.insert(id.clone());
        if self.registration != Registration::Confirmed {
            self.registration = Registration::Asked;
        }
    }

    /// A season is open. Called from `apply`.
    pub(super) fn open(&mut self, season: &SeasonId, league: Option<&LeagueId>) {
        if self.is_another(season) {
            self.forget();
        }
        self.past.remove(season);
        self.season = Some(season.clone());
        self.learn(league);
    }

    /// We know nothing of a season any more. Called from `apply`.
    pub(super) fn forget(&mut self) {
        // An answer to an old request still has to be known as one.
        let requests = std::mem::take(&mut self.requests);
        let mut past = std::mem::take(&mut self.past);
        past.extend(self.season.take());
        *self = Self { league: self.league.take(), requests, past, ..Self::default() };
    }

    /// We are in. Called from `apply`.
    pub(super) fn confirm(&mut self, season: Option<&SeasonId>, league: Option<&LeagueId>) {
        self.registration = Registration::Confirmed;
        self.season = self.season.take().or_else(|| season.cloned());
        self.learn(league);
    }

    fn learn(&mut self, league: Option<&LeagueId>) {
        if league.is_some() {
            self.league = league.cloned();
        }
    }

    pub(super) fn is_another(&self, season: &SeasonId) -> bool {
        self.season.as_ref().is_some_and(|ours| ours != season)
    }

    /// Letters about another season change nothing in this one.
    pub(super) fn concerns_us(&self, letter: &Letter) -> Result<(), Refusal> {
        match season_of(letter) {
            Some(season) if self.is_another(season) || self.past.contains(season) => {
                Err(Refusal::OutOfTurn("it is about another season"))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// The season that a letter is about, if it says so.
#[expect(clippy::wildcard_enum_match_arm, reason = "four of 40 letters name it in what they say")]
pub(super) fn season_of(letter: &Letter) -> Option<&SeasonId> {
    let said = match &letter.body {
        Body::RegistrationAnswer(said) => said.season.as_ref(),
        Body::AssignmentTable(said) | Body::TableAnswer(said) => said.season.as_ref(),
        Body::LeagueCompleted(said) => said.season.as_ref(),
        _ => None,
    };
    said.or(letter.context.season.as_ref()).filter(|season| !season.is_empty())
}
