//! Letting agents in, once or again.
//!
//! Spec: docs/protocol/registration.md

mod identity;
mod place;

use agon_proto::act::{Applying, Decided, Denial};
use agon_proto::tool::LeaguePhase;
use agon_proto::{
    AgentId, AuthToken, Contact, ConversationId, REPEAT_MAX, Role, SeasonId, Timestamp,
};
use rustc_hash::FxHashSet;

use super::book::Book;
use super::conduct::Conduct;
use super::in_play::InPlay;
use crate::effect::{Alert, Caller, Effect};
use crate::fact::{LeagueFact, Registration};
use crate::gate::{Speaker, Writer};
use crate::league::League;
use crate::league::registry::Agent;
use crate::{Provenance, Refusal, RequestDigest, TokenHash};
use identity::{Standing, request_digest};
use place::Place;

/// A request to be let in, and what came with it.
pub(super) struct Application {
    pub(super) said: Applying,
    /// Where it wants to be reached.
    pub(super) contact: Contact,
    /// Who calls; nobody, if somebody else vouches for it.
    pub(super) caller: Option<Caller>,
    /// The dialogue that it belongs to; `None` where the same agent asks in the same words always.
    pub(super) conversation: Option<ConversationId>,
    /// The old token, if one was shown.
    pub(super) token: Option<AuthToken>,
    /// When it was written, by the agent's own clock.
    pub(super) said_at: Timestamp,
}

impl Application {
    /// By a letter of somebody who is reached there. Who writes again asks for the same.
    pub(super) fn by_letter(said: Applying, writer: &Writer, now: Timestamp) -> Self {
        let (contact, caller) = (Contact::of(writer.address()), writer.caller());
        Self { said, contact, caller, conversation: None, token: None, said_at: now }
    }
}

/// Somebody was let in.
#[derive(Debug)]
pub(super) struct Admitted {
    pub(super) agent: AgentId,
    token: AuthToken,
    standing: Standing,
    /// Whether it was in before.
    known: bool,
}

/// Agents that have shown a fresh token, so they have it: which one, by how often they were let in.
/// Not durable: it matters for seconds.
pub(super) type Shown = FxHashSet<(AgentId, u32)>;

/// The requests to be let in.
pub(super) struct Applications<'a> {
    pub(super) book: Book<'a>,
    pub(super) in_play: &'a mut InPlay,
    pub(super) shown: &'a mut Shown,
}

