//! Reporting: the verdict is written down, reported until it is answered, and then told.
//!
//! By call the manager hears first: GAME_OVER goes out when the report is accepted, so no player
//! ever hears two results of one match. By letter the report is in the post in the same commit as
//! the verdict, and that is all.
//!
//! Spec: docs/protocol/match.md

use std::time::Duration;

use agon_proto::act::Act;
use agon_proto::message::{
    Blame, Cause, MatchAssignment, MatchResultReport, ReportDetails, ReportedResult, Shown,
    Transcript,
};
use agon_proto::{
    Answer, ConversationId, Dialogue, Envelope, ErrorCode, MatchId, Payload, PerPlayer,
    ReceiptStatus, Sender, Timestamp,
};

use super::held::{Held, Judged, Pairing, Stage};
use super::messages::{player, tell};
use super::records::Records;
use super::terms::KnownTerms;
use super::told::Told;
use super::{Out, Referee, RefereeFact};
use crate::agent::{Agent, denies_token};
use crate::effect::{Effect, Ending, Lane, Noticed, Outgoing, Tag};
use crate::matches::{Match, MatchEvent};
use crate::verdict::{Outcome, Seat, Verdict};

impl Referee {
    /// Time is up in a match, or a report is tried again.
    pub(super) fn time_out(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        let Some(Held { pairing, stage: Stage::Live(live, _) }) =
            self.records.matches.held.get(&match_id)
        else {
            return self.report_again(match_id, now, out);
        };
        let (attempt, due) = (pairing.attempt(), live.deadline());
        if live.resumes() {
            self.ask_the_unasked(match_id, now, out);
            let due = self.records.matches.playing(match_id).and_then(Match::deadline);
            if due.is_none_or(|due| due > now) {
                return;
            }
        } else if due.is_some_and(|due| now.since(due) > self.records.me.profile.lateness_max) {
            // We come much too late, so an answer may have come in time and lie unread.
            return self.void_for_host(match_id, now, out);
        }
        self.play((match_id, attempt), |_| Some(MatchEvent::TimedOut), now, out);
    }

    /// The match is over: write it down and report it.
    pub(super) fn conclude(
        &mut self,
        match_id: MatchId,
        (verdict, details): (Verdict, Payload),
        now: Timestamp,
        out: &mut Out,
    ) {
        let Records { me, matches, told, .. } = &mut self.records;
        let Some(Held { pairing, stage }) = matches.held.get_mut(&match_id) else {
            return;
        };
        let attempt = pairing.attempt();
        let transcript = match stage {
            Stage::Live(live, _) => live.take_transcript(),
            Stage::Abandoned | Stage::Judged(_) | Stage::Telling(..) | Stage::Over(_) => {
                Transcript::default()
            }
        };
        let judged = Judged { verdict, details, transcript };
        match pairing {
            Pairing::Called(assignment) => out.push(report(me, told, assignment, &judged, now)),
            Pairing::Written(_) => self.post_report(match_id, &verdict, now, out),
        }
        let Judged { verdict, details, transcript } = judged;
        self.record(RefereeFact::Judged { match_id, attempt, verdict, details, transcript }, out);
    }

    /// Reports what is owed, once more.
    fn report_again(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        let Records { me, matches, told, .. } = &mut self.records;
        if let Some(Held { pairing: Pairing::Called(assignment), stage: Stage::Judged(judged) }) =
            matches.held.get(&match_id)
        {
            out.push(report(me, told, assignment, judged, now));
        }
    }

    /// The manager has answered: tell the players, or keep silent.
    pub(super) fn report_answered(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        answer: &Answer,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(Held { pairing: Pairing::Called(assignment), stage: Stage::Judged(judged) }) =
            self.records.matches.held.get(&match_id)
        else {
            return;
        };
        if assignment.attempt != attempt {
            return;
        }
        if only_for_now(answer) || denies_token(answer) {
            let again_at = now + self.records.me.profile.backoff;
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
            tell_both(&mut self.terms, assignment, judged, now, out);
            self.record(RefereeFact::Recorded { match_id, attempt }, out);
        } else {
            self.settled(match_id, attempt, now, out);
        }
    }

    /// Tells both players how their match ended, once more.
    fn tell(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        if let Some(Held { pairing: Pairing::Called(assignment), stage }) =
            self.records.matches.held.get(&match_id)
            && let Stage::Judged(judged) | Stage::Telling(judged, _) = stage
        {
            tell_both(&mut self.terms, assignment, judged, now, out);
        }
    }

