//! Reporting: the verdict is written down, reported until it is answered, and then told.
//!
//! By call the manager hears first: GAME_OVER goes out when the report is accepted, so no player
//! ever hears two results of one match. By letter the report is in the post in the same commit as
//! the verdict, and that is all.
//!
//! The manager holds the next news back from a player until that player knows how its match ended.
//! So the referee says which matches it has told: with its next report or, if none leaves soon, in
//! a heartbeat. Saying so twice is harmless.
//!
//! Spec: docs/protocol/match.md

use std::time::Duration;

use agon_proto::message::{Blame, Cause, Heartbeat, Transcript};
use agon_proto::{
    AgentId, Answer, ConversationId, Dialogue, MatchId, Payload, ReceiptStatus, RoundId, Sender,
    TOLD_MAX, TOLD_WAIT, Timestamp,
};

use super::messages::tell;
use super::records::{Held, HeldStage, Judged, Pairing, Records};
use super::results::report;
use super::{Out, Referee, RefereeFact};
use crate::agent::{self, Member};
use crate::effect::{Effect, Ending, Lane, Noticed, Outgoing, Tag};
use crate::matches::{Match, MatchEvent};
use crate::verdict::{Outcome, Seat, Verdict};

impl Referee {
    /// Time is up in a match, or a report is tried again.
    pub(super) fn time_out(&mut self, match_id: MatchId, out: &mut Out) {
        let Some(Held { pairing, stage: HeldStage::Live(live, _) }) =
            self.records.matches.held.get(&match_id)
        else {
            return self.report_again(match_id, out);
        };
        let (attempt, due) = (pairing.attempt(), live.deadline());
        if live.resumes() {
            self.ask_the_unasked(match_id, out);
            let due = self.records.matches.playing(match_id).and_then(Match::deadline);
            if due.is_none_or(|due| due > out.now) {
                return;
            }
        } else if due.is_some_and(|due| out.now.since(due) > self.records.me.profile.lateness_max) {
            // We come much too late, so an answer may have come in time and lie unread.
            return self.void_for_host(match_id, out);
        }
        self.play((match_id, attempt), MatchEvent::TimedOut, out);
    }

    /// The match is over: write it down and report it.
    pub(super) fn conclude(
        &mut self,
        match_id: MatchId,
        (verdict, details): (Verdict, Payload),
        out: &mut Out,
    ) {
        let Records { me, matches, told, .. } = &mut self.records;
        let Some(Held { pairing, stage }) = matches.held.get_mut(&match_id) else {
            return;
        };
        let attempt = pairing.attempt();
        let (transcript, acts, charged_ms) = match stage {
            HeldStage::Live(live, _) => {
                (live.take_transcript(), live.take_acts(), live.charged_ms())
            }
            HeldStage::Abandoned
            | HeldStage::Judged(_)
            | HeldStage::Telling(..)
            | HeldStage::Over(_) => (Transcript::default(), Payload::default(), [0; 2]),
        };
        // Of an attempt that does not count nothing is told.
        let acts = if details.is_null() { Payload::default() } else { acts };
        let judged = Judged { verdict, details, acts, transcript, charged_ms };
        match pairing {
            Pairing::Called(assignment) => {
                let report = report(me, told, assignment, &judged, out.now);
                out.push(report);
            }
            Pairing::Written(_) => self.post_report(match_id, &verdict, out),
        }
        let Judged { verdict, details, acts, transcript, charged_ms } = judged;
        let judged = RefereeFact::Judged {
            match_id,
            attempt,
            verdict,
            details,
            acts,
            transcript,
            charged_ms,
        };
        self.record(judged, out);
    }

    /// Reports what is owed, once more.
    fn report_again(&mut self, match_id: MatchId, out: &mut Out) {
        let Records { me, matches, told, .. } = &mut self.records;
        if let Some(Held {
            pairing: Pairing::Called(assignment),
            stage: HeldStage::Judged(judged),
        }) = matches.held.get(&match_id)
        {
            let report = report(me, told, assignment, judged, out.now);
            out.push(report);
        }
    }

    /// The manager has answered: tell the players, or keep silent.
    pub(super) fn report_answered(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        answer: &Answer,
        out: &mut Out,
    ) {
        let Some(Held { pairing: Pairing::Called(assignment), stage: HeldStage::Judged(judged) }) =
            self.records.matches.held.get(&match_id)
        else {
            return;
        };
        if assignment.attempt != attempt {
            return;
        }
        let only_for_now = agent::objection(answer).is_some_and(|(_, for_now)| for_now);
        if only_for_now || agent::denies_token(answer) {
            let again_at = out.now + self.records.me.profile.backoff;
            self.records.matches.timers.insert(again_at, match_id);
            self.records.told.say_all_again(again_at);
            return;
        }
        let counts = match answer {
            Answer::Receipt(receipt) => receipt.status != ReceiptStatus::Refused,
            // Refused for good: somebody else's result counts, and players hear that one.
            Answer::Message(_) | Answer::Tool(_) | Answer::Fault(_) => false,
        };
        if counts && judged.verdict.outcome != Outcome::Void {
            tell(assignment, judged, &mut self.terms, out);
            self.record(RefereeFact::Recorded { match_id, attempt }, out);
        } else {
            self.settled(match_id, attempt, out);
        }
    }

