//! Asking by call until somebody answers: tries, pauses, and their end.
//!
//! Nobody waits for a manager for ever, or in silence. Where somebody answers what is none, the
//! address is wrong; whoever finds its token unknown asks again, but not for ever.
//!
//! Spec: docs/protocol/registration.md

use std::time::Duration;

use agon_proto::act::{Act, ActKind};
use agon_proto::message::LeagueError;
use agon_proto::tool::Lifecycle;
use agon_proto::{AgentId, ConversationId, Dialogue, Sender, Timestamp};

use super::{Agent, Membership, Profile};
use crate::Refusal;
use crate::effect::{Alert, Effect, Effects, Ending, Handling, Lane, Outgoing, Setback, Tag};

/// How far we have come in asking by call to be let in.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// What our request is known by, as long as it was not answered.
    pub(super) number: Option<u64>,
    /// How many requests there were.
    pub(super) asked: u64,
    /// How many times in a row, and how many answers were none.
    pub(super) tried: u32,
    pub(super) misread: u32,
    /// When the next try is due.
    pub(super) again_at: Option<Timestamp>,
    /// When we registered again, lately; oldest first.
    pub(super) rejoins: Vec<Timestamp>,
    /// When that was last granted.
    pub(super) granted_at: Option<Timestamp>,
    /// Since when nobody answers, and when that was said last.
    pub(super) unanswered: Option<[Timestamp; 2]>,
}

/// So often somebody is told that nobody answers.
const SAID_EVERY: Duration = Duration::from_secs(5);
/// The longest pause between two tries: whoever comes late is not to wait long.
const PAUSE_MAX: Duration = Duration::from_secs(5);

impl Asking {
    /// When somebody is told next that nobody answers, or the wait is over.
    pub(super) fn deadline(&self, wait: Duration) -> Option<Timestamp> {
        let [since, said_at] = self.unanswered?;
        Some((said_at + SAID_EVERY).min(since + wait))
    }
}

/// A try by call brought no answer. Where somebody answers what is none, the agent has failed after
/// some tries; where nobody is, a manager may come yet.
pub(crate) fn undelivered<F>(agent: &mut Agent, why: Setback, out: &mut Handling<F>) {
    if agent.lifecycle() != Lifecycle::Registering {
        return;
    }
    if matches!(why, Setback::Malformed | Setback::Oversized) {
        agent.asking.unanswered = None;
        agent.asking.misread += 1;
        let (misread, profile) = (agent.asking.misread, &agent.profile);
        if misread >= profile.tries {
            let manager = profile.manager.endpoint();
            let why = format!("no good answer from {manager} in {misread} tries");
            return agent.give_up(why.into(), out);
        }
    } else if agent.asking.unanswered.is_none() {
        agent.asking.unanswered = Some([out.now; 2]);
        let (manager, left) = (agent.profile.manager.clone(), agent.profile.wait);
        out.push(Effect::Alert(Alert::NoManager { manager, left }));
    }
    agent.try_later(out.now);
}

impl Agent {
    /// Our request, in the words of this try.
    pub(super) fn request(&mut self, now: Timestamp) -> Effect {
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
    pub(super) fn give_up<F>(&mut self, why: Box<str>, out: &mut Effects<F>) {
        self.season.membership = Membership::Rejected(why.clone());
        for (request, _) in std::mem::take(&mut self.early) {
            out.refuse(request, Refusal::NotRegistered);
        }
        out.push(Effect::Finish(Ending::NotAdmitted(why)));
    }

    /// The manager says that we are no longer in. Where it cannot be told from others nobody's word
    /// ends us: its next answer will say the same.
    pub(crate) fn dismissed<F>(&mut self, said: &LeagueError, out: &mut Effects<F>) {
        let problem = said.problem.as_ref().unwrap_or(&said.error_description);
        if self.keys.manager_token.is_some() {
            self.give_up(format!("no longer in this league: {problem}").into(), out);
        }
    }

    pub(super) fn try_later(&mut self, now: Timestamp) {
        let doubled = 2u32.saturating_pow(self.asking.tried.saturating_sub(1));
        let pause = self.profile.backoff.saturating_mul(doubled);
        self.asking.again_at = Some(now + pause.min(PAUSE_MAX.max(self.profile.backoff)));
    }

    /// By letter nobody says that one did not arrive: as long as our request lies there, nobody has
    /// it.
    pub(super) fn wait_on<F>(&mut self, out: &mut Handling<F>) {
        let now = out.now;
        let lies = self.letterbox.waiting().any(|it| it.letter.kind == ActKind::Apply);
        if self.speaks_by_letter() && !lies {
            self.asking.unanswered = None;
        }
        let (Some([since, said_at]), wait) = (self.asking.unanswered, self.profile.wait) else {
            return;
        };
        let manager = self.profile.manager.clone();
        if now.since(since) >= wait {
            let place = manager.shown();
            let why = format!("no manager answered at {place} for {} s", wait.as_secs());
            self.asking.unanswered = None;
            self.asking.again_at = None;
            out.push(Effect::Finish(Ending::NoManager(why.into())));
        } else if now.since(said_at) >= SAID_EVERY {
            self.asking.unanswered = Some([since, now]);
            let left = wait.saturating_sub(now.since(since));
            out.push(Effect::Alert(Alert::NoManager { manager, left }));
        }
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
        (self.asking.tried, self.asking.misread) = (0, 0);
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
