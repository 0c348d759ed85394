//! What the operator orders: that the league stands still, what becomes of a match or a player, a
//! fresh token for an agent.
//!
//! Each is a fact with its reason. The table is recomputed, and whoever it concerns is told.
//!
//! Spec: docs/protocol/season.md, docs/protocol/registration.md

use agon_proto::act::Task;
use agon_proto::message::Cause;
use agon_proto::tool::{FreshToken, LeaguePhase, ToolParams};
use agon_proto::{AgentId, DisplayName, MatchId};

use super::conduct::Conduct;
use crate::fact::{LeagueFact, Order};
use crate::format::Fixture;
use crate::season::Attempt;
use crate::{Refusal, TokenHash};

/// The operator's orders.
pub(super) struct Corrections<'a>(pub(super) Conduct<'a>);

impl Corrections<'_> {
    /// The league stands still.
    pub(super) fn pause(&mut self, order: &Order) {
        let at = self.0.book.now;
        self.0.book.record(LeagueFact::Paused { order: Some(order.clone()), at });
        self.0.book.tell().halt(Task::Pause, order);
    }

    /// The league goes on.
    pub(super) fn go_on(&mut self, order: &Order) {
        let at = self.0.book.now;
        self.0.book.record(LeagueFact::Resumed { order: Some(order.clone()), at });
        self.0.book.tell().halt(Task::Continue, order);
        self.0.hand_out_all();
    }

    /// The operator takes a result back, or will not have one.
    pub(super) fn void_match(&mut self, params: &ToolParams) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let (match_id, _, _) = self.concerned(params)?;
        let before = self.0.book.league().season.result(match_id).copied();
        if before.is_some_and(|record| record.verdict.cause == Cause::CancelledByOperator) {
            return Ok(());
        }
        let at = self.0.book.now;
        self.0.book.record(LeagueFact::MatchVoided { match_id, order: order.clone(), at });
        self.0.book.tell().voided(match_id, &order);
        if before.is_some() {
            self.0.book.tell().table();
            return Ok(());
        }
        self.0.in_play.assignments.finish(match_id);
        if let Some(attempt) = self.0.book.league().season.attempt(match_id) {
            self.0.hand_out(attempt.referee);
        }
        Ok(())
    }

    /// The match that an order is about; it must have been announced.
    fn concerned(&self, params: &ToolParams) -> Result<(MatchId, Fixture, Attempt), Refusal> {
        let match_id = params.match_id.ok_or(Refusal::BadValue("match_id is missing"))?;
        let season = &self.0.book.league().season;
        let fixture = season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        let attempt = season.attempt(match_id);
        let attempt = attempt.ok_or(Refusal::OutOfTurn("this round is not announced yet"))?;
        Ok((match_id, fixture, attempt))
    }

    /// The operator has a match played again. One that has no result is being played already.
    pub(super) fn rerun_match(&mut self, params: &ToolParams) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let (match_id, fixture, before) = self.concerned(params)?;
        let (league, at) = (self.0.book.league(), self.0.book.now);
        if !league.settings.says().attempts {
            return Err(Refusal::Unsupported("a match of this league is not played again"));
        }
        if league.season.result(match_id).is_none() {
            return Ok(());
        }
        let mut players = [fixture.a, fixture.b].into_iter();
        if let Some(gone) = players.find(|id| league.season.is_withdrawn(*id)) {
            return Err(Refusal::Withdrawn(gone));
        }
        let (attempt, referee) =
            (before.number + 1, self.0.in_play.another(before.referee, league));
        self.0.book.record(LeagueFact::MatchRerun { match_id, attempt, referee, order, at });
        self.0.book.tell().table();
        self.0.book.tell().played_again(match_id);
        self.0.in_play.assignments.play_again(match_id, referee);
        self.0.hand_out(referee);
        Ok(())
    }

    /// The operator takes a player out of the league.
    pub(super) fn withdraw_player(&mut self, params: &ToolParams) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let player = params.player_id.ok_or(Refusal::BadValue("player_id is missing"))?;
        let unknown = Refusal::Unknown(AgentId::Player(player));
        self.0.book.league().registry.player(player).ok_or(unknown)?;
        self.0.withdraw(player, Some(order));
        Ok(())
    }

    /// The operator gives an agent a fresh token: its author has lost the old one, or let others
    /// get hold of it. A player that was withdrawn may play again.
    ///
    /// The old token dies at once. Until the agent has shown the fresh one nothing else lets it in,
    /// not even its own address: whoever sits there now may be somebody else.
    pub(super) fn reset_agent(&mut self, params: &ToolParams) -> Result<Box<FreshToken>, Refusal> {
        let order = self.order(params)?;
        let agent = match (params.player_id, params.referee_id) {
            (Some(id), None) => AgentId::Player(id),
            (None, Some(id)) => AgentId::Referee(id),
            (None, None) => return Err(Refusal::BadValue("player_id or referee_id is missing")),
            (Some(_), Some(_)) => {
                return Err(Refusal::BadValue("player_id and referee_id: one at a time"));
            }
        };
        let (records, at) = (self.0.book.records(), self.0.book.now);
        let known = records.league.registry.agent(agent).ok_or(Refusal::Unknown(agent))?;
        let auth_token = records.options.secrets.mint((agent, known.number + 1), None);
        let token = TokenHash::of(&auth_token).expect("a minted token is one of ours");
        let withdrawn = |player| records.league.season.is_withdrawn(player);
        let readmitted = params.player_id.is_some_and(withdrawn);
        match agent {
            AgentId::Player(player) => {
                self.0.book.record(LeagueFact::PlayerReset { player, token, order, at });
            }
            AgentId::Referee(referee) => {
                self.0.book.record(LeagueFact::RefereeReset { referee, token, order, at });
                // Whoever runs with the old token is not heard any more: its matches go elsewhere.
                self.0.give_up_on(referee);
            }
        }
        let (player_id, referee_id) = (params.player_id, params.referee_id);
        Ok(Box::new(FreshToken { player_id, referee_id, auth_token, readmitted }))
    }

    /// Who orders it and why. An order without a reason is none, and so is one after the end.
    fn order(&self, params: &ToolParams) -> Result<Order, Refusal> {
        if self.0.book.league().season.phase() == LeaguePhase::Completed {
            return Err(Refusal::OutOfTurn("the league is complete; its results are final"));
        }
        let reason = params.reason.clone().filter(|reason| !reason.as_str().trim().is_empty());
        let reason = reason.ok_or(Refusal::BadValue("reason is missing"))?;
        let by = params.by.clone().unwrap_or_else(|| DisplayName::new("operator"));
        Ok(Order { by, reason })
    }
}
