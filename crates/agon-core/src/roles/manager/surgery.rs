//! What ends a match or a player's season from outside the game: absence, and the operator's hand.
//!
//! Each is a fact with its reason. The table is recomputed, and whoever it concerns is told.
//!
//! Spec: docs/protocol/season.md

use agon_proto::message::PlayerWithdrawn;
use agon_proto::tool::{LeaguePhase, ToolParams};
use agon_proto::{ConversationId, DisplayName, MatchId, PlayerId, Timestamp};

use super::{Manager, Out};
use crate::Refusal;
use crate::desk::Place;
use crate::effect::Topic;
use crate::fact::{LeagueFact, Order};

impl Manager {
    /// The operator takes a result back, or will not have one.
    pub(super) fn void_match(
        &mut self,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let match_id = params.match_id.ok_or(Refusal::BadValue("match_id is missing"))?;
        self.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        self.season
            .attempt(match_id)
            .ok_or(Refusal::OutOfTurn("this round is not announced yet"))?;
        let before = self.season.result(match_id).copied();
        self.record(LeagueFact::MatchVoided { match_id, order, at: now }, out);
        if before.is_some() {
            self.tell_standings(now, out);
            return Ok(());
        }
        self.desk.finish(match_id.number);
        if let Some(attempt) = self.season.attempt(match_id) {
            self.dispatch(attempt.referee, now, out);
        }
        self.advance(now, out);
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
        self.registry.player(player).ok_or(Refusal::UnknownPlayer(player))?;
        self.withdraw(player, Some(order), now, out);
        self.advance(now, out);
        Ok(())
    }

    /// Withdraws whoever was absent from too many matches in a row.
    pub(super) fn withdraw_absent(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        let bound = self.settings.withdraw_after;
        let Some(fixture) = self.season.fixture(match_id).filter(|_| bound > 0) else {
            return;
        };
        for player in [fixture.a, fixture.b] {
            if self.season.absences(player) >= bound {
                self.withdraw(player, None, now, out);
            }
        }
    }

    /// That player plays no more. Saying so twice is no error, and changes nothing.
    fn withdraw(&mut self, player: PlayerId, order: Option<Order>, now: Timestamp, out: &mut Out) {
        if self.season.is_withdrawn(player) {
            return;
        }
        let reason = match &order {
            Some(order) => order.reason.as_str().into(),
            None => format!("absent from {} matches in a row", self.season.absences(player)),
        };
        self.record(LeagueFact::PlayerWithdrawn { player, order, at: now }, out);
        let league_id = self.settings.league_id.clone();
        let news = PlayerWithdrawn { league_id, player_id: player, reason: reason.into() };
        let conversation = ConversationId::new(&format!("conv-withdrawn-{player}"));
        self.broadcast(news.into(), conversation, Topic::News, now, out);
        self.forfeit_waiting(now, out);
    }

    /// Gives the matches that somebody cannot play any more to the others. A match that is with
    /// its referee is played to its end.
    pub(super) fn forfeit_waiting(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.season.round();
        for number in 1..=self.season.format().matches_per_round() {
            let match_id = MatchId::new(round, number);
            let waits = self.desk.place(number) == Some(Place::Waiting);
            let held = self.season.attempt(match_id).filter(|_| waits);
            if let Some((attempt, verdict)) = held.zip(self.season.forfeit(match_id)) {
                let (attempt, referee) = (attempt.number, attempt.referee);
                let fact =
                    LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, at: now };
                self.record(fact, out);
                self.desk.finish(number);
            }
        }
    }

    /// Who orders it and why. An order without a reason is none, and so is one after the end.
    fn order(&self, params: &ToolParams) -> Result<Order, Refusal> {
        if self.season.phase() == LeaguePhase::Completed {
            return Err(Refusal::OutOfTurn("the league is complete"));
        }
        let reason = params.reason.clone().filter(|reason| !reason.as_str().trim().is_empty());
        let reason = reason.ok_or(Refusal::BadValue("reason is missing"))?;
        let by = params.by.clone().unwrap_or_else(|| DisplayName::new("operator"));
        Ok(Order { by, reason })
    }
}
