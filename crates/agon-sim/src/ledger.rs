//! The manager's journal, folded a second time by other code than the manager's own.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::format::Paper;
use agon_core::{LeagueFact, Outcome, Settings, Verdict};
use agon_proto::message::{Blame, Cause, ReportDetails};
use agon_proto::{MatchId, Payload, PlayerId, RefereeId, RoundId};

/// What the journal says so far.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    settings: Option<Settings>,
    pub(crate) paper: Paper,
    pub(crate) announced: RoundId,
    pub(crate) completed: RoundId,
    pub(crate) over: bool,
    pub(crate) matches: BTreeMap<MatchId, Entry>,
    pub(crate) withdrawn: BTreeSet<PlayerId>,
    /// Every result that was ever accepted, by attempt: a match may be played again.
    accepted: BTreeMap<(MatchId, u32), (Verdict, Payload)>,
}

/// One match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) attempt: u32,
    pub(crate) referee: RefereeId,
    pub(crate) verdict: Option<Verdict>,
}

impl Ledger {
    pub(crate) fn verdict(&self, match_id: MatchId) -> Option<Verdict> {
        self.matches.get(&match_id)?.verdict
    }

    /// The result that was accepted in that attempt, whether it still counts or not.
    pub(crate) fn accepted(&self, match_id: MatchId, attempt: u32) -> Option<Verdict> {
        self.accepted.get(&(match_id, attempt)).map(|(verdict, _)| *verdict)
    }

    /// What was played in that attempt.
    pub(crate) fn played(&self, match_id: MatchId, attempt: u32) -> ReportDetails {
        let kept = self.accepted.get(&(match_id, attempt)).zip(self.paper.fixture(match_id));
        kept.map_or_else(ReportDetails::default, |((_, details), fixture)| {
            ReportDetails::of(details, [fixture.a, fixture.b])
        })
    }

    /// A match that was given to somebody and has no result.
    pub(crate) fn open(&self) -> Option<MatchId> {
        self.matches.iter().find(|(_, entry)| entry.verdict.is_none()).map(|(id, _)| *id)
    }

    pub(crate) fn write(&mut self, fact: &LeagueFact) {
        match fact {
            LeagueFact::Opened { settings, .. } => self.settings = Some(Settings::clone(settings)),
            LeagueFact::SeasonStarted { lineup, .. } => {
                let paper = self.settings.as_ref().and_then(|settings| settings.paper(lineup));
                self.paper = paper.unwrap_or_default();
            }
            LeagueFact::RoundAnnounced { round, referees, .. } => {
                self.announced = *round;
                for (id, referee) in self.paper.matches_in(*round).zip(referees) {
                    let entry = |referee| Entry { attempt: 1, referee, verdict: None };
                    self.matches.extend(referee.map(|referee| (id, entry(referee))));
                }
            }
            LeagueFact::MatchReassigned { match_id, attempt, referee, .. } => {
                if let Some(entry) = self.matches.get_mut(match_id) {
                    (entry.attempt, entry.referee) = (*attempt, *referee);
                }
            }
            LeagueFact::MatchRerun { match_id, attempt, referee, .. } => {
                let entry = Entry { attempt: *attempt, referee: *referee, verdict: None };
                self.matches.insert(*match_id, entry);
            }
            LeagueFact::ResultAccepted { match_id, attempt, verdict, details, .. } => {
                self.accepted.insert((*match_id, *attempt), (*verdict, details.clone()));
                if let Some(entry) = self.matches.get_mut(match_id) {
                    entry.verdict = Some(*verdict);
                }
            }
            LeagueFact::MatchVoided { match_id, .. } => {
                if let Some(entry) = self.matches.get_mut(match_id) {
                    entry.verdict = Some(voided());
                }
            }
            LeagueFact::PlayerWithdrawn { player, .. } => {
                self.withdrawn.insert(*player);
            }
            LeagueFact::PlayerReset { player, .. } => {
                self.withdrawn.remove(player);
            }
            LeagueFact::RoundCompleted { round, .. } => self.completed = *round,
            LeagueFact::LeagueCompleted { .. } => self.over = true,
            LeagueFact::Registered(_)
            | LeagueFact::RefereeReset { .. }
            | LeagueFact::ResultDisputed { .. }
            | LeagueFact::Paused { .. }
            | LeagueFact::Resumed { .. }
            | LeagueFact::Post(_)
            | LeagueFact::Q21(_) => {}
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
