//! Getting in by a call.
//!
//! Every try of one request is the same conversation, so a repeat gets the same token. Which one is
//! written down before it is asked: a process that dies before it has the answer repeats it. With
//! an old token in hand the agent shows it and keeps its id.
//!
//! Spec: docs/protocol/registration.md

use std::time::Duration;

use agon_proto::act::Act;
use agon_proto::tool::Lifecycle;
use agon_proto::{
    AgentId, Answer, ConversationId, Dialogue, Envelope, ErrorCode, LeagueId, Sender, Timestamp,
};

use super::{Agent, AgentFact, Credentials, Member, Membership, Profile};
use crate::effect::{Alert, Effect, Effects, Ending, Lane, Outgoing, Tag};
use crate::{Machine, Refusal};

type Out<M> = Effects<<M as Machine>::Fact>;

/// How far we have come in asking to be let in.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// What our request is known by, as long as it was not answered.
    pub(super) number: Option<u64>,
    /// How many requests there were.
    pub(super) asked: u64,
    tried: u32,
    pub(super) again_at: Option<Timestamp>,
    /// When we registered again, lately; oldest first.
    rejoins: Vec<Timestamp>,
    /// When that was last granted.
    granted_at: Option<Timestamp>,
}

/// Asks to be let in; what is asked is written down first.
pub(crate) fn ask<M: Member>(role: &mut M, now: Timestamp, out: &mut Out<M>) {
    let Agent { asking, profile, .. } = role.agent();
    if asking.number.is_none() {
        let nonce = profile.nonce.wrapping_add(asking.asked);
        role.note(AgentFact::Asked { nonce }, out);
    }
    out.push(role.agent_mut().register(now));
}

/// An answer to our request came. Whether it lets us in.
pub(crate) fn answered<M: Member>(
    role: &mut M,
    answer: &Answer,
    now: Timestamp,
    out: &mut Out<M>,
) -> bool {
    // It is no answer to our request, or it came twice.
    if role.agent().lifecycle() != Lifecycle::Registering {
        return false;
    }
    match read(answer) {
        Ok(given) => {
            // Only after another time is there anything of ours under way by now.
            let asking = &mut role.agent_mut().asking;
            asking.granted_at = Some(now).filter(|_| !asking.rejoins.is_empty());
            let (season, league) = (None, Some(given.league.clone()));
            role.note(AgentFact::Admitted { season, league, given: Some(given) }, out);
            true
        }
        Err(why) => {
            role.agent_mut().give_up(why, out);
            false
        }
    }
}

/// A try brought no answer. After the last one the agent has failed.
pub(crate) fn undelivered<M: Member>(role: &mut M, now: Timestamp, out: &mut Out<M>) {
    let agent = role.agent_mut();
    if agent.lifecycle() != Lifecycle::Registering {
        return;
    }
    let (tried, profile) = (agent.asking.tried, &agent.profile);
    if tried >= profile.tries {
        let manager = profile.manager.endpoint();
        return agent.give_up(format!("no answer from {manager} in {tried} tries").into(), out);
    }
    agent.asking.again_at = Some(now + profile.backoff * 2u32.saturating_pow(tried - 1));
}

