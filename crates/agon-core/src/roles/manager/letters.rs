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
use crate::effect::{Caller, Proof, RequestId};
use crate::fact::{LeagueFact, SeasonFact};
use crate::gate::{Writer, has_forgotten, is_application};
use crate::letterbox::LetterboxFact;

/// The letters that come.
pub(super) struct Letters<'a>(pub(super) Conduct<'a>);

impl Letters<'_> {
    /// A letter came.
    pub(super) fn posted(
        &mut self,
        request: RequestId,
        proof: (&Proof, Option<&Caller>),
        letter: &Letter,
    ) {
        let writer = match Writer::of(self.0.book.league(), proof, letter) {
            Ok(writer) => writer,
            Err(refusal) => return self.0.book.out.refuse(request, refusal),
        };
        if self.0.book.records().letterbox.knows(writer.address(), &letter.id) {
            return self.0.book.out.acknowledge(request);
        }
        match self.take_in(&writer, letter) {
            Ok(()) => self.0.book.out.acknowledge(request),
            Err(refusal) => self.0.book.out.refuse(request, refusal),
        }
    }

    /// The whole routing table.
    fn take_in(&mut self, writer: &Writer, letter: &Letter) -> Result<(), Refusal> {
        // Whoever was in a season that was reset has just been told so.
        if writer.is_former() && has_forgotten(letter) {
            return Ok(());
        }
        if !writer.is_enrolled() && !is_application(letter) {
            return Err(Refusal::NotPermitted("this address is not enrolled in the season"));
        }
        self.note_presence(writer, letter);
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is said to others")]
        let taken = match &letter.act {
            Act::Apply(said) => Applications(self.0.lend()).enrol(writer, letter, said),
            Act::LeagueRegistration(said) => {
                Applications(self.0.lend()).note_newcomer(writer, letter, said)
            }
            Act::RefereeAck(said) | Act::PlayerAck(said) => {
                self.note_acknowledged(writer, said.received);
                Ok(())
            }
            Act::TableRequest(_) => {
                self.answer_table(writer, letter);
                Ok(())
            }
            Act::ResultReport(said) => self.take_result(writer, said),
            Act::StatusReport(said) => self.take_evidence(writer, said),
            Act::ConnectivityCall(_) | Act::Extension(_) | Act::ForceMajeure(_) => {
                self.answer_briefly(writer, letter);
                Ok(())
            }
            // A sign of life, which was noted above. It comes for ever, so its id is not kept.
            Act::Heartbeat(_) => return Ok(()),
            // Answers that nobody waits for any longer.
            Act::State(Task::KeepAlive | Task::Pause | Task::Continue | Task::Reset, _)
            | Act::FreeText(_)
            | Act::FreeTextAnswer(_)
            | Act::ConnectivityEcho(_)
            | Act::Problem(_) => Ok(()),
            Act::Other(_) => Err(Refusal::Unsupported("an unknown message")),
            other => Err(Refusal::Unsupported(other.kind().name())),
        };
        // A stranger that is refused leaves no trace, or anybody could fill the journal.
        if taken.is_ok() || writer.is_enrolled() {
            let handled =
                LetterboxFact::Handled { from: writer.address().clone(), id: letter.id.clone() };
            self.0.book.record(LeagueFact::Letterbox(handled));
        }
        taken
    }

    /// A referee says how a game ended.
    fn take_result(&mut self, writer: &Writer, report: &ResultReport) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let Some(referee) = writer.referee(self.0.book.league()) else {
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
        let body = if let Some(who) = league.agent_at(writer.address()) {
            let contact = Contact::of(writer.address());
            let vouched = contact.vouches();
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
        let Some(player) = writer.player(league).map(|player| *player.get()) else {
            return Err(Refusal::NotPermitted("status reports come from players"));
        };
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
