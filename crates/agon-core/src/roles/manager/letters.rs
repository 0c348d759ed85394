//! The manager of a league that is played by letters: the same league, in letters instead of calls.
//!
//! Whoever writes is known by its address; each letter is dealt with once, and answered once.
//! Where somebody writes by mail, what the calendar brings happens in `tick` alone: a letter may
//! have been delivered long before it is read.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{
    Act, Approval, Connectivity, ExtensionDecision, ForceMajeureDecision, Problem, ResultReport,
    StatusReport, Task,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Contact, GameId, Letter, MatchId};

use super::conduct::Conduct;
use super::registration::Applications;
use super::reports::Results;
use crate::Refusal;
use crate::effect::{Caller, Proof};
use crate::fact::{LeagueFact, SeasonFact};
use crate::gate::{Speaker, Writer, has_forgotten, is_application};
use crate::letterbox::LetterboxFact;

/// The letters that come.
pub(super) struct Letters<'a>(pub(super) Conduct<'a>);

impl Letters<'_> {
    /// A letter came. One that was dealt with before changes nothing.
    pub(super) fn posted(
        &mut self,
        proof: &Proof,
        caller: Option<Caller>,
        letter: &Letter,
    ) -> Result<(), Refusal> {
        let league = self.0.book.league();
        let writer = &Writer::of(league, proof, letter)?;
        // Whoever was in a season that was reset has just been told so.
        let has_left = || league.former.contains_key(&Contact::of(writer.address()));
        let forgot = !writer.is_enrolled() && has_forgotten(letter) && has_left();
        if forgot || self.0.book.records().letterbox.knows(writer.address(), &letter.id) {
            return Ok(());
        }
        if !writer.is_enrolled() && !is_application(letter) {
            return Err(Refusal::NotPermitted("this address is not enrolled in the season"));
        }
        self.note_presence(writer, letter);
        let taken = self.take_in((writer, caller), letter);
        // A stranger that is refused leaves no trace, or anybody could fill the journal. A sign of
        // life comes for ever, so its id is not kept.
        let is_kept = !matches!(letter.act, Act::Heartbeat(_));
        if is_kept && (taken.is_ok() || writer.is_enrolled()) {
            let (from, id) = (writer.address().clone(), letter.id.clone());
            self.0.book.record(LeagueFact::Letterbox(LetterboxFact::Handled { from, id }));
        }
        taken
    }

    /// The whole routing table.
    fn take_in(
        &mut self,
        (writer, caller): (&Writer, Option<Caller>),
        letter: &Letter,
    ) -> Result<(), Refusal> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is said to others")]
        match &letter.act {
            Act::Apply(said) => {
                return Applications(self.0.lend()).enrol((writer, caller), letter, said);
            }
            Act::LeagueRegistration(said) => {
                return Applications(self.0.lend()).note_newcomer((writer, caller), letter, said);
            }
            Act::RefereeAck(said) | Act::PlayerAck(said) => {
                self.note_acknowledged(writer, said.received);
            }
            Act::TableRequest(_) => self.answer_table(writer, letter),
            Act::ResultReport(said) => return self.take_result(writer, said),
            Act::StatusReport(said) => return self.take_evidence(writer, said),
            Act::ConnectivityCall(_) | Act::Extension(_) | Act::ForceMajeure(_) => {
                self.answer_briefly(writer, letter);
            }
            // A sign of life, which was noted, and answers that nobody waits for any longer.
            Act::Heartbeat(_)
            | Act::State(Task::KeepAlive | Task::Pause | Task::Continue | Task::Reset, _)
            | Act::FreeText(_)
            | Act::FreeTextAnswer(_)
            | Act::ConnectivityEcho(_)
            | Act::Problem(_) => {}
            Act::Other(_) => return Err(Refusal::Unsupported("an unknown message")),
            other => return Err(Refusal::Unsupported(other.kind().name())),
        }
        Ok(())
    }

    /// A referee says how a game ended.
    fn take_result(&mut self, writer: &Writer, report: &ResultReport) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let Speaker::Referee(referee) = writer.speaker() else {
            return Err(Refusal::NotPermitted("results come from referees"));
        };
        Results(self.0.lend()).take_scores(referee, match_id, report)
    }

    /// The match that a game id names, if it is one of this season.
    fn match_of_game(&self, game: &GameId) -> Result<MatchId, Refusal> {
        let league = self.0.book.league();
        let parts = game.parts().filter(|(season, match_id)| {
            *season == league.settings.seasons.season_number % 100
                && league.season.fixture(*match_id).is_some()
        });
        parts.map(|(_, match_id)| match_id).ok_or(Refusal::NoSuchMatch)
    }

    /// Who writes while everybody is asked whether they are there, is there. Where letters travel
    /// by call an application proves nothing, and so it does not count.
    fn note_presence(&mut self, writer: &Writer, letter: &Letter) {
        let (league, at) = (self.0.book.league(), self.0.book.now);
        let proved = Contact::of(writer.address()).vouches() || !is_application(letter);
        let Some(check_in) = league.calendar.check_in_for(league.season.round() + 1) else {
            return;
        };
        let address = writer.address();
        if proved && writer.is_enrolled() && !check_in.present.contains(address) {
            let (round, address) = (check_in.round, address.clone());
            self.0.book.record(LeagueFact::Season(SeasonFact::CheckedIn { round, address, at }));
        }
    }

    fn note_acknowledged(&mut self, writer: &Writer, received: u32) {
        if !self.0.book.league().correspondence.has_acknowledged(writer.address()) {
            let (address, at) = (writer.address().clone(), self.0.book.now);
            self.0.book.record(LeagueFact::Season(SeasonFact::Acknowledged {
                address,
                received,
                at,
            }));
        }
    }

    /// Somebody has lost the schedule.
    fn answer_table(&mut self, writer: &Writer, letter: &Letter) {
        let league = self.0.book.league();
        let body = if let Some(who) = writer.speaker().agent() {
            let vouched = Contact::of(writer.address()).vouches();
            let own = (!vouched && league.has_own_copies()).then_some(who);
            Act::TableAnswer(league.schedule_for(own, vouched))
        } else {
            Act::Problem(Problem {
                code: "INVALID_STATE".into(),
                text: "There is no table for this address: the season has not begun, or without it"
                    .into(),
                original: Some("REQUEST_ASSIGNMENT_TABLE".into()),
                recoverable: league.season.phase() == LeaguePhase::AcceptingRegistrations,
            })
        };
        self.0.book.reply(writer.address(), letter, body);
    }

    /// Answers what wants a word and changes nothing.
    fn answer_briefly(&mut self, writer: &Writer, letter: &Letter) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "three of 40 letters want no more")]
        let answer = match &letter.act {
            // Does my post arrive? It does.
            Act::ConnectivityCall(said) => Act::ConnectivityEcho(Connectivity {
                ping: said.ping.clone(),
                echo_from: self.0.book.league().settings.seasons.address.clone(),
                at: said.at,
            }),
            // More time for one would be less for the others.
            Act::Extension(_) => Act::ExtensionDecision(ExtensionDecision {
                status: Approval::Rejected,
                new_deadline: None,
                text: Some("Deadlines are the same for everybody".into()),
            }),
            // Whether a game counts is the operator's to say, and people ask people for that.
            Act::ForceMajeure(_) => Act::ForceMajeureDecision(ForceMajeureDecision {
                status: Approval::Rejected,
                notes: "Ask whoever runs the league; a game can be declared void".into(),
            }),
            _ => return,
        };
        self.0.book.reply(writer.address(), letter, answer);
    }

    /// A player says how its game went: kept, and shown where it contradicts the result.
    fn take_evidence(&mut self, writer: &Writer, report: &StatusReport) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let league = self.0.book.league();
        let Speaker::Player(player) = writer.speaker() else {
            return Err(Refusal::NotPermitted("status reports come from players"));
        };
        let player = *player.get();
        let fixture = league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        if fixture.seat_of(player).is_none() {
            return Err(Refusal::NotPermitted("this player is not in that game"));
        }
        if !league.evidence.has(match_id, player, report) {
            let (report, at) = (Box::new(report.clone()), self.0.book.now);
            self.0.book.record(LeagueFact::Season(SeasonFact::Evidence {
                match_id,
                player,
                report,
                at,
            }));
            self.0.note_contradictions(match_id);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
