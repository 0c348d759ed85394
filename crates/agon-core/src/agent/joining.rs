//! Getting in: by a call, and by letters when a season opens or, where we are called, at once.
//!
//! Every try of one call is the same conversation, so a repeat gets the same token. Which one is
//! written down before it is asked: a process that dies before it has the answer repeats it. With
//! an old token in hand the agent shows it and keeps its id.
//!
//! Whoever is in stays in, whatever comes late. By letters one thing ends that: the season has
//! begun without us, because the other half of our team did not come.
//!
//! Spec: docs/protocol/registration.md docs/protocol/q21.md

use std::time::Duration;

use agon_proto::act::{Act, ActKind, Applying, Decided, Denial, LeagueRegistration, StartSeason};
use agon_proto::tool::Lifecycle;
use agon_proto::{
    AgentId, Answer, ConversationId, Dialogue, ErrorCode, LeagueId, Letter, MessageId, Role,
    SeasonId, Sender, Timestamp,
};

use super::{
    Agent, AgentFact, Credentials, Joins, Member, Membership, Out, Profile, reconsider, season_of,
    short_hash, tell_manager, to_manager,
};
use crate::Refusal;
use crate::effect::{Alert, Effect, Effects, Ending, Handling, Lane, Outgoing, Tag};
use crate::gate::{Proved, TheManager};

/// How far we have come in asking by call to be let in.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// What our request is known by, as long as it was not answered.
    pub(super) number: Option<u64>,
    /// How many requests there were.
    pub(super) asked: u64,
    tried: u32,
    /// When the next try is due.
    pub(super) again_at: Option<Timestamp>,
    /// When we registered again, lately; oldest first.
    rejoins: Vec<Timestamp>,
    /// When that was last granted.
    granted_at: Option<Timestamp>,
}

/// Begins, or begins again. By call we ask, with the old token if there is one. By letters who is
/// called asks by itself, and who was rejected tries again, since somebody has started it again.
pub(crate) fn resume<M: Member>(role: &mut M, out: &mut Out<M>) {
    let agent = role.agent();
    if !agent.speaks_by_letter() {
        return ask(role, out);
    }
    let is_asking = agent.letterbox.waiting().any(|it| it.letter.kind == ActKind::Apply);
    let introduces =
        agent.profile.joins == Joins::Introducing && !agent.introduced && agent.season.id.is_none();
    if agent.profile.is_called() && !agent.is_in() && !is_asking {
        register(role, None, out);
    }
    if introduces {
        introduce(role, out);
    }
}

/// Asks once more by call, if that is due.
pub(crate) fn ask_again<M: Member>(role: &mut M, out: &mut Out<M>) {
    if role.agent().asking.again_at.is_some_and(|again_at| again_at <= out.now) {
        ask(role, out);
    }
}

/// Asks by call to be let in; what is asked is written down first.
fn ask<M: Member>(role: &mut M, out: &mut Out<M>) {
    let Agent { asking, profile, .. } = role.agent();
    if asking.number.is_none() {
        let nonce = profile.nonce.wrapping_add(asking.asked);
        role.note(AgentFact::Asked { nonce }, out);
    }
    let request = role.agent_mut().request(out.now);
    out.push(request);
}

/// An answer to our call came. If it lets us in, whoever waited for that is heard.
pub(crate) fn answered<M: Member>(role: &mut M, answer: &Answer, out: &mut Out<M>) {
    // It is no answer to our request, or it came twice.
    if role.agent().lifecycle() != Lifecycle::Registering {
        return;
    }
    let given = match read(answer) {
        Ok(given) => given,
        Err(why) => return role.agent_mut().give_up(why, out),
    };
    // Only after another time is there anything of ours under way by now.
    let asking = &mut role.agent_mut().asking;
    asking.granted_at = Some(out.now).filter(|_| !asking.rejoins.is_empty());
    let (season, league) = (None, Some(given.league.clone()));
    role.note(AgentFact::Admitted { season, league, given: Some(given) }, out);
    role.let_in(out);
    for (request, letter) in std::mem::take(&mut role.agent_mut().early) {
        role.route(request, letter, out);
    }
}

/// A try by call brought no answer. After the last one the agent has failed.
pub(crate) fn undelivered<F>(agent: &mut Agent, out: &mut Handling<F>) {
    if agent.lifecycle() != Lifecycle::Registering {
        return;
    }
    let (tried, profile) = (agent.asking.tried, &agent.profile);
    if tried >= profile.tries {
        let manager = profile.manager.endpoint();
        return agent
            .give_up(format!("no good answer from {manager} in {tried} tries").into(), out);
    }
    agent.asking.again_at = Some(out.now + profile.backoff * 2u32.saturating_pow(tried - 1));
}

