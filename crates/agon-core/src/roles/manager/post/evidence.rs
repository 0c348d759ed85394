//! What players say of their games: kept, and shown where it contradicts the result. It changes
//! nothing, because only a referee's word counts.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::message::Cause;
use agon_proto::q21::{PlayerPhase, StatusReport};
use agon_proto::{AgentId, MatchId, Timestamp};

use super::super::{Manager, Out};
use super::admission::Voice;
use crate::Refusal;
use crate::fact::{LeagueFact, Q21Fact};
use crate::format::Fixture;
use crate::verdict::{Seat, Verdict};

impl Manager {
    pub(super) fn take_evidence(
        &mut self,
        voice: &Voice,
        report: &StatusReport,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let Some(AgentId::Player(player)) = self.agent_at(&voice.address) else {
            return Err(Refusal::NotPermitted("status reports come from players"));
        };
        let Some(Fixture { a, b }) = self.league.season.fixture(match_id) else {
            return Err(Refusal::NoSuchMatch);
        };
        if ![a, b].contains(&player) {
            return Err(Refusal::NotPermitted("this player is not in that game"));
        }
        if !self.league.evidence.has(match_id, player, report) {
            let report = Box::new(report.clone());
            let fact = Q21Fact::Evidence { match_id, player, report, at: now };
            self.record(LeagueFact::Q21(fact), out);
            self.note_contradictions(match_id, now, out);
        }
        Ok(())
    }

    /// Writes down who says something else than the result, once for each.
    pub(in crate::roles::manager) fn note_contradictions(
        &mut self,
        match_id: MatchId,
        now: Timestamp,
        out: &mut Out,
    ) {
        let result = self.league.season.fixture(match_id).zip(self.league.season.result(match_id));
        let Some((Fixture { a, b }, verdict)) = result.map(|(it, record)| (it, record.verdict))
        else {
            return;
        };
        for (seat, player) in Seat::BOTH.into_iter().zip([a, b]) {
            let report = self.league.evidence.of(match_id, player);
            let against = report.is_some_and(|report| contradicts(report, &verdict, seat));
            if against && !self.league.evidence.is_contradicted(match_id, player) {
                let fact = Q21Fact::Contradicted { match_id, player, at: now };
                self.record(LeagueFact::Q21(fact), out);
            }
        }
    }
}

/// Whether a player cannot be right if the verdict is.
fn contradicts(report: &StatusReport, verdict: &Verdict, seat: Seat) -> bool {
    match (report.phase, report.points) {
        (PlayerPhase::Completed, Some((points, score))) => {
            verdict.score(seat) != Some(score) || verdict.points[seat.index()] != points
        }
        (PlayerPhase::Completed, None) => false,
        (
            PlayerPhase::Initialized
            | PlayerPhase::WarmupComplete
            | PlayerPhase::QuestionsSent
            | PlayerPhase::GuessSubmitted
            | PlayerPhase::Terminated,
            _,
        ) => verdict.cause == Cause::Played,
    }
}
