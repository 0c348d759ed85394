//! What a player and the league manager say to each other: the season, the table, the rounds and
//! the end.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{
    Act, ActKind, AssignmentAck, AssignmentTable, NewRound, StopReason, TableRequest,
};
use agon_proto::tool::{Tool, ToolAnswer, ToolParams};
use agon_proto::{Address, Context, Envelope, GameId, Letter, Timestamp};

use super::fact::Assignment;
use super::history::{Standings, row_of};
use super::lifecycle::RoundLifecycle;
use super::{Out, Player, PlayerFact, reads};
use crate::Refusal;
use crate::agent::{self, Agent, AgentFact, Member, Status, season_of};
use crate::effect::{Effect, Ending, Proof, RequestId};
use crate::gate::{self, Doubt, Proved, TheManager, Voice};
use crate::letterbox::LetterboxFact;

/// Who speaks by letter, proved.
pub(crate) enum Speaker {
    Manager(Proved<TheManager>),
    /// The referee of that game, spelled as in our table, at that address.
    Referee(Proved<(GameId, Address)>),
}

const OF_MANAGER: &str = "only the league manager may say this";

impl Member for Player {
    type Speaker = Speaker;

    const NO_CALLS: Refusal = Refusal::Unsupported("this player is reached by letters");

    fn agent(&self) -> &Agent {
        &self.me
    }

    fn agent_mut(&mut self) -> &mut Agent {
        &mut self.me
    }

    fn route(&mut self, request: RequestId, letter: Box<Envelope>, out: &mut Out) {
        self.take_call(request, letter, out);
    }

    fn read(&self, tool: Tool, params: &ToolParams) -> Result<ToolAnswer, Refusal> {
        reads::read(self, tool, params)
    }

    /// Only the league manager may say league things, only a game's referee game things. Whoever
    /// is turned away is told why.
    fn admit(&self, proof: &Proof, letter: &Letter) -> Result<(Address, Speaker), Doubt> {
        let refused = |refusal| Err(Doubt::Never(refusal));
        if let (Proof::Vouched(from), Some(named)) = (proof, &letter.from.address)
            && !named.is_empty()
            && named != from
        {
            return refused(Refusal::NotPermitted("the letter names another sender than the post"));
        }
        let manager = || {
            let proved = gate::manager(&self.me, proof, letter, OF_MANAGER)?;
            Ok((self.me.manager.clone(), Speaker::Manager(proved)))
        };
        let referee = || {
            let proved = self.rounds.prove_referee(&self.me, proof, letter)?;
            Ok((proved.get().1.clone(), Speaker::Referee(proved)))
        };
        match gate::voice(letter.act.kind()) {
            Voice::Manager => manager(),
            Voice::Referee => referee(),
            Voice::Either if gate::game_of(letter).is_none() => manager(),
            Voice::Either => manager().or_else(|_| referee()),
            Voice::Player | Voice::Agent => refused(Refusal::Unsupported(letter.act.kind().name())),
        }
    }

    fn hear(
        &mut self,
        speaker: Speaker,
        letter: &Letter,
        _: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        match speaker {
            Speaker::Manager(proved) => self.hear_manager(&proved, letter, out),
            Speaker::Referee(proved) => self.hear_referee(&proved, letter, out),
        }
    }

    /// As far as we know.
    fn context(&self, answered: Option<&Letter>) -> Context {
        let told = answered.map(|letter| letter.context.clone()).unwrap_or_default();
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

    fn stop(&mut self, out: &mut Out) {
        self.stop_round(StopReason::LeagueCompleted, out);
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
            false => self.rounds.is_idle(),
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
            _ => {}
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
        let reports = self.rounds.reports(&self.me.address, StopReason::NewRoundStarted, out.now);
        self.withdraw_game_letters(None, out);
        let (name, present) = (letter.context.round.clone(), said.present.clone());
        self.record(
            PlayerFact::RoundStarted { round: said.number, name, present, at: out.now },
            out,
        );
        self.post_reports(reports, out);
        // Whoever has no table by now has lost it, or it is late: asking costs one letter.
        if !self.rounds.has_table {
            let (season, group) = (self.me.season.id.clone(), Some(self.me.profile.group.clone()));
            let request = Act::TableRequest(TableRequest { season, group });
            agent::answer_manager(self, "table", request, letter, out);
        }
        agent::reconsider(self, out);
        Ok(())
    }

    /// Stops the round under way, and tells the manager of every game that was not over.
    pub(super) fn stop_round(&mut self, reason: StopReason, out: &mut Out) {
        let reports = self.rounds.reports(&self.me.address, reason, out.now);
        self.withdraw_game_letters(None, out);
        self.record(PlayerFact::RoundStopped { reason, at: out.now }, out);
        self.post_reports(reports, out);
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