impl Agent {
    fn request(&mut self, now: Timestamp) -> Effect {
        self.season.membership = Membership::Applying;
        self.active = false;
        self.asking.tried += 1;
        self.asking.again_at = None;
        let Profile { name, capacity, timeout, .. } = &self.profile;
        let nonce = self.asking.number.unwrap_or(self.profile.nonce);
        let (role, sender) = match (self.credentials().and_then(|given| given.agent), capacity) {
            (Some(AgentId::Player(id)), _) => ("player", Sender::Player(id)),
            (Some(AgentId::Referee(id)), _) => ("ref", Sender::Referee(id)),
            (None, Some(_)) => ("ref", Sender::NewReferee(Box::new(name.clone()))),
            (None, None) => ("player", Sender::NewPlayer(Box::new(name.clone()))),
        };
        let conversation_id = ConversationId::new(&format!("conv-{role}-reg-{nonce:016x}"));
        let head = Dialogue { sender, timestamp: now, conversation_id };
        let shown = self.keys.shown.clone().or_else(|| self.token());
        let (lane, act) = (Lane::Once { timeout: *timeout }, self.profile.application(None));
        let (to, act) = (self.profile.manager.endpoint(), Act::Apply(Box::new(act)));
        Effect::Send(Outgoing::new(to, (lane, Tag::Register), (head, shown), act))
    }

    /// We are not let in: nobody who waited for that is heard, and the agent's life is over.
    fn give_up<F>(&mut self, why: Box<str>, out: &mut Effects<F>) {
        self.season.membership = Membership::Rejected(why.clone());
        for (request, _) in std::mem::take(&mut self.early) {
            out.refuse(request, Refusal::NotRegistered);
        }
        out.push(Effect::Finish(Ending::NotAdmitted(why)));
    }

