//! Letting agents into the season, by letter.
//!
//! A second request is rejected as `already_registered`, as real league managers do; everybody
//! takes that for success. Whoever may not come is told why, once. LEAGUE_REGISTER_REQUEST only
//! asks to be told of seasons: one that may come is shown the way in.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Contact;
use agon_proto::Letter;
use agon_proto::act::{
    Act, Approval, LeagueRegistration, LeagueRegistrationAnswer, RegistrationAnswer,
    RegistrationRequest,
};
use agon_proto::dialect;
use agon_proto::joining::AdmissionDecision;

use super::super::book::Reader;
use super::super::registration::Application;
use super::Letters;
use super::admission::Voice;
use crate::Refusal;
use crate::fact::{LeagueFact, SeasonFact};

impl Letters<'_> {
    /// Somebody wants to be in the season.
    pub(super) fn enrol(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        said: &RegistrationRequest,
    ) -> Result<(), Refusal> {
        let said = dialect::applying(said, &letter.from, Contact::of(&voice.address));
        let application = Application::by_letter(voice.caller, self.0.book.now);
        let admitted = self.0.admit(said, &application);
        if let Err(refusal) = &admitted
            && *refusal != Refusal::AlreadyIn
        {
            if !self.0.book.league().correspondence.may_answer(&voice.address) {
                return Err(Refusal::NotPermitted("this address was turned away before"));
            }
            let (address, at) = (voice.address.clone(), self.0.book.now);
            self.0.book.record(LeagueFact::Season(SeasonFact::TurnedAway { address, at }));
        }
        let decision = self.0.decision(&admitted);
        // The token is put into it when it leaves.
        let answer = RegistrationAnswer { auth_token: None, ..self.decided(decision) };
        self.0.book.reply(&voice.address, letter, Act::RegistrationAnswer(answer));
        let known = self.0.book.league().agent_at(&voice.address);
        if let (Err(Refusal::AlreadyIn), Some(id)) = (&admitted, known) {
            self.0.book.tell().all_again_to(id);
        }
        Ok(())
    }

    fn decided(&self, decision: AdmissionDecision) -> RegistrationAnswer {
        dialect::decide_in_letter(decision, &self.0.book.league().settings.season())
    }

    /// Somebody wants to be told of seasons. There is one, and it may be open. A stranger gets one
    /// answer only.
    pub(super) fn note_newcomer(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        said: &LeagueRegistration,
    ) -> Result<(), Refusal> {
        let (agent, at) = (said.name.clone(), self.0.book.now);
        if voice.enrolled {
            let status = Approval::Accepted;
            let answer = LeagueRegistrationAnswer { status, agent, reason: None };
            self.0.book.reply(&voice.address, letter, Act::LeagueRegistrationAnswer(answer));
            return Ok(());
        }
        if !self.0.book.league().correspondence.may_answer(&voice.address) {
            return Err(Refusal::NotPermitted("this address had its answer before"));
        }
        let request = RegistrationRequest {
            season: None,
            group: said.group.clone(),
            participant: None,
            name: said.name.clone(),
            role: Some(said.role),
            also: None,
        };
        let request = dialect::applying(&request, &letter.from, Contact::of(&voice.address));
        let application = Application::by_letter(voice.caller, at);
        let place = self.0.place(None, &request, &application);
        let address = voice.address.clone();
        let (fact, status, reason) = match place {
            Ok(_) => (SeasonFact::Introduced { address, at }, Approval::Accepted, None),
            Err(refusal) => {
                let decision = self.0.decision(&Err(refusal));
                let reason = self.decided(decision).reason;
                (SeasonFact::TurnedAway { address, at }, Approval::Rejected, reason)
            }
        };
        self.0.book.record(LeagueFact::Season(fact));
        let answer = LeagueRegistrationAnswer { status, agent, reason };
        self.0.book.reply(&voice.address, letter, Act::LeagueRegistrationAnswer(answer));
        if status == Approval::Accepted {
            self.0.book.tell().opening(vec![Reader::at(Contact::of(&voice.address))]);
        }
        Ok(())
    }
}
