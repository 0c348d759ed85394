//! The manager of a Q21 league: the same league, in letters instead of calls.
//!
//! Whoever writes is known by its address; each letter is dealt with once, and answered once. What
//! the calendar brings happens in `tick` alone: a letter's time is when it was delivered, which may
//! be long before it is read.
//!
//! Spec: docs/protocol/q21.md

mod admission;
mod enrolment;
mod evidence;
mod incomplete;
mod newcomer;
mod outbox;
mod replies;
mod reset;
mod tokens;

use agon_proto::dialect::q21 as dialect;
use agon_proto::q21::{Body, GameId, Letter, ResultReport, Task};
use agon_proto::{AgentId, MatchId, Timestamp};

use super::{Manager, Out};
use crate::Refusal;
use crate::effect::{Caller, Effect, Proof, RequestId};
use crate::fact::LeagueFact;
use crate::post::{ParcelId, PostFact};
use admission::{Voice, has_forgotten, is_application};

impl Manager {
    /// A letter came.
    pub(super) fn posted(
        &mut self,
        request: RequestId,
        proof: (&Proof, Option<&Caller>),
        letter: Letter,
        now: Timestamp,
        out: &mut Out,
    ) {
        let voice = match self.voice(proof, &letter) {
            Ok(voice) => voice,
            Err(refusal) => return out.refuse(request, refusal),
        };
        if self.letterbox.knows(&voice.address, &letter.id) {
            return out.acknowledge(request);
        }
        match self.take_in(&voice, &letter, now, out) {
            Ok(()) => out.acknowledge(request),
            Err(refusal) => out.refuse(request, refusal),
        }
    }

    /// The whole routing table.
    fn take_in(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        // Whoever was in a season that was reset has just been told so.
        if voice.former && has_forgotten(letter) {
            return Ok(());
        }
        if !voice.enrolled && !is_application(letter) {
            return Err(Refusal::NotPermitted("this address is not enrolled in the season"));
        }
        self.note_presence(voice, letter, now, out);
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is said to others")]
        let taken = match &letter.body {
            Body::RegistrationRequest(said) => self.enrol(voice, letter, said, now, out),
            Body::LeagueRegistration(said) => self.note_newcomer(voice, letter, said, now, out),
            Body::RefereeAck(said) | Body::PlayerAck(said) => {
                self.note_acknowledged(voice, said.received, now, out);
                Ok(())
            }
            Body::TableRequest(_) => {
                self.answer_table(voice, letter, now, out);
                Ok(())
            }
            Body::ResultReport(said) => self.take_result(voice, said, now, out),
            Body::StatusReport(said) => self.take_evidence(voice, said, now, out),
            Body::ConnectivityCall(_) | Body::Extension(_) | Body::ForceMajeure(_) => {
                self.answer_briefly(voice, letter, now, out);
                Ok(())
            }
            // A sign of life, which was noted above. It comes for ever, so its id is not kept.
            Body::Heartbeat(_) => return Ok(()),
            // Answers that nobody waits for any longer.
            Body::State(Task::KeepAlive | Task::Pause | Task::Continue | Task::Reset, _)
            | Body::FreeText(_)
            | Body::FreeTextAnswer(_)
            | Body::ConnectivityEcho(_)
            | Body::Problem(_) => Ok(()),
            Body::Other(_) => Err(Refusal::Unsupported("an unknown message")),
            other => Err(Refusal::Unsupported(other.kind().name())),
        };
        // A stranger that is refused leaves no trace, or anybody could fill the journal.
        if taken.is_ok() || voice.enrolled {
            let handled = PostFact::Handled { from: voice.address.clone(), id: letter.id.clone() };
            self.record(LeagueFact::Post(handled), out);
        }
        taken
    }

    /// A referee says how a game ended.
    fn take_result(
        &mut self,
        voice: &Voice,
        report: &ResultReport,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let Some(AgentId::Referee(referee)) = self.agent_at(&voice.address) else {
            return Err(Refusal::NotPermitted("results come from referees"));
        };
        self.take_scores(referee, match_id, &dialect::scored(report), now, out)
    }

    /// The match that a game id names, if it is one of this season.
    fn match_of_game(&self, game: &GameId) -> Result<MatchId, Refusal> {
        let parts = game.parts().filter(|(season, match_id)| {
            *season == self.league.settings.q21.season_number % 100
                && self.league.season.fixture(*match_id).is_some()
        });
        parts.map(|(_, match_id)| match_id).ok_or(Refusal::NoSuchMatch)
    }

    /// Whoever carries letters has taken this one.
    pub(super) fn dispatched(&mut self, parcel: ParcelId, out: &mut Out) {
        if self.letterbox.awaits(parcel) {
            self.record(LeagueFact::Post(PostFact::Settled(parcel)), out);
        }
    }

    /// Letters that nobody wants any more.
    pub(super) fn clear_out(&mut self, now: Timestamp, out: &mut Out) {
        for parcel in self.letterbox.expired(now) {
            self.record(LeagueFact::Post(PostFact::Settled(parcel)), out);
        }
    }

    /// Begins, or goes on after a restart: everything that was not taken yet goes out again.
    pub(super) fn resume_post(&mut self, now: Timestamp, out: &mut Out) {
        self.clear_out(now, out);
        let waiting: Vec<_> = self.letterbox.waiting().cloned().collect();
        for parcel in waiting {
            out.push(Effect::Post(self.attach_tokens(parcel)));
        }
        // What was delivered while nobody was here is read now: nobody is late before that.
        if self.league.calendar.announced {
            self.deaf_until = Some(now + self.league.settings.match_time_max());
        }
    }
}

#[cfg(test)]
mod tests;
