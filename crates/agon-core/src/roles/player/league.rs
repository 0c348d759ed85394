//! What a player and the league manager write to each other: the season, the table, the rounds and
//! the end. And what a player tells of itself: its state, its round, its matches and its standings.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{
    Act, ActKind, AssignmentAck, AssignmentTable, LastActor, NewRound, Progress, SeasonState,
    StopReason, TableRequest,
};
use agon_proto::tool::{PlayerPhase, PlayerState};
use agon_proto::{Letter, Listed, Timestamp};

use super::controller::Controller;
use super::fact::Assignment;
use super::history::{History, Standings, row_of};
use super::lifecycle::RoundLifecycle;
use super::{Out, Player, PlayerFact};
use crate::Refusal;
use crate::agent::{self, AgentFact, Member, Membership, season_of};
use crate::effect::{Effect, Ending};
use crate::gate::{Proved, TheManager};
use crate::letterbox::LetterboxFact;

impl Player {
    /// Does what is owed: by letter asks whoever thinks for us and sends what it said, and leaves a
    /// league that is complete.
    pub(super) fn go_on(&mut self, out: &mut Out) {
        if self.me.speaks_by_letter() {
            self.consult(out);
            self.send_owed(out);
        }
        self.leave(out);
    }

    /// Leaves a league that is complete, unless something is still to be heard or taken.
    pub(super) fn leave(&mut self, out: &mut Out) {
        let Some(until) = self.leaving_at() else { return };
        let is_idle = match self.me.speaks_by_letter() {
            true => self.me.letterbox.waiting().next().is_none() && self.unheard.is_empty(),
            false => self.rounds.active.is_empty(),
        };
        if is_idle || until <= out.now {
            self.finished = true;
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    /// Until when we stay at the latest, once the league is complete.
    pub(super) fn leaving_at(&self) -> Option<Timestamp> {
        let since = self.me.season.completed.filter(|_| !self.finished)?;
        Some(match self.me.speaks_by_letter() {
            true => since + self.times.letters.leaving_max,
            false => since + self.me.profile.timeout,
        })
    }

    /// What every agent learns, and what a player makes of it.
    pub(super) fn apply_to_agent(&mut self, fact: &AgentFact) {
        // Everything of a season but the letters.
        if self.me.forgets(fact) {
            self.rounds = RoundLifecycle::default();
            self.standings = Standings::default();
            (self.history, self.table) = (History::default(), Listed::default());
            self.announced = false;
            self.unheard.clear();
            self.finished = false;
        }
        if let AgentFact::Letterbox(LetterboxFact::Queued(parcel)) = fact {
            self.rounds.sent(&parcel.letter);
        }
        self.me.apply(fact);
    }

    /// The whole routing table for the manager's letters. Nothing that it says is ever in the way:
    /// what a player has no use for is acknowledged.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the gate has named all the others")]
    pub(super) fn hear_manager(
        &mut self,
        by: &Proved<TheManager>,
        letter: &Letter,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        if is_of_season(letter.act.kind()) && self.me.season.is_elsewhere(letter) {
            return Err(Refusal::OutOfTurn("it is about another season"));
        }
        if agent::hear(self, by, letter, out) {
            return Ok(());
        }
        match &letter.act {
            Act::AssignmentTable(said) | Act::TableAnswer(said) => {
                self.assigned(said, letter, out);
            }
            Act::NewRound(said) => self.round_started(said, letter, out)?,
            Act::RoundResults(said) => {
                let row = row_of(&self.me, &said.standings).cloned();
                // A table that names no round was made after this one.
                let named = Some(said.number).filter(|number| *number > 0);
                let round = Some(named.unwrap_or(self.rounds.current_round()));
                let winners = said.results.clone();
                self.record(PlayerFact::Ranked { round, row, winners }, out);
            }
            Act::SeasonCompleted(said) => {
                let row = row_of(&self.me, &said.standings).cloned();
                self.record(PlayerFact::Ranked { round: None, row, winners: Vec::new() }, out);
                self.stop_round(StopReason::LeagueCompleted, out);
                self.note(AgentFact::Completed { at: out.now }, out);
            }
            _ => self.hear_trouble(None, letter, out),
        }
        Ok(())
    }

    /// The table, for the first time, again, or corrected.
    fn assigned(&mut self, said: &AssignmentTable, letter: &Letter, out: &mut Out) {
        let games = Assignment::ours(&self.me, &said.rows);
        let received = u32::try_from(games.len()).unwrap_or(u32::MAX);
        let season = season_of(letter).cloned().or_else(|| self.me.season.id.clone());
        self.record(PlayerFact::Assigned { season: season.clone(), games }, out);
        let group = Some(self.me.profile.group.clone());
        let ack = AssignmentAck { season, group, received };
        agent::answer_manager(self, "assign-ack", Act::PlayerAck(ack), letter, out);
        agent::reconsider(self, out);
    }

    fn round_started(
        &mut self,
        said: &NewRound,
        letter: &Letter,
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
        let (name, present) = (letter.head.context.round.clone(), said.present.clone());
        let fact = PlayerFact::RoundStarted { round: said.number, name, present, at: out.now };
        self.stop_games(StopReason::NewRoundStarted, fact, out);
        // Whoever has no table by now has lost it, or it is late: asking costs one letter.
        if !self.rounds.has_table {
            let (season, group) = (self.me.season.id.clone(), Some(self.me.profile.group.clone()));
            let request = Act::TableRequest(TableRequest { season, group });
            agent::answer_manager(self, "table", request, letter, out);
        }
        agent::reconsider(self, out);
        Ok(())
    }

    /// Stops the round under way, and no other begins.
    pub(super) fn stop_round(&mut self, reason: StopReason, out: &mut Out) {
        self.stop_games(reason, PlayerFact::RoundStopped { reason, at: out.now }, out);
    }

    /// By that fact games stop: the manager is told of every one that was not over.
    fn stop_games(&mut self, reason: StopReason, fact: PlayerFact, out: &mut Out) {
        let reports = self.rounds.reports(&self.me.address, reason, out.now);
        self.withdraw_game_letters(None, out);
        self.record(fact, out);
        self.post_reports(reports, out);
    }

    /// What it tells of itself.
    pub fn state(&self) -> PlayerState {
        let state = match (self.id(), self.rounds.active.is_empty(), self.announced) {
            (None, _, _) => PlayerPhase::Unregistered,
            (Some(_), false, _) => PlayerPhase::InGame,
            (Some(_), true, true) => PlayerPhase::WaitingForRound,
            (Some(_), true, false) => PlayerPhase::Registered,
        };
        PlayerState {
            player_id: self.id(),
            display_name: self.me.profile.name.clone(),
            state,
            lifecycle: self.me.lifecycle(),
            stats: self.history.record(),
            matches: self.history.matches().to_vec(),
            clock_ms: self.clock_ms(),
        }
    }

    /// What is left on our clock, as the league says. The table is only read if it says so.
    pub(super) fn clock_ms(&self) -> Option<u64> {
        let table = Some(&self.table).filter(|table| table.may_contain("clock_ms"))?;
        table.iter().find(|row| Some(row.player_id) == self.id())?.clock_ms
    }

    /// Where we are in the season.
    pub fn season_state(&self) -> SeasonState {
        if self.me.season.paused_at.is_some() {
            return SeasonState::Paused;
        }
        if self.me.season.completed.is_some() {
            return SeasonState::SeasonCompleted;
        }
        if let Some(controller) = self.rounds.under_way().next() {
            return in_game(controller);
        }
        if self.rounds.games().next().is_some() {
            return SeasonState::MatchComplete;
        }
        if self.rounds.has_table {
            return SeasonState::AssignmentsReceived;
        }
        match (&self.me.season.membership, &self.me.season.id) {
            (Membership::Outside, None) => SeasonState::InitStart,
            (Membership::Outside, Some(_)) => SeasonState::RegistrationOpen,
            (Membership::Applying, _) => SeasonState::WaitingForConfirmation,
            (Membership::In, _) => SeasonState::AwaitingAssignment,
            (Membership::Rejected(_), _) => SeasonState::SeasonRejected,
        }
    }

    /// All of it in a line, for people.
    pub(super) fn in_a_line(&self) -> String {
        let mut parts = vec![self.season_state().name().to_owned()];
        if let Membership::Rejected(reason) = &self.me.season.membership {
            parts.push(format!("not admitted: {reason}"));
        }
        parts.extend(self.me.season.id.as_ref().map(|season| format!("season {season}")));
        if self.rounds.current_round() > 0 {
            parts.push(format!("round {}", self.rounds.current_round()));
        }
        for controller in self.rounds.games() {
            let Some(parameters) = &controller.parameters else { continue };
            let (game, phase) = (&parameters.assignment.game, controller.phase().name());
            parts.push(format!("{game} {phase}"));
        }
        let standings = self.player_standings();
        if standings.rank > 0 {
            parts.push(format!("rank {}", standings.rank));
        }
        if standings.games_played > 0 {
            let (points, played) = (standings.league_points, standings.games_played);
            parts.push(format!("{points} points from {played} games"));
        }
        parts.join(", ")
    }
}

/// Whether such a letter changes nothing unless it is about our season.
fn is_of_season(kind: ActKind) -> bool {
    matches!(
        kind,
        ActKind::Decide
            | ActKind::AssignmentTable
            | ActKind::TableAnswer
            | ActKind::NewRound
            | ActKind::RoundResults
            | ActKind::SeasonCompleted
            | ActKind::Pause
            | ActKind::Continue
            | ActKind::Reset
    )
}

/// A match under way, as a state of the season.
fn in_game(controller: &Controller) -> SeasonState {
    let thinks_of = controller.last_actor() == LastActor::Referee;
    let received = controller.last_received().filter(|_| thinks_of);
    match (controller.phase(), received) {
        (Progress::Answered(0), None) => SeasonState::Invited,
        (Progress::Answered(0), Some(ActKind::Ask(number))) => SeasonState::Asked(number),
        (_, Some(ActKind::Ask(number))) if number > 0 => SeasonState::Asked(number),
        (Progress::Answered(count), _) => SeasonState::Answered(count),
        (Progress::Completed | Progress::Terminated, _) => SeasonState::MatchComplete,
    }
}
