//! What the journals say so far: the league, folded by its own code, and the results, folded a
//! second time by other code than the league's.

use std::collections::BTreeMap;

use agon_core::format::Fixture;
use agon_core::{League, LeagueFact, Outcome, PlayerFact, RefereeFact, Verdict};
use agon_proto::message::{Blame, Cause, ReportDetails};
use agon_proto::{AgentId, MatchId, Payload, PlayerId, RefereeId, RoundId};

use super::Sight;
use crate::league;

pub(crate) struct Books {
    /// It stands still from the first broken promise on: it takes only facts that can be true.
    pub(crate) league: League,
    pub(crate) season: Results,
    /// Who the agents of these numbers are, by what they wrote down themselves.
    pub(crate) referees: BTreeMap<usize, RefereeId>,
    pub(crate) players: BTreeMap<usize, PlayerId>,
}

/// The results of a season.
#[derive(Debug, Default)]
pub(crate) struct Results {
    pub(crate) announced: RoundId,
    pub(crate) completed: RoundId,
    pub(crate) over: bool,
    pub(crate) matches: BTreeMap<MatchId, Entry>,
    /// Who was given which attempt.
    pub(crate) attempts: BTreeMap<(MatchId, u32), RefereeId>,
    /// Every result that was ever accepted, by attempt: a match may be played again.
    pub(crate) accepted: BTreeMap<(MatchId, u32), Accepted>,
}

/// One match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) attempt: u32,
    pub(crate) referee: RefereeId,
    pub(crate) verdict: Option<Verdict>,
}

/// One accepted result.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) referee: RefereeId,
    pub(crate) verdict: Verdict,
    pub(crate) details: Payload,
}

impl Default for Books {
    fn default() -> Self {
        Self {
            // What it plays and pays is in the first fact.
            league: League::new(league::settings()),
            season: Results::default(),
            referees: BTreeMap::new(),
            players: BTreeMap::new(),
        }
    }
}

impl Books {
    /// Who plays that match.
    pub(crate) fn fixture(&self, match_id: MatchId) -> Option<Fixture> {
        self.league.season().fixture(match_id)
    }

    /// What was played in that attempt.
    pub(crate) fn played(&self, match_id: MatchId, attempt: u32) -> ReportDetails {
        let kept = self.season.accepted.get(&(match_id, attempt)).zip(self.fixture(match_id));
        kept.map_or_else(ReportDetails::default, |(kept, Fixture { a, b })| {
            ReportDetails::of(&kept.details, [a, b])
        })
    }

    /// Writes down what was seen. Of what is not sound the league hears nothing.
    pub(super) fn see(&mut self, sight: &Sight<'_>, sound: bool) {
        if let Sight::LeagueWrote(fact) = sight {
            self.season.write(fact);
            if sound {
                self.league.apply(fact);
            }
        }
        if let Sight::RefereeWrote(node, RefereeFact::Agent(fact)) = sight
            && let Some(AgentId::Referee(id)) = fact.admitted_as()
        {
            self.referees.insert(*node, id);
        }
        if let Sight::PlayerWrote(node, PlayerFact::Agent(fact)) = sight
            && let Some(AgentId::Player(id)) = fact.admitted_as()
        {
            self.players.insert(*node, id);
        }
    }
}

impl Results {
    pub(crate) fn verdict(&self, match_id: MatchId) -> Option<Verdict> {
        self.matches.get(&match_id)?.verdict
    }

    /// The result that was accepted in that attempt, whether it still counts or not.
    pub(crate) fn accepted(&self, match_id: MatchId, attempt: u32) -> Option<Verdict> {
        self.accepted.get(&(match_id, attempt)).map(|kept| kept.verdict)
    }

    /// A match that was given to somebody and has no result.
    pub(crate) fn open(&self) -> Option<MatchId> {
        self.matches.iter().find(|(_, entry)| entry.verdict.is_none()).map(|(id, _)| *id)
    }

    /// How many matches have a result.
    pub(crate) fn count(&self) -> u64 {
        self.matches.values().filter(|entry| entry.verdict.is_some()).count() as u64
    }

    fn give(&mut self, match_id: MatchId, attempt: u32, referee: RefereeId) {
        let verdict = self.verdict(match_id);
        self.matches.insert(match_id, Entry { attempt, referee, verdict });
        self.attempts.insert((match_id, attempt), referee);
    }

    fn settle(&mut self, match_id: MatchId, verdict: Option<Verdict>) {
        if let Some(entry) = self.matches.get_mut(&match_id) {
            entry.verdict = verdict;
        }
    }

    fn write(&mut self, fact: &LeagueFact) {
        if fact.forgets_season() {
            *self = Self::default();
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is not about results")]
        match fact {
            LeagueFact::RoundAnnounced { round, referees, .. } => {
                self.announced = *round;
                for (number, referee) in (1..).zip(referees) {
                    if let Some(referee) = referee {
                        self.give(MatchId::new(*round, number), 1, *referee);
                    }
                }
            }
            LeagueFact::MatchReassigned { match_id, attempt, referee, .. } => {
                self.give(*match_id, *attempt, *referee);
            }
            LeagueFact::MatchRerun { match_id, attempt, referee, .. } => {
                self.give(*match_id, *attempt, *referee);
                self.settle(*match_id, None);
            }
            LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, details, .. } => {
                let (referee, verdict, details) = (*referee, *verdict, details.clone());
                let accepted = Accepted { referee, verdict, details };
                self.accepted.insert((*match_id, *attempt), accepted);
                self.settle(*match_id, Some(verdict));
            }
            LeagueFact::MatchVoided { match_id, .. } => self.settle(*match_id, Some(voided())),
            LeagueFact::RoundCompleted { round, .. } => self.completed = *round,
            LeagueFact::LeagueCompleted { .. } => self.over = true,
            _ => {}
        }
    }
}

/// What stands where the operator would have no result.
fn voided() -> Verdict {
    Verdict {
        outcome: Outcome::Cancelled,
        cause: Cause::CancelledByOperator,
        blame: Some(Blame::Operator),
        gains: None,
        points: [0, 0],
    }
}