impl Applications<'_> {
    pub(super) fn conduct(&mut self) -> Conduct<'_> {
        self.book.conduct(self.in_play)
    }

    /// Lets somebody in, or says why not. Then nothing has changed.
    pub(super) fn admit(&mut self, application: &Application) -> Result<Admitted, Refusal> {
        let Application { said, contact, caller, .. } = application;
        self.check(said)?;
        let standing = self.standing(application)?;
        let Place { agent, group, name } = self.place(standing.agent(), application)?;
        let (league, now) = (self.book.league(), self.book.now);
        let known = league.registry.agent(agent).is_some();
        let digest = request_digest(application, &league.settings);
        let number = self.number_for(agent, standing);
        let (token, hash) = self.token((agent, number), digest);
        if !standing.is_repeat() {
            // Who is vouched for needs no token, and nobody can repeat its request.
            let proved = !contact.vouches();
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
                capacity: self.capacity(agent, said.capacity),
                says_told: said.says_told,
                said_at: application.said_at.min(written_now(now)),
                at: now,
            };
            self.note_late((&registration, standing), application);
            self.book.record(LeagueFact::Registered(registration.into()));
        }
        if let AgentId::Referee(referee) = agent {
            self.conduct().hear(referee);
        }
        Ok(Admitted { agent, token, standing, known })
    }

    /// Most matches at once that a referee gets, whatever it says of itself.
    fn capacity(&self, agent: AgentId, said: Option<u32>) -> u32 {
        let settings = &self.book.league().settings;
        match agent {
            AgentId::Player(_) => 0,
            AgentId::Referee(_) => {
                said.unwrap_or(settings.says().agents_max).min(settings.capacity_max)
            }
        }
    }

    /// Says what the operator should know of a referee.
    fn note_late(
        &mut self,
        (registration, standing): (&Registration, Standing),
        application: &Application,
    ) {
        let AgentId::Referee(referee) = registration.agent else { return };
        let capacity = registration.capacity;
        if let Some(said) = application.said.capacity.filter(|said| capacity < *said) {
            self.book.out.push(Effect::Alert(Alert::CapacityCapped { referee, said, capacity }));
        }
        let late = self.book.league().season.phase() == LeaguePhase::Running;
        if let Some(caller) = application.caller.filter(|_| standing == Standing::New && late) {
            let (name, endpoint) = (registration.name.clone(), registration.contact.endpoint());
            let address = caller.address;
            let alert = Alert::RefereeJoinedLate { referee, name, endpoint, address };
            self.book.out.push(Effect::Alert(alert));
        }
    }

    /// What somebody is told who was let in, or was not.
    pub(super) fn decision(&self, admitted: &Result<Admitted, Refusal>) -> Decided {
        let League { registry, settings, .. } = self.book.league();
        let season = settings.says().seasons.then(|| settings.seasons.season.clone());
        let Admitted { agent, token, .. } = match admitted {
            Ok(admitted) => admitted,
            Err(refusal) => {
                let text = told_of(refusal, season.as_ref());
                let (denial, code) = (Some(refusal.denial()), Some(refusal.code()));
                return Decided { denial, code, text: Some(text), season, ..Decided::default() };
            }
        };
        let beats = Some(settings.heartbeat_ms).filter(|ms| *ms > 0);
        let count = registry.player_count() + registry.referee_count();
        let named = season.as_ref();
        Decided {
            text: named
                .map(|id| format!("Registered for {id} as {}", role_of(*agent).name()).into()),
            agent: Some(*agent),
            league: Some(settings.league_id.clone()),
            token: Some(token.clone()),
            signed_calls: true,
            heartbeat_ms: beats.filter(|_| matches!(agent, AgentId::Referee(_))),
            registration: named.map(|id| format!("reg-{id}-{count:03}").into()),
            season,
            ..Decided::default()
        }
    }

    /// Somebody is in, and has its answer: it hears what it has missed.
    pub(super) fn welcome(&mut self, admitted: &Admitted) {
        let Admitted { agent, standing, known, .. } = *admitted;
        self.book.tell().end_to(agent);
        let AgentId::Referee(referee) = agent else { return };
        // A repeat of the same request is no restart: nothing it holds is lost.
        if standing.is_repeat() {
            return;
        }
        let mut conduct = self.conduct();
        if known && !matches!(standing, Standing::Proved(_)) {
            conduct.expect_nothing_of(referee);
        }
        conduct.catch_up(referee);
        if known {
            conduct.referee_restarted(referee);
        }
    }

    /// The how manieth token it is given: another one each time, and the same for a repeat.
    fn number_for(&mut self, agent: AgentId, standing: Standing) -> u32 {
        match self.book.league().registry.agent(agent).map(|agent| agent.number) {
            Some(number) if standing.is_repeat() => number,
            Some(number) => {
                self.shown.remove(&(agent, number));
                number + 1
            }
            None => 1,
        }
    }

    /// Whoever speaks has its token: from now on that is given to nobody again. After a while it
    /// would not be anyway.
    pub(super) fn note_use(&mut self, speaker: Speaker) {
        let id = match speaker {
            Speaker::Referee(id) => AgentId::Referee(*id.get()),
            Speaker::Player(id) => AgentId::Player(*id.get()),
            Speaker::Manager(_) | Speaker::Newcomer => return,
        };
        let now = self.book.now;
        let fresh = |agent: &&Agent| now.since(agent.at) <= REPEAT_MAX;
        if let Some(agent) = self.book.league().registry.agent(id).filter(fresh) {
            self.shown.insert((id, agent.number));
        }
    }

    /// The token of that agent's `number`th registration.
    fn token(&self, agent: (AgentId, u32), request: RequestDigest) -> (AuthToken, TokenHash) {
        let token = self.book.records().options.secrets.mint(agent, Some(request));
        let hash = TokenHash::of(&token).expect("a minted token is one of ours");
        (token, hash)
    }
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

fn role_of(agent: AgentId) -> Role {
    match agent {
        AgentId::Player(_) => Role::Player,
        AgentId::Referee(_) => Role::Referee,
    }
}

/// The latest that a request can have been written. Its time has whole seconds.
fn written_now(now: Timestamp) -> Timestamp {
    Timestamp::from_micros(now.micros() - now.micros().rem_euclid(1_000_000))
}
