//! What a player and the league manager say to each other: the season, the table, the rounds and
//! the end.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{
    AssignmentAck, AssignmentTable, Body, Letter, NewRound, RegistrationAnswer,
    RegistrationRequest, Role, StartSeason, StopReason, TableRequest, Verdict,
};
use agon_proto::{LeagueId, SeasonId, Timestamp};

use super::fact::Fact;
use super::gprm::Assignment;
use super::season::{Registration, season_of};
use super::standings::row_of;
use super::{Out, Player};
use crate::Refusal;
use crate::effect::{Effect, Ending};
use crate::roles::q21::Visa;

impl Player {
    /// The whole routing table for the manager's letters. Nothing that it says is ever in the way:
    /// what a player has no use for is acknowledged.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the gatekeeper has named all the others")]
    pub(super) fn hear_manager(
        &mut self,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        match &letter.body {
            Body::StartSeason(said) => self.season_opened(said, letter, now, out),
            Body::RegistrationAnswer(said) => {
                self.league.concerns_us(letter)?;
                self.registration_answered(said, letter, now, out);
            }
            Body::AssignmentTable(said) | Body::TableAnswer(said) => {
                self.league.concerns_us(letter)?;
                self.assigned(said, letter, now, out);
            }
            Body::NewRound(said) => {
                self.league.concerns_us(letter)?;
                self.round_started(said, letter, now, out)?;
            }
            Body::RoundResults(said) => {
                self.league.concerns_us(letter)?;
                let row = row_of(&self.me, &said.standings).cloned();
                // A table that names no round was made after this one.
                let named = Some(said.number).filter(|number| *number > 0);
                let round = Some(named.unwrap_or(self.rounds.current_round()));
                let winners = said.results.clone();
                self.record(Fact::Ranked { round, row, winners }, out);
            }
            Body::LeagueCompleted(said) => {
                self.league.concerns_us(letter)?;
                let row = row_of(&self.me, &said.standings).cloned();
                self.record(Fact::Ranked { round: None, row, winners: Vec::new() }, out);
                self.stop_round(StopReason::LeagueCompleted, now, out);
                self.record(Fact::Completed { at: now }, out);
            }
            Body::Pause(_) | Body::Continue(_) | Body::Reset(_) => {
                self.league.concerns_us(letter)?;
                self.run_errand(letter, now, out);
            }
            _ => self.run_errand(letter, now, out),
        }
        Ok(())
    }

    /// A season is open: we ask to be let in. By mail every invitation is answered, with the very
    /// same request; by call we ask by ourselves, so once is enough.
    fn season_opened(
        &mut self,
        said: &StartSeason,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) {
        if self.league.is_another(&said.season) {
            self.stop_round(StopReason::LeagueCompleted, now, out);
        }
        let (season, league) = (said.season.clone(), letter.context.league.clone());
        self.record(Fact::SeasonOpened { season, league }, out);
        let asked =
            matches!(self.league.registration, Registration::Asked | Registration::Confirmed);
        if !(self.me.is_called() && asked) {
            self.register(Some(letter), now, out);
        }
    }

    /// Asks to be let in. The id of a request by call cannot be guessed: it proves the answer.
    pub(super) fn register(&mut self, invitation: Option<&Letter>, now: Timestamp, out: &mut Out) {
        let season = self.league.season.clone();
        // After a reset we know of no season yet, and the request must be another one than before.
        let invited = invitation.map_or("open", |letter| letter.id.as_str());
        let named = season.as_ref().map_or(invited, SeasonId::as_str);
        let id = match self.me.is_called() {
            true => format!("sreg-{}-{named}-{:016x}", self.me.address, self.me.nonce),
            false => format!("sreg-{}-{named}", self.me.address),
        };
        let body = Body::RegistrationRequest(RegistrationRequest {
            season: season.clone(),
            group: Some(self.me.group.clone()),
            participant: None,
            name: Some(self.me.name.clone()),
            role: Some(Role::Player),
            also: None,
        });
        let mut request = self.to_manager(id, body, invitation, now);
        // What it answers is about a season that may be over.
        request.context.season = season;
        self.post_to_manager(request, out);
    }

    /// Asks to be told of seasons: a manager that does not expect us has not invited us.
    pub(super) fn introduce(&mut self, now: Timestamp, out: &mut Out) {
        let body = Body::LeagueRegistration(self.me.introduction(Role::Player));
        let letter = self.to_manager(format!("lreg-{}", self.me.address), body, None, now);
        self.post_to_manager(letter, out);
    }

    fn registration_answered(
        &mut self,
        said: &RegistrationAnswer,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) {
        let already = said.reason.as_deref().is_some_and(is_already_registered);
        let league = letter.context.league.clone();
        let visa = said.auth_token.clone().filter(|_| self.me.is_called()).map(|token| Visa {
            league: league.clone().unwrap_or_else(|| LeagueId::new("")),
            token,
        });
        let provable = !self.me.is_called() || visa.is_some() || self.me.visa.is_some();
        if (said.status == Verdict::Accepted || already) && provable {
            let season = said.season.clone();
            self.record(Fact::Confirmed { season, league, visa }, out);
            return self.reconsider(now, out);
        }
        // Whoever is in stays in, whatever comes late.
        if self.league.registration == Registration::Confirmed {
            return;
        }
        let told = said.reason.as_deref().or(said.text.as_deref());
        let reason: Box<str> = match said.status {
            Verdict::Accepted => "admitted, but without a token".into(),
            Verdict::Rejected => told.unwrap_or("rejected without a reason").into(),
        };
        self.record(Fact::Rejected { reason: reason.clone() }, out);
        // By mail there will be another season; by call somebody waits for this one.
        if self.me.is_called() {
            out.push(Effect::Finish(Ending::NotAdmitted(reason)));
        }
    }

    /// The table, for the first time, again, or corrected.
    fn assigned(&mut self, said: &AssignmentTable, letter: &Letter, now: Timestamp, out: &mut Out) {
        let games = Assignment::ours(&self.me, &said.rows);
        let received = u32::try_from(games.len()).unwrap_or(u32::MAX);
        let season = season_of(letter).cloned().or_else(|| self.league.season.clone());
        self.record(Fact::Assigned { season: season.clone(), games }, out);
        let ack = AssignmentAck { season, group: Some(self.me.group.clone()), received };
        self.answer_manager("assign-ack", Body::PlayerAck(ack), letter, now, out);
        self.reconsider(now, out);
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
        if self.league.completed.is_some() {
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
        if !self.league.has_table {
            let (season, group) = (self.league.season.clone(), Some(self.me.group.clone()));
            let request = Body::TableRequest(TableRequest { season, group });
            self.answer_manager("table", request, letter, now, out);
        }
        self.reconsider(now, out);
        Ok(())
    }

    /// Stops the round under way, and tells the manager of every game that was not over.
    fn stop_round(&mut self, reason: StopReason, now: Timestamp, out: &mut Out) {
        let reports = self.rounds.reports(reason, now);
        self.withdraw_game_letters(None, out);
        self.record(Fact::RoundStopped { reason, at: now }, out);
        self.post_reports(reports, now, out);
    }
}

/// What real managers answer to somebody who is in already.
fn is_already_registered(reason: &str) -> bool {
    reason.trim().eq_ignore_ascii_case("already_registered")
}
