//! Telling players how their match ended, and the manager that they know.
//!
//! The manager holds the next news back from a player until that player knows how its match ended.
//! So the referee says which matches it has told: with its next report or, if none leaves soon, in
//! a heartbeat. Saying so twice is harmless.
//!
//! Spec: docs/protocol/match.md

use std::time::Duration;

use agon_proto::message::{Cause, Heartbeat};
use agon_proto::{
    Answer, ConversationId, Envelope, MatchId, RoundId, Sender, TOLD_MAX, TOLD_WAIT, Timestamp,
};

use super::letters::tell;
use super::{Held, Out, Referee, Stage};
use crate::effect::{Effect, Ending, Lane, Noticed, Outgoing, Tag};
use crate::fact::RefereeFact;
use crate::verdict::{Seat, Verdict};

/// Which matches were told, and which of them the manager has yet to hear of.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Those of the last rounds.
    all: Vec<MatchId>,
    /// The newest round of them.
    newest: RoundId,
    unsaid: Vec<MatchId>,
    due: Option<Timestamp>,
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

    pub(super) fn due(&self) -> Option<Timestamp> {
        self.due
    }

    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        self.due.is_some_and(|due| due <= now)
    }
}

impl Referee {
    /// A player has heard how its match ended, or cannot be told.
    pub(super) fn noticed(&mut self, tag: Tag, how: Noticed, now: Timestamp, out: &mut Out) {
        let Tag::Over { match_id, attempt, seat } = tag else { return };
        let Some(Held { assignment, stage: Stage::Telling(judged, owed) }) =
            self.held.get_mut(&match_id)
        else {
            return;
        };
        let settled = match how {
            Noticed::Taken | Noticed::GivenUp => true,
            Noticed::Missed => is_away(&judged.verdict, seat),
        };
        if assignment.attempt != attempt || !settled {
            return;
        }
        owed[seat.index()] = false;
        if *owed == [false; 2] {
            self.record(RefereeFact::Settled { match_id, attempt }, out);
            self.say_when_done(now, out);
            self.leave(now, out);
        }
    }

    /// Leaves a league that is complete, once nobody is owed a result any more, or takes it.
    pub(super) fn leave(&mut self, now: Timestamp, out: &mut Out) {
        let owes = |held: &Held| matches!(held.stage, Stage::Judged(_) | Stage::Telling(..));
        let Some(until) = self.leaving else { return };
        if until <= now || !self.held.values().any(owes) {
            self.leaving = None;
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    /// After a restart: nobody knows who has heard it.
    pub(super) fn tell_again(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        if let Some(Held { assignment, stage: Stage::Telling(judged, _) }) =
            self.held.get(&match_id)
        {
            let terms = self.terms.of(assignment);
            out.effects.extend(tell(
                assignment,
                judged,
                terms.as_ref().map(|terms| &terms.rules),
                now,
            ));
        }
    }

    /// Says what was told: at once if nothing more is to come, otherwise a little later.
    pub(super) fn say_when_done(&mut self, now: Timestamp, out: &mut Out) {
        if self.told.unsaid.is_empty() {
            return;
        }
        if self.held.is_empty() {
            self.say_told(now, out);
        } else {
            self.told.due.get_or_insert(now + TOLD_WAIT);
        }
    }

    /// Says in a call of its own what was told. Only our own managers know what that means.
    pub(super) fn say_told(&mut self, now: Timestamp, out: &mut Out) {
        self.told.due = None;
        let timeout = self.me.profile.timeout;
        let ours = self.me.credentials().is_some_and(|given| given.signed_calls);
        if ours && !self.told.unsaid.is_empty() {
            out.effects.extend(self.heartbeat(timeout, now));
        }
    }

    /// The manager has begun anew, and knows nothing of what we said: it hears all of it again, and
    /// what it could not take then it takes now.
    pub(super) fn say_all_again(&mut self, now: Timestamp, out: &mut Out) {
        out.push(Effect::Heard(self.me.profile.manager.endpoint()));
        self.told.say_all_again(now);
        self.say_told(now, out);
    }

    /// The manager has answered what we said of whom we told.
    pub(super) fn told_answered(&mut self, answer: &Answer, now: Timestamp) {
        match answer {
            Answer::Receipt(_) => {}
            Answer::Letter(_) | Answer::Tool(_) | Answer::Fault(_) => self.told_unheard(now),
        }
    }

    /// The manager did not hear what we said of whom we told.
    pub(super) fn told_unheard(&mut self, now: Timestamp) {
        self.told.say_all_again(now + self.me.profile.backoff);
    }

    /// Tells the manager that we are still there, as often as it wants to hear it. One try: the
    /// next one is soon enough.
    pub(super) fn beat(&mut self, now: Timestamp, out: &mut Out) {
        if self.beat_at.is_none_or(|due| due > now) {
            return;
        }
        let interval = self.me.credentials().and_then(|given| given.heartbeat_ms);
        let interval = interval.map(|ms| Duration::from_millis(ms.into()));
        self.beat_at = interval.map(|interval| now + interval);
        if let Some(timeout) = interval {
            out.effects.extend(self.heartbeat(timeout, now));
        }
    }

    fn heartbeat(&mut self, timeout: Duration, now: Timestamp) -> Option<Effect> {
        let referee = self.id()?;
        let told = self.told.say();
        let given = self.me.credentials()?;
        let tag = if told.is_empty() { Tag::Heartbeat } else { Tag::Told };
        let heartbeat = Heartbeat {
            league_id: given.league.clone(),
            matches_held: u32::try_from(self.held.len()).unwrap_or(u32::MAX),
            told,
        };
        Some(Effect::Send(Outgoing {
            to: self.me.profile.manager.endpoint(),
            lane: Lane::Once { timeout },
            tag,
            letter: Box::new(Envelope {
                sender: Sender::Referee(referee),
                timestamp: now,
                conversation_id: ConversationId::new("conv-heartbeat"),
                auth_token: Some(given.token.clone()),
                message: heartbeat.into(),
            }),
        }))
    }
}

/// Whether that player was not there for its match: then nobody waits until it hears of its end.
fn is_away(verdict: &Verdict, seat: Seat) -> bool {
    let away = matches!(verdict.cause, Cause::NoShow | Cause::Crashed);
    away && verdict.blames(seat)
}
