//! What a player and the league manager say to each other: the season, the table, the rounds and
//! the end.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::q21::{
    AssignmentAck, AssignmentTable, Body, Letter, MessageId, NewRound, RegistrationAnswer,
    RegistrationRequest, Role, SeasonId, StartSeason, StopReason, Verdict,
};
use agon_proto::{LeagueId, Timestamp};

use super::fact::Fact;
use super::gprm::Assignment;
use super::standings::row_of;
use super::{Out, Player};
use crate::Refusal;
use crate::effect::{Effect, Ending};
use crate::roles::q21::Visa;

/// Whether we are in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Registration {
    #[default]
    Unasked,
    Asked,
    Confirmed,
    Rejected(Box<str>),
}

/// The season, as far as we were told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct League {
    pub(super) league: Option<LeagueId>,
    pub(super) season: Option<SeasonId>,
    pub(super) registration: Registration,
    pub(super) has_table: bool,
    pub(super) paused: bool,
    pub(super) completed: Option<Timestamp>,
    requests: BTreeSet<MessageId>,
}

impl League {
    /// Whether that is the id of a request of ours.
    pub(super) fn has_requested(&self, id: &MessageId) -> bool {
        self.requests.contains(id)
    }

    /// A request of ours is on its way. Called from `apply`.
    pub(super) fn requested(&mut self, id: &MessageId) {
        self.requests.insert(id.clone());
        if self.registration != Registration::Confirmed {
            self.registration = Registration::Asked;
        }
    }

    /// A season is open. Called from `apply`.
    pub(super) fn open(&mut self, season: &SeasonId, league: Option<&LeagueId>) {
        if self.is_another(season) {
            self.forget();
        }
        self.season = Some(season.clone());
        self.learn(league);
    }

    /// We know nothing of a season any more. Called from `apply`.
    pub(super) fn forget(&mut self) {
        // An answer to an old request still has to be known as one.
        let requests = std::mem::take(&mut self.requests);
        *self = Self { league: self.league.take(), requests, ..Self::default() };
    }

    /// We are in. Called from `apply`.
    pub(super) fn confirm(&mut self, season: Option<&SeasonId>, league: Option<&LeagueId>) {
        self.registration = Registration::Confirmed;
        self.season = self.season.take().or_else(|| season.cloned());
        self.learn(league);
    }

    fn learn(&mut self, league: Option<&LeagueId>) {
        if league.is_some() {
            self.league = league.cloned();
        }
    }

    pub(super) fn is_another(&self, season: &SeasonId) -> bool {
        self.season.as_ref().is_some_and(|ours| ours != season)
    }

    /// Letters about another season change nothing in this one.
    fn concerns_us(&self, letter: &Letter) -> Result<(), Refusal> {
        match season_of(letter) {
            Some(season) if self.is_another(season) => {
                Err(Refusal::OutOfTurn("it is about another season"))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// The season that a letter is about, if it says so.
#[expect(clippy::wildcard_enum_match_arm, reason = "four of 40 letters name it in what they say")]
fn season_of(letter: &Letter) -> Option<&SeasonId> {
    let said = match &letter.body {
        Body::RegistrationAnswer(said) => said.season.as_ref(),
        Body::AssignmentTable(said) | Body::TableAnswer(said) => said.season.as_ref(),
        Body::LeagueCompleted(said) => said.season.as_ref(),
        _ => None,
    };
    said.or(letter.context.season.as_ref()).filter(|season| !season.is_empty())
}

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
                let (round, winners) = (Some(said.number), said.results.clone());
                self.record(Fact::Ranked { round, row, winners }, out);
            }
            Body::LeagueCompleted(said) => {
                self.league.concerns_us(letter)?;
                let row = row_of(&self.me, &said.standings).cloned();
                self.record(Fact::Ranked { round: None, row, winners: Vec::new() }, out);
                self.stop_round(StopReason::LeagueCompleted, now, out);
                self.record(Fact::Completed { at: now }, out);
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
        if !(self.terms.by_call && asked) {
            self.register(Some(letter), now, out);
        }
    }

    /// Asks to be let in. The id of a request by call cannot be guessed: it proves the answer.
    pub(super) fn register(&mut self, invitation: Option<&Letter>, now: Timestamp, out: &mut Out) {
        let season = self.league.season.clone();
        let named = season.as_ref().map_or("open", SeasonId::as_str);
        let id = match self.terms.by_call {
            true => format!("sreg-{}-{named}-{:016x}", self.me.address, self.me.nonce),
            false => format!("sreg-{}-{named}", self.me.address),
        };
        let body = Body::RegistrationRequest(RegistrationRequest {
            season,
            group: Some(self.me.group.clone()),
            participant: None,
            name: Some(self.me.name.clone()),
            role: Some(Role::Player),
        });
        let request = self.to_manager(id, body, invitation, now);
        self.post_to_manager(request, out);
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
        let visa = said.auth_token.clone().filter(|_| self.terms.by_call).map(|token| Visa {
            league: league.clone().unwrap_or_else(|| LeagueId::new("")),
            token,
        });
        let provable = !self.terms.by_call || visa.is_some() || self.me.visa.is_some();
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
        if self.terms.by_call {
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
