//! Which players know how their match ended, and what of that the manager has heard.
//!
//! The manager holds the next news back from a player until that player knows how its match ended.
//! So the referee says which matches it has told: with its next report or, if none leaves soon, in
//! a heartbeat. Saying so twice is harmless.
//!
//! Spec: docs/protocol/match.md

use std::time::Duration;

use agon_proto::message::Heartbeat;
use agon_proto::{
    AgentId, ConversationId, Dialogue, Envelope, MatchId, RoundId, Sender, TOLD_MAX, TOLD_WAIT,
    Timestamp,
};

use crate::agent::Agent;
use crate::effect::{Effect, Lane, Outgoing, Tag};

/// Which matches were told, and which of them the manager has yet to hear of.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Those of the last rounds.
    all: Vec<MatchId>,
    /// The newest round of them.
    newest: RoundId,
    pub(super) unsaid: Vec<MatchId>,
    /// When it is said in a call of its own.
    pub(super) due: Option<Timestamp>,
}

impl Told {
    pub(super) fn add(&mut self, match_id: MatchId) {
        if match_id.round > self.newest {
            // Also when a journal is read: nobody asks for what is older than the round before.
            self.newest = match_id.round;
            self.forget_before(match_id.round.saturating_sub(1));
        }
        self.all.push(match_id);
        self.unsaid.push(match_id);
    }

    pub(super) fn forget_before(&mut self, round: RoundId) {
        self.all.retain(|told| told.round >= round);
        self.unsaid.retain(|told| told.round >= round);
    }

    /// What was said did not arrive.
    pub(super) fn say_all_again(&mut self, due: Timestamp) {
        self.unsaid.clone_from(&self.all);
        self.due = Some(due).filter(|_| !self.unsaid.is_empty());
    }

    /// What is to be said. It counts as said.
    pub(super) fn say(&mut self) -> Vec<MatchId> {
        let rest = self.unsaid.len().saturating_sub(TOLD_MAX);
        let said = self.unsaid.split_off(rest);
        if self.unsaid.is_empty() {
            self.due = None;
        }
        said
    }

    /// It is said in a call of its own a little later, if nothing else leaves before.
    pub(super) fn say_later(&mut self, now: Timestamp) {
        self.due.get_or_insert(now + TOLD_WAIT);
    }

    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        self.due.is_some_and(|due| due <= now)
    }

    /// Says in a call of its own what was told. Only our own managers know what that means.
    pub(super) fn say_now(&mut self, me: &Agent, held: usize, now: Timestamp) -> Option<Effect> {
        self.due = None;
        let ours = me.credentials().is_some_and(|given| given.signed_calls);
        if !ours || self.unsaid.is_empty() {
            return None;
        }
        self.heartbeat(me, held, me.profile.timeout, now)
    }

    /// Tells the manager that we are there, with so many matches. One try: the next one is soon
    /// enough.
    pub(super) fn heartbeat(
        &mut self,
        me: &Agent,
        held: usize,
        timeout: Duration,
        now: Timestamp,
    ) -> Option<Effect> {
        let given = me.credentials()?;
        let Some(AgentId::Referee(referee)) = given.agent else { return None };
        let told = self.say();
        let tag = if told.is_empty() { Tag::Heartbeat } else { Tag::Told };
        let heartbeat = Heartbeat {
            league_id: given.league.clone(),
            matches_held: u32::try_from(held).unwrap_or(u32::MAX),
            told,
        };
        Some(Effect::Send(Outgoing {
            to: me.profile.manager.endpoint(),
            lane: Lane::Once { timeout },
            tag,
            letter: Box::new(Envelope {
                head: Dialogue {
                    sender: Sender::Referee(referee),
                    timestamp: now,
                    conversation_id: ConversationId::new("conv-heartbeat"),
                },
                auth_token: Some(given.token.clone()),
                act: heartbeat.into(),
            }),
        }))
    }
}
