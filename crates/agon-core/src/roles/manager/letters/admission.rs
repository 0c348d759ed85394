//! Who writes: the mail server vouches for an address, or a token does.
//!
//! What a letter says of its sender is a claim. Only an application needs no proof where letters
//! travel by call: its answer goes to the endpoint that it names and nowhere else.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Letter;
use agon_proto::act::Act;
use agon_proto::act::Task;
use agon_proto::{Address, Contact};

use super::Letters;
use crate::effect::{Caller, Proof};
use crate::fact::{LeagueFact, SeasonFact};
use crate::{Refusal, TokenHash};

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
