//! What a player and the league manager say to each other: the season, the table, the rounds and
//! the end.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Timestamp;
use agon_proto::dialect::q21::{
    AssignmentAck, AssignmentTable, Body, Kind, Letter, NewRound, StopReason, TableRequest,
};

use super::fact::Fact;
use super::gprm::Assignment;
use super::standings::row_of;
use super::{Out, Player};
use crate::Refusal;
use crate::agent::{self, AgentFact, Heed, Member, season_of};
use crate::gate::{Proved, TheManager};

impl Player {
    /// The whole routing table for the manager's letters. Nothing that it says is ever in the way:
    /// what a player has no use for is acknowledged.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the gatekeeper has named all the others")]
    pub(super) fn hear_manager(
        &mut self,
        by: &Proved<TheManager>,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        if is_of_season(letter.body.kind()) && self.me.season.is_elsewhere(letter) {
            return Err(Refusal::OutOfTurn("it is about another season"));
        }
        if let Heed::Nothing = agent::hear(self, by, letter, now, out) {
            return Ok(());
        }
        match &letter.body {
            Body::AssignmentTable(said) | Body::TableAnswer(said) => {
                self.assigned(said, letter, now, out);
            }
            Body::NewRound(said) => self.round_started(said, letter, now, out)?,
            Body::RoundResults(said) => {
                let row = row_of(&self.me, &said.standings).cloned();
                // A table that names no round was made after this one.
                let named = Some(said.number).filter(|number| *number > 0);
                let round = Some(named.unwrap_or(self.rounds.current_round()));
                let winners = said.results.clone();
                self.record(Fact::Ranked { round, row, winners }, out);
            }
            Body::LeagueCompleted(said) => {
                let row = row_of(&self.me, &said.standings).cloned();
                self.record(Fact::Ranked { round: None, row, winners: Vec::new() }, out);
                self.stop_round(StopReason::LeagueCompleted, now, out);
                self.note(AgentFact::Completed { at: now }, out);
            }
            _ => {}
        }
        Ok(())
    }

    /// The table, for the first time, again, or corrected.
    fn assigned(&mut self, said: &AssignmentTable, letter: &Letter, now: Timestamp, out: &mut Out) {
        let games = Assignment::ours(&self.me, &said.rows);
        let received = u32::try_from(games.len()).unwrap_or(u32::MAX);
        let season = season_of(letter).cloned().or_else(|| self.me.season.id.clone());
        self.record(Fact::Assigned { season: season.clone(), games }, out);
        let group = Some(self.me.profile.group.clone());
        let ack = AssignmentAck { season, group, received };
        agent::answer_manager(self, "assign-ack", Body::PlayerAck(ack), letter, now, out);
        agent::reconsider(self, now, out);
    }

    fn round_started(
        &mut self,
        said: &NewRound,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let current = self.rounds.current_round();
        if said.number == 0 {
            return Err(Refusal::BadValue("round_number: the letter names no round"));
        }
        if self.me.season.completed.is_some() {
            return Err(Refusal::OutOfTurn("the league is complete"));
        }
        if said.number < current {
            return Err(Refusal::OutOfTurn("a later round has begun"));
        }
        if said.number == current {
            return Ok(());
        }
        let reports = self.rounds.reports(StopReason::NewRoundStarted, now);
        self.withdraw_game_letters(None, out);
        let (name, present) = (letter.context.round.clone(), said.present.clone());
        self.record(Fact::RoundStarted { round: said.number, name, present, at: now }, out);
        self.post_reports(reports, now, out);
        // Whoever has no table by now has lost it, or it is late: asking costs one letter.
        if !self.has_table {
            let (season, group) = (self.me.season.id.clone(), Some(self.me.profile.group.clone()));
            let request = Body::TableRequest(TableRequest { season, group });
            agent::answer_manager(self, "table", request, letter, now, out);
        }
        agent::reconsider(self, now, out);
        Ok(())
    }

    /// Stops the round under way, and tells the manager of every game that was not over.
    pub(super) fn stop_round(&mut self, reason: StopReason, now: Timestamp, out: &mut Out) {
        let reports = self.rounds.reports(reason, now);
        self.withdraw_game_letters(None, out);
        self.record(Fact::RoundStopped { reason, at: now }, out);
        self.post_reports(reports, now, out);
    }
}

/// Whether such a letter changes nothing unless it is about our season.
fn is_of_season(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::RegistrationAnswer
            | Kind::AssignmentTable
            | Kind::TableAnswer
            | Kind::NewRound
            | Kind::RoundResults
            | Kind::LeagueCompleted
            | Kind::Pause
            | Kind::Continue
            | Kind::Reset
    )
}
