//! Letting agents into the season, by letter.
//!
//! A second request is rejected as `already_registered`, as real league managers do; everybody
//! takes that for success. Whoever may not come is told why, once.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21 as dialect;
use agon_proto::joining::Decision;
use agon_proto::q21::{Body, Letter, RegistrationRequest};
use agon_proto::{Contact, Timestamp};

use super::super::registration::Application;
use super::super::{Manager, Out};
use super::admission::Voice;
use crate::Refusal;
use crate::fact::{LeagueFact, Q21Fact};

impl Manager {
    /// Somebody wants to be in the season.
    pub(super) fn enrol(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        said: &RegistrationRequest,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let said = dialect::applying(said, &letter.from, Contact::of(&voice.address));
        let admitted = self.admit(said, &Application::by_letter(voice.caller, now), now, out);
        if let Err(refusal) = &admitted
            && *refusal != Refusal::AlreadyIn
        {
            if !self.league.correspondence.may_answer(&voice.address) {
                return Err(Refusal::NotPermitted("this address was turned away before"));
            }
            let address = voice.address.clone();
            self.record(LeagueFact::Q21(Q21Fact::TurnedAway { address, at: now }), out);
        }
        let decision = self.decision(&admitted);
        self.answer(voice, letter, decision, now, out);
        if let (Err(Refusal::AlreadyIn), Some(id)) = (&admitted, self.agent_at(&voice.address)) {
            self.tell_all_again_to(id, now, out);
        }
        Ok(())
    }

    /// The token is put into it when it leaves.
    fn answer(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        decision: Decision,
        now: Timestamp,
        out: &mut Out,
    ) {
        let mut answer = dialect::decide(decision, &self.season_name());
        answer.auth_token = None;
        self.reply(&voice.address, letter, Body::RegistrationAnswer(answer), now, out);
    }
}