    /// A player has heard how its match ended, or cannot be told.
    pub(super) fn noticed(&mut self, tag: Tag, how: Noticed, out: &mut Out) {
        let Tag::Over { match_id, attempt, seat } = tag else { return };
        let Some(Held { pairing, stage: HeldStage::Telling(judged, owed) }) =
            self.records.matches.held.get_mut(&match_id)
        else {
            return;
        };
        let settled = match how {
            Noticed::Taken | Noticed::GivenUp => true,
            Noticed::Missed => is_away(&judged.verdict, seat),
        };
        if pairing.attempt() != attempt || !settled {
            return;
        }
        owed[seat.index()] = false;
        if *owed == [false; 2] {
            self.settled(match_id, attempt, out);
        }
    }

    /// Of that attempt nothing is owed any more.
    fn settled(&mut self, match_id: MatchId, attempt: u32, out: &mut Out) {
        self.record(RefereeFact::Settled { match_id, attempt }, out);
        self.say_when_done(out);
        self.leave(out);
    }

    /// Leaves a league that is complete, once nobody is owed a result any more, or takes it.
    pub(super) fn leave(&mut self, out: &mut Out) {
        let owes =
            |held: &Held| matches!(held.stage, HeldStage::Judged(_) | HeldStage::Telling(..));
        let Some(until) = self.leaving else { return };
        if until <= out.now || !self.records.matches.held.values().any(owes) {
            self.leaving = None;
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    /// After a restart: what was judged is reported again, what was recorded is told again, since
    /// nobody knows who has heard it, and what was under way is void.
    pub(super) fn settle_debts(&mut self, out: &mut Out) {
        for match_id in self.records.matches.ids() {
            let Some(Held { pairing, stage }) = self.records.matches.held.get(&match_id) else {
                continue;
            };
            match (stage, pairing) {
                (HeldStage::Abandoned, _) => {
                    let lost = Verdict::unplayed(Outcome::Void, Cause::RefereeLost, Blame::Referee);
                    self.conclude(match_id, (lost, Payload::default()), out);
                }
                (HeldStage::Judged(..), _) => self.report_again(match_id, out),
                (HeldStage::Telling(judged, _), Pairing::Called(assignment)) => {
                    tell(assignment, judged, &mut self.terms, out);
                }
                (HeldStage::Live(..) | HeldStage::Over(_) | HeldStage::Telling(..), _) => {}
            }
        }
    }

    /// Says what was told: at once if nothing more is to come, otherwise a little later.
    pub(super) fn say_when_done(&mut self, out: &mut Out) {
        if self.records.told.unsaid.is_empty() {
            return;
        }
        if self.records.matches.held.is_empty() {
            self.say_told(out);
        } else {
            // In a call of its own, if nothing else leaves before.
            self.records.told.due.get_or_insert(out.now + TOLD_WAIT);
        }
    }

    /// Says in a call of its own what was told.
    pub(super) fn say_told(&mut self, out: &mut Out) {
        let Records { me, told, .. } = &mut self.records;
        told.due = None;
        // Only our own managers know what that means.
        let ours = me.credentials().is_some_and(|given| given.signed_calls);
        if ours && !told.unsaid.is_empty() {
            let timeout = me.profile.timeout;
            self.send_heartbeat(timeout, out);
        }
    }

    /// The manager has begun anew, and knows nothing of what we said: it hears all of it again, and
    /// what it could not take then it takes now.
    pub(super) fn say_all_again(&mut self, out: &mut Out) {
        out.push(Effect::Heard(self.records.me.profile.manager.endpoint()));
        self.records.told.say_all_again(out.now);
        self.say_told(out);
    }

    /// The manager did not hear what we said of whom we told.
    pub(super) fn told_unheard(&mut self, now: Timestamp) {
        self.records.told.say_all_again(now + self.records.me.profile.backoff);
    }

    /// Tells the manager that we are still there, as often as it wants to hear it.
    pub(super) fn beat(&mut self, out: &mut Out) {
        if self.beat_at.is_none_or(|due| due > out.now) {
            return;
        }
        let interval = self.records.me.credentials().and_then(|given| given.heartbeat_ms);
        let interval = interval.map(|ms| Duration::from_millis(ms.into()));
        self.beat_at = interval.map(|interval| out.now + interval);
        if let Some(timeout) = interval {
            self.send_heartbeat(timeout, out);
        }
    }

    /// Tells the manager that we are there, with so many matches. One try: the next one is soon
    /// enough.
    fn send_heartbeat(&mut self, timeout: Duration, out: &mut Out) {
        let Records { me, matches, told, .. } = &mut self.records;
        let Some(given) = me.credentials() else { return };
        let Some(AgentId::Referee(referee)) = given.agent else { return };
        let (told, matches_held) = (told.say(), u32::try_from(matches.held.len()));
        let tag = if told.is_empty() { Tag::Heartbeat } else { Tag::Told };
        let (league_id, matches_held) = (given.league.clone(), matches_held.unwrap_or(u32::MAX));
        let heartbeat = Heartbeat { league_id, matches_held, told };
        let head = Dialogue {
            sender: Sender::Referee(referee),
            timestamp: out.now,
            conversation_id: ConversationId::new("conv-heartbeat"),
        };
        let (to, lane) = (me.profile.manager.endpoint(), Lane::Once { timeout });
        let heartbeat = Outgoing::new(to, (lane, tag), (head, me.token()), heartbeat.into());
        out.push(Effect::Send(heartbeat));
    }
}

/// Whether that player was not there for its match: then nobody waits until it hears of its end.
fn is_away(verdict: &Verdict, seat: Seat) -> bool {
    let away = matches!(verdict.cause, Cause::NoShow | Cause::Crashed);
    away && verdict.blames(seat)
}

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
}
