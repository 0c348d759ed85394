//! What a player and the league manager say to each other: the season, the table, the rounds and
//! the end.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{
    Act, ActKind, AssignmentAck, AssignmentTable, NewRound, StopReason, TableRequest,
};
use agon_proto::{Address, Context, Letter, Timestamp};

use super::gatekeeper::{Gatekeeper, Speaker};
use super::lifecycle::RoundLifecycle;
use super::parameters::Assignment;
use super::standings::{Standings, row_of};
use super::{Out, Player, PlayerFact, reads};
use crate::Refusal;
use crate::agent::{self, AgentFact, Correspondent, Member, Status, Times, season_of};
use crate::effect::{Effect, Ending, Proof};
use crate::gate::{Doubt, Proved, TheManager};
use crate::letterbox::LetterboxFact;

impl Correspondent for Player {
    type Speaker = Speaker;

    fn admit(&self, proof: &Proof, letter: &Letter) -> Result<(Address, Speaker), Doubt> {
        let speaker = Gatekeeper { me: &self.me, rounds: &self.rounds }.admit(proof, letter)?;
        let address = match &speaker {
            Speaker::Manager(_) => &self.me.manager,
            Speaker::Referee(proved) => &proved.get().1,
        };
        Ok((address.clone(), speaker))
    }

    fn hear(
        &mut self,
        speaker: Speaker,
        letter: &Letter,
        Times { now, .. }: Times,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        match speaker {
            Speaker::Manager(proved) => self.hear_manager(&proved, letter, now, out),
            Speaker::Referee(proved) => self.hear_referee(&proved, letter, now, out),
        }
    }

    /// As far as we know.
    fn context(&self, answered: Option<&Letter>) -> Context {
        let told = answered.map(|letter| letter.head.context.clone()).unwrap_or_default();
        Context {
            league: told.league.or_else(|| self.me.season.league.clone()),
            season: self.me.season.id.clone().or(told.season),
            round: told.round.or_else(|| self.rounds.name.clone()),
            game: told.game,
            broadcast: told.broadcast,
        }
    }

    fn status(&self) -> Status {
        let live = self.rounds.under_way().find_map(|live| live.parameters.as_deref());
        let game = live.map(|known| known.assignment.game.clone());
        Status { state: self.season_state().name(), game, text: reads::in_a_line(self).into() }
    }

    fn takes_part(&self) -> bool {
        self.rounds.assignments().next().is_some()
    }

    fn stop(&mut self, now: Timestamp, out: &mut Out) {
        self.stop_round(StopReason::LeagueCompleted, now, out);
    }

    /// Lets go what a restart found waiting while games were paused.
    fn released(&mut self, out: &mut Out) {
        let withheld = std::mem::take(&mut self.withheld);
        let parcels = self.me.letterbox.waiting().filter(|parcel| withheld.contains(&parcel.id));
        out.effects.extend(parcels.cloned().map(Effect::SendLetter));
    }
}

impl Player {
    /// Does what is owed: by letter asks whoever thinks for us and sends what it said, and leaves a
    /// league that is complete.
    pub(super) fn go_on(&mut self, now: Timestamp, out: &mut Out) {
        if self.speaks_by_letter() {
            self.consult(now, out);
            self.send_owed(now, out);
        }
        self.leave(now, out);
    }

    /// Leaves a league that is complete, unless something is still to be heard or taken.
    pub(super) fn leave(&mut self, now: Timestamp, out: &mut Out) {
        let Some(until) = self.leaving_at() else { return };
        let is_idle = match self.speaks_by_letter() {
            true => self.me.letterbox.waiting().next().is_none() && self.unheard.is_empty(),
            false => self.rounds.is_idle(),
        };
        if is_idle || until <= now {
            self.finished = true;
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    /// Until when we stay at the latest, once the league is complete.
    pub(super) fn leaving_at(&self) -> Option<Timestamp> {
        let since = self.me.season.completed.filter(|_| !self.finished)?;
        Some(match self.speaks_by_letter() {
            true => since + self.times.letters.leaving_max,
            false => since + self.me.profile.timeout,
        })
    }

    /// What every agent learns, and what a player makes of it.
    pub(super) fn apply_to_agent(&mut self, fact: &AgentFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the others concern the agent alone")]
        match fact {
            AgentFact::Letterbox(LetterboxFact::Queued(parcel)) => self.rounds.sent(&parcel.letter),
            AgentFact::SeasonOpened { season, .. } if self.me.season.is_another(season) => {
                self.forget();
            }
            AgentFact::Reset => self.forget(),
            _ => {}
        }
        self.me.apply(fact);
    }

    /// Everything of a season but the letters is forgotten.
    fn forget(&mut self) {
        self.rounds = RoundLifecycle::default();
        self.standings = Standings::default();
        self.unheard.clear();
        self.finished = false;
    }

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
        if is_of_season(letter.act.kind()) && self.me.season.is_elsewhere(letter) {
            return Err(Refusal::OutOfTurn("it is about another season"));
        }
        if agent::hear(self, by, letter, now, out) {
            return Ok(());
        }
        match &letter.act {
            Act::AssignmentTable(said) | Act::TableAnswer(said) => {
                self.assigned(said, letter, now, out);
            }
            Act::NewRound(said) => self.round_started(said, letter, now, out)?,
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
        self.record(PlayerFact::Assigned { season: season.clone(), games }, out);
        let group = Some(self.me.profile.group.clone());
        let ack = AssignmentAck { season, group, received };
        agent::answer_manager(self, "assign-ack", Act::PlayerAck(ack), letter, now, out);
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
        let reports = self.rounds.reports(&self.me.address, StopReason::NewRoundStarted, now);
        self.withdraw_game_letters(None, out);
        let (name, present) = (letter.head.context.round.clone(), said.present.clone());
        self.record(PlayerFact::RoundStarted { round: said.number, name, present, at: now }, out);
        self.post_reports(reports, now, out);
        // Whoever has no table by now has lost it, or it is late: asking costs one letter.
        if !self.rounds.has_table {
            let (season, group) = (self.me.season.id.clone(), Some(self.me.profile.group.clone()));
            let request = Act::TableRequest(TableRequest { season, group });
            agent::answer_manager(self, "table", request, letter, now, out);
        }
        agent::reconsider(self, now, out);
        Ok(())
    }

    /// Stops the round under way, and tells the manager of every game that was not over.
    pub(super) fn stop_round(&mut self, reason: StopReason, now: Timestamp, out: &mut Out) {
        let reports = self.rounds.reports(&self.me.address, reason, now);
        self.withdraw_game_letters(None, out);
        self.record(PlayerFact::RoundStopped { reason, at: now }, out);
        self.post_reports(reports, now, out);
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