impl Agent {
    /// When the next try is due.
    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        self.asking.again_at
    }

    /// Whether the next try is due.
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        self.asking.again_at.is_some_and(|again_at| again_at <= now)
    }

    fn register(&mut self, now: Timestamp) -> Effect {
        self.season.membership = Membership::Applying;
        self.active = false;
        self.asking.tried += 1;
        self.asking.again_at = None;
        Effect::Send(Outgoing {
            to: self.profile.manager.endpoint(),
            lane: Lane::Once { timeout: self.profile.timeout },
            tag: Tag::Register,
            letter: Box::new(self.request(now)),
        })
    }

    /// We are not let in: nobody who waited for that is heard, and the agent's life is over.
    pub(super) fn give_up<F>(&mut self, why: Box<str>, out: &mut Effects<F>) {
        self.season.membership = Membership::Rejected(why.clone());
        for (request, _) in std::mem::take(&mut self.early) {
            out.refuse(request, Refusal::NotRegistered);
        }
        out.push(Effect::Finish(Ending::NotAdmitted(why)));
    }

    /// The manager does not know the token that a call of ours has shown.
    pub(crate) fn displaced<F>(&mut self, now: Timestamp, out: &mut Effects<F>) {
        let is_in = matches!(self.lifecycle(), Lifecycle::Registered | Lifecycle::Active);
        // What left before we were let in again showed the token before.
        let granted_at = self.asking.granted_at;
        let is_old = granted_at.is_some_and(|at| now.since(at) < self.profile.timeout);
        if !is_in || is_old || self.asking.again_at.is_some() {
            return;
        }
        let rejoins = &mut self.asking.rejoins;
        rejoins.retain(|time| now.since(*time) < WINDOW);
        let before = u32::try_from(rejoins.len()).unwrap_or(u32::MAX);
        if before >= REJOINS_MAX {
            return self.give_up(GIVEN_UP.into(), out);
        }
        rejoins.push(now);
        self.asking.tried = 0;
        self.asking.again_at = Some(now + self.profile.backoff * 2u32.saturating_pow(before));
        out.push(Effect::Alert(Alert::Displaced));
    }

    fn request(&self, now: Timestamp) -> Envelope {
        let Profile { name, capacity, .. } = &self.profile;
        let nonce = self.asking.number.unwrap_or(self.profile.nonce);
        let (role, sender) = match (self.credentials().and_then(|given| given.agent), capacity) {
            (Some(AgentId::Player(id)), _) => ("player", Sender::Player(id)),
            (Some(AgentId::Referee(id)), _) => ("ref", Sender::Referee(id)),
            (None, Some(_)) => ("ref", Sender::NewReferee(Box::new(name.clone()))),
            (None, None) => ("player", Sender::NewPlayer(Box::new(name.clone()))),
        };
        let conversation_id = ConversationId::new(&format!("conv-{role}-reg-{nonce:016x}"));
        Envelope {
            head: Dialogue { sender, timestamp: now, conversation_id },
            auth_token: self.keys.shown.clone().or_else(|| self.token()),
            act: Act::Apply(Box::new(self.profile.application(None))),
        }
    }
}

/// Whether the manager says that our token is not ours.
pub(crate) fn denies_token(answer: &Answer) -> bool {
    match answer {
        Answer::Message(letter) => {
            matches!(&letter.act, Act::LeagueError(error)
                if error.error_code == ErrorCode::AuthTokenInvalid)
        }
        Answer::Fault(fault) => fault.league_code == Some(ErrorCode::AuthTokenInvalid),
        Answer::Receipt(_) | Answer::Tool(_) => false,
    }
}

/// What an answer to our registration gives us, or why it lets us in nowhere.
fn read(answer: &Answer) -> Result<Credentials, Box<str>> {
    let refused = |reason: &str| Err(reason.into());
    let letter = match answer {
        Answer::Message(letter) => letter,
        Answer::Fault(fault) => return refused(&fault.message),
        Answer::Receipt(_) | Answer::Tool(_) => {
            return refused("the manager's answer is no answer to a registration");
        }
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "two acts answer here")]
    let said = match &letter.act {
        Act::Decide(said) => said,
        Act::LeagueError(error) => {
            return refused(&format!("{}: {}", error.error_code, error.error_description));
        }
        _ => return refused("the manager's answer is no answer to a registration"),
    };
    if said.denial.is_some() {
        return refused(said.text.as_deref().unwrap_or("rejected without a reason"));
    }
    let (Some(agent), Some(token)) = (said.agent, said.token.clone()) else {
        return refused("admitted, but without an id or a token");
    };
    Ok(Credentials {
        agent: Some(agent),
        league: said.league.clone().unwrap_or_else(|| LeagueId::new("")),
        token,
        signed_calls: said.signed_calls,
        heartbeat_ms: said.heartbeat_ms,
    })
}

/// So often within `WINDOW`.
const REJOINS_MAX: u32 = 3;
const WINDOW: Duration = Duration::from_secs(600);

const GIVEN_UP: &str = "somebody else uses this agent's name: again and again the \
    manager did not know its token any more, although it registered anew; ask the operator to \
    reset it, and keep its token in a folder (--data)";
