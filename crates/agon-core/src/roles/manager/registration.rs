//! Letting agents in, once or again, by call and by letter.
//!
//! Spec: docs/protocol/registration.md

mod leave;
mod place;

use agon_proto::act::{
    Act, Applying, Approval, Decided, Denial, LeagueRegistration, LeagueRegistrationAnswer,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{
    AgentId, AuthToken, Contact, ConversationId, Dialogue, DisplayName, Role, SeasonId, Timestamp,
};

use super::conduct::Conduct;
use super::news::News;
use super::probes::{self, Probing};
use crate::effect::{Alert, Caller, CallerPlace, Effect, Origin, RequestId};
use crate::fact::{LeagueFact, Registration, SeasonFact};
use crate::gate::Posted;
use crate::league::League;
use crate::{Provenance, Refusal};
use place::{Place, Standing, request_digest};

/// A request to be let in, and what came with it.
struct Application {
    said: Applying,
    /// Where it wants to be reached.
    contact: Contact,
    /// Who calls; nobody, if somebody else vouches for it.
    caller: Option<Caller>,
    /// The dialogue that it belongs to; `None` where the same agent asks in the same words always.
    conversation: Option<ConversationId>,
    /// The old token, if one was shown.
    token: Option<AuthToken>,
    /// When it was written, by the agent's own clock.
    said_at: Timestamp,
}

/// Somebody was let in.
struct Admitted {
    agent: AgentId,
    token: AuthToken,
    standing: Standing,
    /// The operator has to say yes first.
    waits: bool,
}

/// The requests to be let in.
pub(super) struct Applications<'a>(pub(super) Conduct<'a>);

