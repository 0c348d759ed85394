//! The manager of a league that is played by letters: the same league, in letters instead of calls.
//!
//! Whoever writes is known by its address; each letter is dealt with once, and answered once.
//! Where somebody writes by mail, what the calendar brings happens in `tick` alone: a letter may
//! have been delivered long before it is read.
//!
//! Spec: docs/protocol/q21.md

mod enrolment;

use agon_proto::act::{Act, ResultReport, Task};
use agon_proto::{Address, AgentId, Contact, GameId, Letter, MatchId};

use super::registration::Applications;
use super::reports::Results;
use crate::effect::{Caller, Proof, RequestId};
use crate::fact::{LeagueFact, SeasonFact};
use crate::letterbox::LetterboxFact;
use crate::{Refusal, TokenHash};

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
        let voice = match self.voice(proof, letter) {
            Ok(voice) => voice,
            Err(refusal) => return self.0.book.out.refuse(request, refusal),
        };
        if self.0.book.records().letterbox.knows(&voice.address, &letter.id) {
            return self.0.book.out.acknowledge(request);
        }
        match self.take_in(&voice, letter) {
            Ok(()) => self.0.book.out.acknowledge(request),
            Err(refusal) => self.0.book.out.refuse(request, refusal),
        }
    }

    /// The whole routing table.
    fn take_in(&mut self, voice: &Voice, letter: &Letter) -> Result<(), Refusal> {
        // Whoever was in a season that was reset has just been told so.
        if voice.former && has_forgotten(letter) {
            return Ok(());
        }
        if !voice.enrolled && !is_application(letter) {
            return Err(Refusal::NotPermitted("this address is not enrolled in the season"));
        }
        self.note_presence(voice, letter);
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is said to others")]
        let taken = match &letter.act {
            Act::Apply(said) => self.enrol(voice, letter, said),
            Act::LeagueRegistration(said) => self.note_newcomer(voice, letter, said),
            Act::RefereeAck(said) | Act::PlayerAck(said) => {
                self.note_acknowledged(voice, said.received);
                Ok(())
            }
            Act::TableRequest(_) => {
                self.answer_table(voice, letter);
                Ok(())
            }
            Act::ResultReport(said) => self.take_result(voice, said),
            Act::StatusReport(said) => self.take_evidence(voice, said),
            Act::ConnectivityCall(_) | Act::Extension(_) | Act::ForceMajeure(_) => {
                self.answer_briefly(voice, letter);
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
        if taken.is_ok() || voice.enrolled {
            let handled =
                LetterboxFact::Handled { from: voice.address.clone(), id: letter.id.clone() };
            self.0.book.record(LeagueFact::Letterbox(handled));
        }
        taken
    }

    /// A referee says how a game ended.
    fn take_result(&mut self, voice: &Voice, report: &ResultReport) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let Some(AgentId::Referee(referee)) = self.0.book.league().agent_at(&voice.address) else {
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
}

/// Who writes, proved.
#[derive(Debug)]
pub(super) struct Voice {
    pub(super) address: Address,
    /// Whether it is on the roll.
    pub(super) enrolled: bool,
    /// Whether it is not, but was before the season was reset.
    pub(super) former: bool,
    /// From where it calls, and with what it shows; by mail the roster says who may come.
    pub(super) caller: Option<Caller>,
}

impl Letters<'_> {
    pub(super) fn voice(
        &self,
        (proof, caller): (&Proof, Option<&Caller>),
        letter: &Letter,
    ) -> Result<Voice, Refusal> {
        let address = match proof {
            Proof::Vouched(from) => from.clone(),
            Proof::Token => self.by_token(letter)?,
        };
        // Real agents leave their address out; one that names another's is not believed.
        if letter.from.address.as_ref().is_some_and(|claim| !claim.is_empty() && *claim != address)
        {
            return Err(Refusal::NotPermitted("the letter names another sender than the post"));
        }
        let contact = Contact::of(&address);
        let enrolled = self.0.book.league().registry.at(&contact).is_some();
        let former = !enrolled && self.0.book.league().former.contains_key(&contact);
        Ok(Voice { address, enrolled, former, caller: caller.copied() })
    }

    fn by_token(&self, letter: &Letter) -> Result<Address, Refusal> {
        if is_application(letter) {
            let claim = letter.from.address.clone().filter(Address::is_endpoint);
            return claim.ok_or(Refusal::BadValue("sender.email must be the agent's endpoint"));
        }
        let token = letter.auth_token.as_ref().ok_or(Refusal::TokenMissing)?;
        let holder = TokenHash::of(token).and_then(|hash| self.holder(&hash, letter));
        holder.ok_or_else(|| Refusal::TokenInvalid(token.clone()))
    }

    /// Whom that token proves. One of a season that was reset is good for saying that one knows.
    fn holder(&self, token: &TokenHash, letter: &Letter) -> Option<Address> {
        let registry = &self.0.book.league().registry;
        let member = registry.holder(token).and_then(|id| Some(&registry.agent(id)?.contact));
        let former = || self.0.book.league().former_holder(token).filter(|_| has_forgotten(letter));
        member.or_else(former).map(Contact::address)
    }

    /// Who writes while everybody is asked whether they are there, is there. Where letters travel
    /// by call an application proves nothing, and so it does not count.
    pub(super) fn note_presence(&mut self, voice: &Voice, letter: &Letter) {
        let (league, at) = (self.0.book.league(), self.0.book.now);
        let proved = Contact::of(&voice.address).vouches() || !is_application(letter);
        let Some(check_in) = league.calendar.check_in_for(league.season.round() + 1) else {
            return;
        };
        let address = &voice.address;
        if proved && voice.enrolled && !check_in.present.contains(address) {
            let (round, address) = (check_in.round, address.clone());
            self.0.book.record(LeagueFact::Season(SeasonFact::CheckedIn { round, address, at }));
        }
    }

    pub(super) fn note_acknowledged(&mut self, voice: &Voice, received: u32) {
        if !self.0.book.league().correspondence.has_acknowledged(&voice.address) {
            let (address, at) = (voice.address.clone(), self.0.book.now);
            self.0.book.record(LeagueFact::Season(SeasonFact::Acknowledged {
                address,
                received,
                at,
            }));
        }
    }
}

/// Whether a letter asks to be let in.
pub(super) fn is_application(letter: &Letter) -> bool {
    matches!(letter.act, Act::Apply(_) | Act::LeagueRegistration(_))
}

/// Whether a letter says that a season was forgotten.
pub(super) fn has_forgotten(letter: &Letter) -> bool {
    matches!(letter.act, Act::State(Task::Reset, _))
}

#[cfg(test)]
mod tests;
