//! Whether the manager can call us where we said. It tries that some time after it let us in, and
//! says what came of it to whoever asks: we do, until it can, a round begins or the season is over.
//!
//! Spec: docs/protocol/registration.md

use std::time::Duration;

use agon_proto::act::Act;
use agon_proto::message::{LeagueQuery, LeagueQueryResponse, QueryParams, QueryType};
use agon_proto::{AgentId, ConversationId, Dialogue, Endpoint, Sender, Timestamp};

use super::{Credentials, Profile};
use crate::effect::{Alert, Effect, Lane, Outgoing, Tag};

/// So long a probe may take, before it is asked about.
const PROBE_TIME: Duration = Duration::from_secs(2);
/// The longest pause between two questions.
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// What we have yet to hear of it.
#[derive(Debug, Default)]
pub(super) struct Reach {
    due: Option<Timestamp>,
    pause: Duration,
    /// Somebody was told that we are not called.
    said: bool,
    /// When we ask whether we are still who we were, and not before when.
    doubted: Option<Timestamp>,
    not_before: Option<Timestamp>,
    patience: Duration,
    let_in_at: Option<Timestamp>,
}

/// So long calls may be on their way that were signed before we were let in again.
const ON_ITS_WAY: Duration = Duration::from_secs(10);

impl Reach {
    /// We are in, and after so long the manager tries our endpoint; never, if it does not say so.
    pub(super) fn expect(&mut self, probe_ms: Option<u32>, now: Timestamp) {
        let after = probe_ms.map(|ms| Duration::from_millis(ms.into()));
        (self.doubted, self.not_before) = (None, None);
        self.let_in_at = Some(now);
        (self.pause, self.patience) = (PROBE_TIME, PROBE_TIME);
        self.due = after.map(|after| now + after + PROBE_TIME);
    }

    /// When we ask next.
    pub(super) fn due(&self) -> Option<Timestamp> {
        self.due
    }

    /// Somebody calls as the manager and signs as nobody whom we know: perhaps our place was given
    /// to another one. The manager knows. Anybody can call like that, so we ask ever more seldom.
    pub(super) fn doubt(&mut self, now: Timestamp) {
        if self.let_in_at.is_some_and(|at| now.since(at) < ON_ITS_WAY) {
            return;
        }
        let at = self.not_before.map_or(now, |not_before| not_before.max(now));
        self.doubted.get_or_insert(at);
    }

    /// When we ask because of that.
    pub(super) fn doubted(&self) -> Option<Timestamp> {
        self.doubted
    }

    /// Asks what came of it, and plans to ask again.
    pub(super) fn ask(
        &mut self,
        given: &Credentials,
        profile: &Profile,
        now: Timestamp,
    ) -> Option<Effect> {
        let sender = match given.agent? {
            AgentId::Player(id) => Sender::Player(id),
            AgentId::Referee(id) => Sender::Referee(id),
        };
        let query = LeagueQuery {
            league_id: given.league.clone(),
            query_type: QueryType::GetRegistration,
            query_params: QueryParams::default(),
        };
        let conversation_id = ConversationId::new(&format!("conv-reach-{:016x}", profile.nonce));
        let head = Dialogue { sender, timestamp: now, conversation_id };
        let how = (Lane::Once { timeout: profile.timeout }, Tag::Reach);
        let (to, shown) = (profile.manager.endpoint(), Some(given.token.clone()));
        if self.doubted.take_if(|at| *at <= now).is_some() {
            self.not_before = Some(now + self.patience);
            self.patience = self.patience.saturating_mul(2).min(PAUSE_MAX);
        }
        if self.due.is_some_and(|due| due <= now) {
            self.due = Some(now + self.pause);
            self.pause = self.pause.saturating_mul(2).min(PAUSE_MAX);
        }
        let query = Act::LeagueQuery(query);
        Some(Effect::Send(Outgoing::new(to, how, (head, shown), query)))
    }

    /// The manager says what came of it, or does not know it yet.
    pub(super) fn told(&mut self, said: &LeagueQueryResponse, endpoint: Endpoint) -> Option<Alert> {
        let reachable = said.reachable?;
        if reachable {
            self.due = None;
        }
        match (reachable, std::mem::replace(&mut self.said, !reachable)) {
            (false, false) => Some(Alert::OutOfReach { endpoint }),
            (true, true) => Some(Alert::InReach { endpoint }),
            (true, false) | (false, true) => None,
        }
    }
}
