//! LEAGUE_REGISTER_REQUEST: somebody wants to be told of seasons. There is one, and it may be open.
//!
//! A stranger gets one answer only, and one that may come is shown the way in.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21 as dialect;
use agon_proto::q21::{
    Body, LeagueRegistration, LeagueRegistrationAnswer, Letter, RegistrationRequest, Verdict,
};
use agon_proto::{Contact, Timestamp};

use super::super::registration::Application;
use super::super::saying::Reader;
use super::super::{Manager, Out};
use super::admission::Voice;
use crate::Refusal;
use crate::fact::{LeagueFact, Q21Fact};

impl Manager {
    pub(super) fn note_newcomer(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        said: &LeagueRegistration,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let agent = said.name.clone();
        if voice.enrolled {
            let status = Verdict::Accepted;
            let answer = LeagueRegistrationAnswer { status, agent, reason: None };
            let body = Body::LeagueRegistrationAnswer(answer);
            self.reply(&voice.address, letter, body, now, out);
            return Ok(());
        }
        if !self.league.correspondence.may_answer(&voice.address) {
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
        let (address, at) = (voice.address.clone(), now);
        let place = self.place(None, &request, &Application::by_letter(voice.caller, now));
        let (fact, status, reason) = match place {
            Ok(_) => (Q21Fact::Introduced { address, at }, Verdict::Accepted, None),
            Err(refusal) => {
                let denied = dialect::decide(self.decision(&Err(refusal)), &self.season_name());
                (Q21Fact::TurnedAway { address, at }, Verdict::Rejected, denied.reason)
            }
        };
        self.record(LeagueFact::Q21(fact), out);
        let answer = LeagueRegistrationAnswer { status, agent, reason };
        self.reply(&voice.address, letter, Body::LeagueRegistrationAnswer(answer), now, out);
        if status == Verdict::Accepted {
            self.tell_opening(vec![Reader::at(Contact::of(&voice.address))], now, out);
        }
        Ok(())
    }
}