    /// A player has heard how its match ended, or cannot be told.
    pub(super) fn noticed(&mut self, tag: Tag, how: Noticed, now: Timestamp, out: &mut Out) {
        let Tag::Over { match_id, attempt, seat } = tag else { return };
        let Some(Held { pairing, stage: Stage::Telling(judged, owed) }) =
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
            self.settled(match_id, attempt, now, out);
        }
    }

    /// Of that attempt nothing is owed any more.
    fn settled(&mut self, match_id: MatchId, attempt: u32, now: Timestamp, out: &mut Out) {
        self.record(RefereeFact::Settled { match_id, attempt }, out);
        self.say_when_done(now, out);
        self.leave(now, out);
    }

    /// Leaves a league that is complete, once nobody is owed a result any more, or takes it.
    pub(super) fn leave(&mut self, now: Timestamp, out: &mut Out) {
        let owes = |held: &Held| matches!(held.stage, Stage::Judged(_) | Stage::Telling(..));
        let Some(until) = self.leaving else { return };
        if until <= now || !self.records.matches.held.values().any(owes) {
            self.leaving = None;
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    /// After a restart: what was judged is reported again, what was recorded is told again, since
    /// nobody knows who has heard it, and what was under way is void.
    pub(super) fn settle_debts(&mut self, now: Timestamp, out: &mut Out) {
        for match_id in self.records.matches.ids() {
            match self.records.matches.held.get(&match_id).map(|held| &held.stage) {
                Some(Stage::Abandoned) => {
                    let lost = Verdict::unplayed(Outcome::Void, Cause::RefereeLost, Blame::Referee);
                    self.conclude(match_id, (lost, Payload::default()), now, out);
                }
                Some(Stage::Judged(..)) => self.report_again(match_id, now, out),
                Some(Stage::Telling(..)) => self.tell(match_id, now, out),
                Some(Stage::Live(..) | Stage::Over(_)) | None => {}
            }
        }
    }

    /// Says what was told: at once if nothing more is to come, otherwise a little later.
    pub(super) fn say_when_done(&mut self, now: Timestamp, out: &mut Out) {
        if self.records.told.unsaid.is_empty() {
            return;
        }
        if self.records.matches.held.is_empty() {
            self.say_told(now, out);
        } else {
            self.records.told.say_later(now);
        }
    }

    /// Says in a call of its own what was told.
    pub(super) fn say_told(&mut self, now: Timestamp, out: &mut Out) {
        out.effects.extend(self.records.told.say_now(
            &self.records.me,
            self.records.matches.held.len(),
            now,
        ));
    }

    /// The manager has begun anew, and knows nothing of what we said: it hears all of it again, and
    /// what it could not take then it takes now.
    pub(super) fn say_all_again(&mut self, now: Timestamp, out: &mut Out) {
        out.push(Effect::Heard(self.records.me.profile.manager.endpoint()));
        self.records.told.say_all_again(now);
        self.say_told(now, out);
    }

    /// The manager did not hear what we said of whom we told.
    pub(super) fn told_unheard(&mut self, now: Timestamp) {
        self.records.told.say_all_again(now + self.records.me.profile.backoff);
    }

    /// Tells the manager that we are still there, as often as it wants to hear it.
    pub(super) fn beat(&mut self, now: Timestamp, out: &mut Out) {
        if self.beat_at.is_none_or(|due| due > now) {
            return;
        }
        let interval = self.records.me.credentials().and_then(|given| given.heartbeat_ms);
        let interval = interval.map(|ms| Duration::from_millis(ms.into()));
        self.beat_at = interval.map(|interval| now + interval);
        if let Some(timeout) = interval {
            let held = self.records.matches.held.len();
            out.effects.extend(self.records.told.heartbeat(&self.records.me, held, timeout, now));
        }
    }
}

/// The report of an attempt, which says in passing which earlier ones were told.
fn report(
    me: &Agent,
    told: &mut Told,
    assignment: &MatchAssignment,
    judged: &Judged,
    now: Timestamp,
) -> Effect {
    let Judged { verdict, details, transcript } = judged;
    // The manager gives its own points; these only fill the field.
    let [a, b] = verdict.points;
    let (player_a, player_b) = (assignment.player_a_id, assignment.player_b_id);
    let (match_id, attempt) = (assignment.match_id, assignment.attempt);
    let report = MatchResultReport {
        league_id: assignment.league_id.clone(),
        round_id: assignment.round_id,
        match_id,
        game_type: assignment.game_type.clone(),
        result: ReportedResult {
            winner: verdict.winner().map(|seat| player(assignment, seat)),
            score: PerPlayer::both((player_a, a), (player_b, b)),
            details: ReportDetails::spelled(
                &assignment.game_type,
                Shown { view: details, players: [player_a, player_b], gains: verdict.gains },
            ),
            status: Some(verdict.status()),
            reason: Some(verdict.cause),
            blame: verdict.blame,
            attempt: Some(attempt),
        },
        transcript: transcript.clone(),
        told: told.say(),
    };
    Effect::Send(Outgoing {
        to: me.profile.manager.endpoint(),
        lane: Lane::Report,
        tag: Tag::Report { match_id, attempt },
        letter: Box::write(
            Box::new_uninit(),
            Envelope {
                head: Dialogue {
                    sender: Sender::Referee(assignment.referee_id),
                    timestamp: now,
                    conversation_id: ConversationId::Report(match_id),
                },
                auth_token: me.token(),
                act: report.into(),
            },
        ),
    })
}

/// Tells both players how their match ended.
fn tell_both(
    terms: &mut KnownTerms,
    assignment: &MatchAssignment,
    judged: &Judged,
    now: Timestamp,
    out: &mut Out,
) {
    let terms = terms.of(assignment);
    let rules = terms.as_ref().map(|terms| &terms.rules);
    tell(assignment, judged, rules, now, out);
}

/// Whether the manager could not take the report at the moment, in whichever words it says so.
fn only_for_now(answer: &Answer) -> bool {
    match answer {
        Answer::Message(letter) => {
            matches!(&letter.act, Act::LeagueError(error) if error.retryable)
        }
        Answer::Fault(fault) => fault.league_code.is_some_and(ErrorCode::is_retryable),
        Answer::Receipt(_) | Answer::Tool(_) => false,
    }
}

/// Whether that player was not there for its match: then nobody waits until it hears of its end.
fn is_away(verdict: &Verdict, seat: Seat) -> bool {
    let away = matches!(verdict.cause, Cause::NoShow | Cause::Crashed);
    away && verdict.blames(seat)
}
