//! What ends a match or a player's season from outside the game: absence, and the operator's hand.
//!
//! Each is a fact with its reason. The table is recomputed, and whoever it concerns is told.
//!
//! Spec: docs/protocol/season.md

use agon_proto::message::Cause;
use agon_proto::tool::{LeaguePhase, ToolParams};
use agon_proto::{DisplayName, MatchId, Payload, PlayerId, Timestamp};

use super::{Manager, Out};
use crate::Refusal;
use crate::fact::{LeagueFact, Order};
use crate::format::Fixture;
use crate::season::Attempt;

impl Manager {
    /// The operator takes a result back, or will not have one.
    pub(super) fn void_match(
        &mut self,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let (match_id, _, _) = self.concerned(params)?;
        let before = self.league.season.result(match_id).copied();
        if before.is_some_and(|record| record.verdict.cause == Cause::CancelledByOperator) {
            return Ok(());
        }
        self.record(LeagueFact::MatchVoided { match_id, order: order.clone(), at: now }, out);
        self.tell_voided(match_id, &order, now, out);
        if before.is_some() {
            self.tell_table(now, out);
            return Ok(());
        }
        self.assignments.finish(match_id);
        if let Some(attempt) = self.league.season.attempt(match_id) {
            self.hand_out(attempt.referee, now, out);
        }
        Ok(())
    }

    /// The match that an order is about; it must have been announced.
    fn concerned(&self, params: &ToolParams) -> Result<(MatchId, Fixture, Attempt), Refusal> {
        let match_id = params.match_id.ok_or(Refusal::BadValue("match_id is missing"))?;
        let fixture = self.league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        let attempt = self.league.season.attempt(match_id);
        let attempt = attempt.ok_or(Refusal::OutOfTurn("this round is not announced yet"))?;
        Ok((match_id, fixture, attempt))
    }

    /// The operator has a match played again. One that has no result is being played already.
    pub(super) fn rerun_match(
        &mut self,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let (match_id, fixture, before) = self.concerned(params)?;
        if !self.league.settings.says().attempts {
            return Err(Refusal::Unsupported("a match of this league is not played again"));
        }
        if self.league.season.result(match_id).is_none() {
            return Ok(());
        }
        if let Some(gone) =
            [fixture.a, fixture.b].into_iter().find(|id| self.league.season.is_withdrawn(*id))
        {
            return Err(Refusal::Withdrawn(gone));
        }
        let (attempt, referee) = (before.number + 1, self.another(before.referee));
        self.record(LeagueFact::MatchRerun { match_id, attempt, referee, order, at: now }, out);
        self.tell_table(now, out);
        self.tell_again_played(match_id, now, out);
        self.assignments.play_again(match_id, referee);
        self.hand_out(referee, now, out);
        Ok(())
    }

    /// The operator takes a player out of the league.
    pub(super) fn withdraw_player(
        &mut self,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let player = params.player_id.ok_or(Refusal::BadValue("player_id is missing"))?;
        self.league.registry.player(player).ok_or(Refusal::UnknownPlayer(player))?;
        self.withdraw(player, Some(order), now, out);
        Ok(())
    }

    /// Withdraws whoever was absent from too many matches in a row.
    pub(super) fn withdraw_absent(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        let bound = self.league.settings.withdraw_after;
        let Some(fixture) = self.league.season.fixture(match_id).filter(|_| bound > 0) else {
            return;
        };
        for player in [fixture.a, fixture.b] {
            if self.league.season.absences(player) >= bound {
                self.withdraw(player, None, now, out);
            }
        }
    }

    /// That player plays no more. Saying so twice is no error, and changes nothing.
    fn withdraw(&mut self, player: PlayerId, order: Option<Order>, now: Timestamp, out: &mut Out) {
        if self.league.season.is_withdrawn(player) {
            return;
        }
        let reason = match &order {
            Some(order) => order.reason.as_str().into(),
            None => format!("absent from {} matches in a row", self.league.season.absences(player)),
        };
        self.record(LeagueFact::PlayerWithdrawn { player, order, at: now }, out);
        self.tell_withdrawn(player, reason.into(), now, out);
        self.forfeit(self.assignments.waiting(), now, out);
    }

    /// Gives those matches that somebody cannot play any more to the others. One that is with its
    /// referee is played to its end.
    pub(super) fn forfeit(&mut self, open: Vec<MatchId>, now: Timestamp, out: &mut Out) {
        for match_id in open {
            let held = self.league.season.attempt(match_id);
            if let Some((attempt, verdict)) = held.zip(self.league.season.forfeit(match_id)) {
                let (attempt, referee) = (attempt.number, attempt.referee);
                let fact = LeagueFact::ResultAccepted {
                    match_id,
                    attempt,
                    referee,
                    verdict,
                    details: Payload::default(),
                    unverified: false,
                    at: now,
                };
                self.record(fact, out);
                self.assignments.finish(match_id);
            }
        }
    }

    /// Who orders it and why. An order without a reason is none, and so is one after the end.
    pub(super) fn order(&self, params: &ToolParams) -> Result<Order, Refusal> {
        if self.league.season.phase() == LeaguePhase::Completed {
            return Err(Refusal::OutOfTurn("the league is complete; its results are final"));
        }
        let reason = params.reason.clone().filter(|reason| !reason.as_str().trim().is_empty());
        let reason = reason.ok_or(Refusal::BadValue("reason is missing"))?;
        let by = params.by.clone().unwrap_or_else(|| DisplayName::new("operator"));
        Ok(Order { by, reason })
    }
}
