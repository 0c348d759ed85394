//! All that a referee has from its facts. Read again, the same facts make the same of it.
//!
//! Nothing is decided here: what an event led to in a match was judged when it was new.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use agon_proto::{MatchId, Timestamp};
use rustc_hash::FxHashMap;

use super::fact::RefereeFact;
use super::held::{Held, Judged, Matches, Pairing, Stage};
use super::letters::{Exchange, Schedule};
use super::told::Told;
use crate::agent::{Agent, AgentFact};
use crate::matches::{Match, MatchTerms};

/// All that a referee has from its facts.
#[derive(Debug)]
pub(super) struct Records {
    pub(super) me: Agent,
    pub(super) matches: Matches,
    /// By call: the latest attempt seen of each match of the newest rounds, so that an old letter
    /// is known.
    pub(super) seen: FxHashMap<MatchId, u32>,
    /// By call: whose players know how their match ended.
    pub(super) told: Told,
    /// By letter: the season's table, and the round.
    pub(super) schedule: Schedule,
}

impl Records {
    pub(super) fn new(me: Agent) -> Self {
        let (matches, seen) = (Matches::default(), FxHashMap::default());
        Self { me, matches, seen, told: Told::default(), schedule: Schedule::default() }
    }

    /// The clock of all matches: it stands still while the league is paused.
    pub(super) fn clock(&self, now: Timestamp) -> Timestamp {
        self.me.season.paused_at.map_or(now, |paused| paused.min(now))
    }

    /// Something became true.
    pub(super) fn apply(&mut self, fact: &RefereeFact) {
        let held = &mut self.matches.held;
        match fact {
            RefereeFact::Agent(fact) => {
                if self.is_another_season(fact) {
                    self.schedule = Schedule::default();
                    self.matches = Matches::default();
                }
                self.me.apply(fact);
            }
            RefereeFact::Assigned(assignment) => {
                self.seen.insert(assignment.match_id, assignment.attempt);
                let pairing = Pairing::Called(assignment.clone());
                held.insert(assignment.match_id, Held { pairing, stage: Stage::Abandoned });
            }
            RefereeFact::Scheduled { season, league, fixtures } => {
                self.me.season.name(season.as_ref());
                self.me.season.learn(league.as_ref());
                self.schedule.fixtures = Some(fixtures.clone());
            }
            RefereeFact::RoundBegan(round) => {
                self.schedule.round = Some(round.clone());
                self.schedule.round_ended = false;
            }
            RefereeFact::RoundEnded { .. } => self.schedule.round_ended = true,
            RefereeFact::Started(start) => {
                let pairing = Pairing::Written(Box::new(Exchange::new(start.clone())));
                held.insert(start.fixture.match_id, Held { pairing, stage: Stage::Abandoned });
                let terms = Arc::new(MatchTerms::once(&start.played));
                self.matches.play(start.fixture.match_id, Match::new(terms));
            }
            RefereeFact::Answered { match_id, seat, step, letter } => {
                if let Some(Held { pairing: Pairing::Written(exchange), .. }) =
                    held.get_mut(match_id)
                {
                    exchange.answered(*seat, *step, letter);
                }
            }
            RefereeFact::Stepped { match_id, progress } => {
                self.matches.restore(*match_id, progress)
            }
            RefereeFact::Judged { match_id, verdict, details, transcript, .. } => {
                let (details, transcript) = (details.clone(), transcript.clone());
                let judged = Judged { verdict: *verdict, details, transcript };
                self.matches.judge(*match_id, judged);
            }
            RefereeFact::Recorded { match_id, attempt } => {
                self.matches.owe_news(*match_id, *attempt);
            }
            RefereeFact::Settled { match_id, attempt } => {
                if let Entry::Occupied(held) = held.entry(*match_id)
                    && held.get().pairing.attempt() == *attempt
                    && let Stage::Telling(..) = held.remove().stage
                {
                    self.told.add(*match_id);
                }
            }
        }
    }

    /// Whether everything of the old season is forgotten.
    fn is_another_season(&self, fact: &AgentFact) -> bool {
        if let AgentFact::SeasonOpened { season, .. } = fact {
            return self.me.season.is_another(season);
        }
        *fact == AgentFact::Reset
    }
}