impl Applications<'_> {
    /// Lets somebody in, or says why not. Then nothing has changed.
    fn admit(&mut self, application: &Application) -> Result<Admitted, Refusal> {
        let Application { said, contact, caller, .. } = application;
        self.check(said)?;
        let standing = self.standing(application)?;
        let leave = self.leave(standing, application)?;
        if let Some(agent) = standing.agent().filter(|_| !matches!(standing, Standing::Repeated(_)))
        {
            let now = self.0.book.now;
            self.0.book.heard.comes_again(agent, now)?;
        }
        let Place { agent, group, name } = match standing.agent() {
            Some(agent) => self.place_of(agent, said, leave)?,
            None => self.new_place(application)?,
        };
        let (League { registry, settings, .. }, now) = (self.0.book.league(), self.0.book.now);
        let digest = request_digest(application, settings);
        // Another token each time, and the same for a repeat.
        let before = registry.agent(agent).map_or(0, |agent| agent.number);
        let is_repeat = matches!(standing, Standing::Repeated(_));
        let number = before + u32::from(!is_repeat);
        // Most matches at once that a referee gets, whatever it says of itself.
        let capacity = said.capacity.unwrap_or(settings.says().agents_max);
        let capacity = match agent {
            AgentId::Player(_) => 0,
            AgentId::Referee(_) => capacity.min(settings.capacity_max),
        };
        let (token, hash) = self.0.book.records().mint((agent, number), Some(digest));
        if !is_repeat {
            // Who is vouched for needs no token, and nobody can repeat its request.
            let proved = !contact.vouches();
            // The latest that it can have been written: its time has whole seconds.
            let latest = Timestamp::from_micros(now.micros() - now.micros().rem_euclid(1_000_000));
            let registration = Registration {
                agent,
                name,
                contact: contact.clone(),
                also: said.also.clone().filter(|also| also != contact),
                group,
                token: proved.then_some(hash),
                provenance: Provenance {
                    request: proved.then_some(digest),
                    address: caller.map(|caller| caller.address).unwrap_or_default(),
                    keeps_token: said.keeps_token,
                },
                capacity,
                says_told: said.says_told,
                invitation: leave.invitation,
                waits: leave.waits,
                expected_with: 0,
                unproved: matches!(standing, Standing::AtItsPlace(_)),
                public_only: caller.is_some_and(|caller| caller.public_only),
                said_at: application.said_at.min(latest),
                at: now,
            };
            self.0.book.heard.shown.remove(&(agent, before));
            self.tell_operator((&registration, standing), application);
            self.0.book.record(LeagueFact::Registered(registration.into()));
            self.0.bound_calls_to(agent);
        }
        if let AgentId::Referee(referee) = agent
            && !leave.waits
        {
            self.0.hear(referee);
        }
        Ok(Admitted { agent, token, standing, waits: leave.waits })
    }

    /// Says what the operator should know of one who came.
    fn tell_operator(
        &mut self,
        (registration, standing): (&Registration, Standing),
        application: &Application,
    ) {
        let (agent, name) = (registration.agent, registration.name.clone());
        let address = registration.provenance.address;
        if registration.waits {
            let name = name.clone();
            self.0.book.out.push(Effect::Alert(Alert::Waits { agent, name, address }));
        }
        if registration.unproved {
            let name = name.clone();
            self.0.book.out.push(Effect::Alert(Alert::CameUnproved { agent, name }));
        }
        if application.said.name.as_ref().is_some_and(|said| *said != name) {
            self.0.book.out.push(Effect::Alert(Alert::Renamed { agent, name }));
        }
        let AgentId::Referee(referee) = registration.agent else { return };
        let capacity = registration.capacity;
        if let Some(said) = application.said.capacity.filter(|said| capacity < *said) {
            self.0.book.out.push(Effect::Alert(Alert::CapacityCapped { referee, said, capacity }));
        }
        let late = self.0.book.league().season.phase == LeaguePhase::Running;
        if let Some(caller) =
            application.caller.filter(|_| standing == Standing::New && late && !registration.waits)
        {
            let (name, endpoint) = (registration.name.clone(), registration.contact.endpoint());
            let address = caller.address;
            let alert = Alert::RefereeJoinedLate { referee, name, endpoint, address };
            self.0.book.out.push(Effect::Alert(alert));
        }
    }

    /// What somebody is told who was let in, or was not.
    fn decision(
        &self,
        admitted: &Result<Admitted, Refusal>,
        asked: Option<&DisplayName>,
    ) -> Decided {
        let League { registry, settings, .. } = self.0.book.league();
        let season = settings.told_season();
        let named = season.as_ref().filter(|_| settings.says().seasons);
        let Admitted { agent, token, waits, .. } = match admitted {
            Ok(admitted) => admitted,
            Err(refusal) => {
                let text = told_of(refusal, named);
                let (denial, code) = (Some(refusal.denial()), Some(refusal.code()));
                return Decided { denial, code, text: Some(text), season, ..Decided::default() };
            }
        };
        let is_referee = matches!(agent, AgentId::Referee(_));
        let role = if is_referee { Role::Referee } else { Role::Player };
        let count = registry.player_count() + registry.referee_count();
        let name = registry.agent(*agent).map(|agent| agent.name.clone());
        Decided {
            pending: *waits,
            name: name.filter(|name| asked.is_some_and(|asked| asked != name)),
            text: named.map(|id| format!("Registered for {id} as {}", role.name()).into()),
            agent: Some(*agent),
            league: Some(settings.league_id.clone()),
            token: Some(token.clone()),
            signed_calls: true,
            probe_ms: probes::after(self.0.book.records())
                .and_then(|it| it.as_millis().try_into().ok()),
            heartbeat_ms: Some(settings.heartbeat_ms).filter(|ms| *ms > 0 && is_referee),
            registration: named.map(|id| format!("reg-{id}-{count:03}").into()),
            season,
            ..Decided::default()
        }
    }

    /// Somebody has its answer, and hears what it has missed.
    fn welcome(&mut self, contact: &Contact, admitted: Result<Admitted, Refusal>) {
        let Admitted { agent, standing, .. } = match admitted {
            // Nobody who waits for the operator's word hears anything.
            Ok(admitted) if admitted.waits => return,
            Ok(admitted) => admitted,
            Err(Refusal::AlreadyIn) => {
                let known = self.0.book.league().registry.at(contact);
                return known.into_iter().for_each(|id| self.0.book.tell_all_again_to(id));
            }
            Err(_) => return,
        };
        self.0.book.say(News::SeasonOver, &[agent]);
        Probing(self.0.lend()).plan(agent);
        // A repeat of the same request is no restart: nothing it holds is lost.
        if matches!(standing, Standing::Repeated(_)) {
            return;
        }
        let AgentId::Referee(referee) = agent else { return self.0.catch_up(agent) };
        match standing {
            Standing::AtItsPlace(_) | Standing::Invited(_) => self.0.expect_nothing_of(referee),
            Standing::Repeated(_) | Standing::Proved(_) | Standing::New => {}
        }
        self.0.catch_up(agent);
        if standing != Standing::New {
            self.0.referee_restarted(referee);
        }
    }

    /// Somebody calls who wants to be let in, and is told at once what becomes of it.
    pub(super) fn register(
        &mut self,
        (request, caller): (RequestId, Caller),
        (head, token): (Dialogue, Option<AuthToken>),
        mut said: Applying,
    ) {
        let (role, contact) = (said.role, said.contact.take());
        let asked = said.name.clone();
        let missing = Refusal::BadValue("contact: where are you reached?");
        let admitted = contact.as_ref().ok_or(missing).and_then(|contact| {
            self.admit(&Application {
                said,
                contact: contact.clone(),
                caller: Some(caller),
                conversation: Some(head.conversation_id.clone()),
                token,
                said_at: head.timestamp,
            })
        });
        let decided = Decided { role, ..self.decision(&admitted, asked.as_ref()) };
        self.0.book.answer(request, head.conversation_id, Act::Decide(decided.into()));
        if let Some(contact) = contact {
            self.welcome(&contact, admitted);
        }
    }

    /// Somebody writes who wants to be in the season. A second request is rejected as
    /// `already_registered`, as real league managers do; everybody takes that for success. Whoever
    /// may not come is told why, once.
    pub(super) fn enrol(&mut self, posted: &Posted<'_>, said: &Applying) -> Result<(), Refusal> {
        let application = self.by_letter(posted, said);
        let admitted = self.admit(&application);
        if let Some(refusal) = admitted.as_ref().err().filter(|no| **no != Refusal::AlreadyIn) {
            named_by_its_owner(posted, refusal)?;
            self.answer_once(posted, Some(refusal), "this address was turned away before")?;
        }
        // The token is put into it when it leaves.
        let asked = application.said.name.as_ref();
        let answer = Decided { token: None, ..self.decision(&admitted, asked) };
        self.0.book.reply(posted, Act::Decide(Box::new(answer)));
        self.welcome(&application.contact, admitted);
        Ok(())
    }

    /// Somebody wants to be told of seasons. There is one, and it may be open: one that may come is
    /// shown the way in. A stranger gets one answer only.
    pub(super) fn note_newcomer(
        &mut self,
        posted: &Posted<'_>,
        said: &LeagueRegistration,
    ) -> Result<(), Refusal> {
        let mut refusal = None;
        if !posted.enrolled {
            let (group, name, role) = (said.group.clone(), said.name.clone(), Some(said.role));
            let said = Applying { group, name, role, ..Applying::default() };
            let application = self.by_letter(posted, &said);
            let leave = self.leave(Standing::New, &application);
            refusal = leave.and_then(|_| self.new_place(&application)).err();
            refusal.as_ref().map_or(Ok(()), |refusal| named_by_its_owner(posted, refusal))?;
            self.answer_once(posted, refusal.as_ref(), "this address had its answer before")?;
        }
        let is_welcome = refusal.is_none();
        let answer = LeagueRegistrationAnswer {
            status: if is_welcome { Approval::Accepted } else { Approval::Rejected },
            agent: said.name.clone(),
            reason: refusal.map(|refusal| refusal.denial().word()),
        };
        self.0.book.reply(posted, Act::LeagueRegistrationAnswer(answer));
        if is_welcome && !posted.enrolled {
            self.0.book.tell_opening(vec![Contact::of(&posted.address)]);
        }
        Ok(())
    }

    /// Notes that a stranger has its answer, or says why it gets none.
    fn answer_once(
        &mut self,
        posted: &Posted<'_>,
        refusal: Option<&Refusal>,
        why_not: &'static str,
    ) -> Result<(), Refusal> {
        let (address, at) = (posted.address.clone(), self.0.book.now);
        if !self.0.book.league().correspondence.may_answer(&address) {
            return Err(Refusal::NotPermitted(why_not));
        }
        self.0.book.record_season(match refusal {
            None => SeasonFact::Introduced { address, at },
            Some(_) => SeasonFact::TurnedAway { address, at },
        });
        Ok(())
    }

    /// The request of somebody who writes. Who writes again asks for the same. What it leaves out
    /// of itself, its letter may say.
    fn by_letter(&self, posted: &Posted<'_>, said: &Applying) -> Application {
        let (contact, said_at) = (Contact::of(&posted.address), self.0.book.now);
        let (mut said, caller) = (said.clone(), posted.caller);
        said.role = said.role.or(posted.letter.head.from.role);
        said.group.take_if(|group| group.is_empty());
        said.season.take_if(|season| season.is_empty());
        Application { said, contact, caller, conversation: None, token: None, said_at }
    }
}

/// Whoever may not come hears that where it says that it is reached, if it calls from there. Any
/// other hears it in the answer to its call: nobody has us call somebody else by being refused.
fn named_by_its_owner(posted: &Posted<'_>, refusal: &Refusal) -> Result<(), Refusal> {
    let is_own = |caller: Caller| {
        caller.origin == Origin::Endpoint || caller.place == CallerPlace::ThisMachine
    };
    if posted.caller.is_none_or(is_own) { Ok(()) } else { Err(refusal.clone()) }
}

/// Why somebody is not let in, for people. Who knows of seasons hears which one it is about.
fn told_of(refusal: &Refusal, season: Option<&SeasonId>) -> Box<str> {
    let text = match (refusal.denial(), season) {
        (Denial::AlreadyIn, Some(id)) => format!("Already registered for {id}"),
        (Denial::Closed, Some(id)) => {
            format!("Registration for {id} is closed: the season has begun or is over")
        }
        (Denial::UnknownSeason, Some(id)) => format!("The season that is open is {id}"),
        (Denial::Full, Some(_)) => "The league is full".to_owned(),
        _ => refusal.to_string(),
    };
    text.into()
}
