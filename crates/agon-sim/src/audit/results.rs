//! The results of a season, folded from the manager's journal by other code than the league's.

use std::collections::BTreeMap;

use agon_core::{LeagueFact, Outcome, SeasonFact, Verdict};
use agon_proto::message::{Blame, Cause};
use agon_proto::{MatchId, Payload, RefereeId, RoundId};

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
        self.matches.entry(match_id).and_modify(|entry| entry.verdict = verdict);
    }

    pub(super) fn write(&mut self, fact: &LeagueFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is not about results")]
        match fact {
            // What was played in it counts no more.
            LeagueFact::Season(SeasonFact::SeasonReset { .. }) => *self = Self::default(),
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
            LeagueFact::MatchVoided { match_id, .. } => {
                let (outcome, cause) = (Outcome::Cancelled, Cause::CancelledByOperator);
                let voided = Verdict::unplayed(outcome, cause, Blame::Operator);
                self.settle(*match_id, Some(voided));
            }
            LeagueFact::RoundCompleted { round, .. } => self.completed = *round,
            LeagueFact::LeagueCompleted { .. } => self.over = true,
            _ => {}
        }
    }
}