    /// The manager does not know the token that a call of ours has shown.
    pub(crate) fn displaced<F>(&mut self, out: &mut Handling<F>) {
        let now = out.now;
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
}

/// So often within `WINDOW`.
const REJOINS_MAX: u32 = 3;
const WINDOW: Duration = Duration::from_secs(600);

const GIVEN_UP: &str = "somebody else uses this agent's name: again and again the \
    manager did not know its token any more, although it registered anew; ask the operator to \
    reset it, and keep its token in a folder (--data)";

/// What the manager objects to, in whichever words it says so, and whether only for now.
pub(crate) fn objection(answer: &Answer) -> Option<(ErrorCode, bool)> {
    match answer {
        Answer::Message(letter) => {
            let Act::LeagueError(error) = &letter.act else { return None };
            Some((error.error_code, error.retryable))
        }
        Answer::Fault(fault) => fault.league_code.map(|code| (code, code.is_retryable())),
        Answer::Receipt(_) | Answer::Tool(_) => None,
    }
}

/// Whether the manager says that our token is not ours.
pub(crate) fn denies_token(answer: &Answer) -> bool {
    objection(answer).is_some_and(|(code, _)| code == ErrorCode::AuthTokenInvalid)
}

/// What an answer to our call gives us, or why it lets us in nowhere.
fn read(answer: &Answer) -> Result<Credentials, Box<str>> {
    let refused =
        |said: &str| Err(if said.is_empty() { "rejected without a reason" } else { said }.into());
    let no_answer = "the manager's answer is no answer to a registration";
    let letter = match answer {
        Answer::Message(letter) => letter,
        Answer::Fault(fault) => return refused(&fault.message),
        Answer::Receipt(_) | Answer::Tool(_) => return refused(no_answer),
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "two acts answer here")]
    let said = match &letter.act {
        Act::Decide(said) => said,
        Act::LeagueError(error) => {
            let problem = error.problem.as_ref().unwrap_or(&error.error_description);
            return refused(&format!("{}: {problem}", error.error_code));
        }
        _ => return refused(no_answer),
    };
    if said.denial.is_some() {
        return refused(said.text.as_deref().unwrap_or_default());
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

/// A season is open: we ask to be let in. By mail a player answers every invitation, with the very
/// same request; by call we ask by ourselves, so once is enough.
pub(super) fn season_opened<M: Member>(
    role: &mut M,
    said: &StartSeason,
    letter: &Letter,
    out: &mut Out<M>,
) {
    if role.agent().season.is_another(&said.season) {
        role.stop(out);
    }
    let (season, league) = (said.season.clone(), letter.head.context.league.clone());
    let known = &role.agent().season;
    if known.id.as_ref() != Some(&season) || (league.is_some() && known.league != league) {
        role.note(AgentFact::SeasonOpened { season, league }, out);
    }
    let Agent { profile, season, .. } = role.agent();
    let has_asked = match (profile.is_called(), profile.role()) {
        (true, _) => matches!(season.membership, Membership::Applying | Membership::In),
        (false, Role::Referee) => season.membership == Membership::In,
        (false, Role::Player | Role::Manager) => false,
    };
    if !has_asked {
        register(role, Some(letter), out);
    }
}

/// Asks by letter to be let in. The id of a request by call cannot be guessed: it proves the
/// answer.
pub(super) fn register<M: Member>(role: &mut M, invitation: Option<&Letter>, out: &mut Out<M>) {
    let agent = role.agent();
    let season = agent.season.id.clone();
    // What the operator gave us is shown in calls only, and so it is not written down.
    let application = Applying { code: None, ..agent.profile.application(season.clone()) };
    let body = Act::Apply(Box::new(application));
    let id = request_id(agent, invitation);
    let mut request = to_manager(role, id, body, invitation, out.now);
    // What it answers is about a season that may be over.
    request.head.context.season = season;
    tell_manager(role, request, out);
}

/// Asks to be told of seasons: a manager that does not expect us has not invited us.
fn introduce<M: Member>(role: &mut M, out: &mut Out<M>) {
    let Agent { profile, address, .. } = role.agent();
    let id = MessageId::new(&format!("lreg-{address}"));
    let body = Act::LeagueRegistration(LeagueRegistration {
        role: profile.role(),
        group: Some(profile.group.clone()),
        name: Some(profile.name.clone()),
        contact: Some(address.clone()),
    });
    let letter = to_manager(role, id, body, None, out.now);
    tell_manager(role, letter, out);
}

/// The manager has decided about us, in a letter.
pub(super) fn decided<M: Member>(
    role: &mut M,
    _: &Proved<TheManager>,
    (said, letter): (&Decided, &Letter),
    out: &mut Out<M>,
) {
    let agent = role.agent();
    let is_called = agent.profile.is_called();
    let league = letter.head.context.league.clone();
    let given = said.token.clone().filter(|_| is_called).map(|token| Credentials {
        agent: None,
        league: league
            .clone()
            .or_else(|| agent.season.league.clone())
            .unwrap_or_else(|| LeagueId::new("")),
        token,
        signed_calls: true,
        heartbeat_ms: None,
    });
    let is_provable = !is_called || given.is_some() || agent.credentials().is_some();
    let accepted = matches!(said.denial, None | Some(Denial::AlreadyIn));
    if accepted && is_provable {
        let season = season_of(letter).cloned();
        role.note(AgentFact::Admitted { season, league, given }, out);
        return reconsider(role, out);
    }
    let is_left_out = said.denial == Some(Denial::TeamIncomplete) && !role.takes_part();
    if role.agent().is_in() && !is_left_out {
        return;
    }
    let reason: Box<str> = match &said.denial {
        None => "admitted, but without a token".into(),
        Some(denial) => {
            let word = Some(denial.word()).filter(|word| !word.is_empty());
            let told = word.or_else(|| said.text.clone());
            told.unwrap_or_else(|| "rejected without a reason".into())
        }
    };
    role.note(AgentFact::Rejected { reason: reason.clone() }, out);
    // By mail there will be another season; by call somebody waits for this one.
    if is_called {
        out.push(Effect::Finish(Ending::NotAdmitted(reason)));
    }
}

/// What our request is known by. After a reset we know of no season yet, and the request must be
/// another one than before.
fn request_id(agent: &Agent, invitation: Option<&Letter>) -> MessageId {
    let Agent { address, profile, season, .. } = agent;
    let nonce = profile.nonce;
    let invited = invitation.map(|letter| letter.head.id.as_str());
    MessageId::new(&match profile.role() {
        Role::Referee => match (invited.map(|id| short_hash(&[id])), profile.is_called()) {
            (Some(invited), true) => format!("sreg-{nonce:016x}-{invited}-{address}"),
            (Some(invited), false) => format!("sreg-{invited}-{address}"),
            (None, _) => format!("sreg-{nonce:016x}-{address}"),
        },
        Role::Player | Role::Manager => {
            let named = season.id.as_ref().map(SeasonId::as_str).or(invited).unwrap_or("open");
            match profile.is_called() {
                true => format!("sreg-{address}-{named}-{nonce:016x}"),
                false => format!("sreg-{address}-{named}"),
            }
        }
    })
}
