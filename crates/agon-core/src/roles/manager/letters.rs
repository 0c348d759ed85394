//! The manager of a league that is played by letters: the same league, in letters instead of calls.
//!
//! Whoever writes is known by its address; each letter is dealt with once, and answered once.
//! Where somebody writes by mail, what the calendar brings happens in `tick` alone: a letter may
//! have been delivered long before it is read.
//!
//! Spec: docs/protocol/q21.md

mod enrolment;

use agon_proto::act::{Act, ResultReport, Task};
use agon_proto::{Contact, GameId, Letter, MatchId};

use super::registration::Applications;
use super::reports::Results;
use crate::Refusal;
use crate::effect::{Caller, Proof, RequestId};
use crate::fact::{LeagueFact, SeasonFact};
use crate::gate::{Writer, has_forgotten, is_application};
use crate::letterbox::LetterboxFact;

/// The letters that come.
pub(super) struct Letters<'a>(pub(super) Applications<'a>);

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
        if self.0.book.records().letterbox.knows(writer.address(), &letter.head.id) {
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
            Act::Apply(said) => self.enrol(writer, letter, said),
            Act::LeagueRegistration(said) => self.note_newcomer(writer, letter, said),
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
            Act::StillHere(_) => return Ok(()),
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
            let handled = LetterboxFact::Handled {
                from: writer.address().clone(),
                id: letter.head.id.clone(),
            };
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
        Results(self.0.conduct()).take_scores(referee, match_id, report)
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
    pub(super) fn note_presence(&mut self, writer: &Writer, letter: &Letter) {
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

    pub(super) fn note_acknowledged(&mut self, writer: &Writer, received: u32) {
        if !self.0.book.league().correspondence.has_acknowledged(writer.address()) {
            let (address, at) = (writer.address().clone(), self.0.book.now);
            self.0.book.record(LeagueFact::Season(SeasonFact::Acknowledged {
                address,
                received,
                at,
            }));
        }
    }
}

#[cfg(test)]
mod tests;
