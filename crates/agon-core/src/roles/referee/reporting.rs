//! Reporting: the verdict is written down, then reported until it is answered, then told.
//!
//! Spec: docs/protocol/match.md

use agon_proto::message::{
    Blame, Cause, MatchResultReport, Message, ReportDetails, ReportedResult, Shown, Transcript,
};
use agon_proto::{
    Answer, ConversationId, Envelope, ErrorCode, MatchId, Payload, PerPlayer, ReceiptStatus,
    Sender, Timestamp,
};

use super::letters::{player, tell};
use super::{Held, Judged, Out, Referee, Stage};
use crate::agent::denies_token;
use crate::effect::{Effect, Lane, Outgoing, Tag};
use crate::fact::RefereeFact;
use crate::verdict::{Outcome, Verdict};

impl Referee {
    /// The match is over: write it down and report it.
    pub(super) fn judge(
        &mut self,
        match_id: MatchId,
        (verdict, details): (Verdict, Payload),
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(held) = self.held.get_mut(&match_id) else {
            return;
        };
        let attempt = held.assignment.attempt;
        let transcript = match std::mem::replace(&mut held.stage, Stage::Abandoned) {
            Stage::Live(live, indexed) => {
                self.live -= 1;
                if let Some(indexed) = indexed {
                    self.timers.remove(&(indexed, match_id));
                }
                live.into_transcript()
            }
            Stage::Judged(Judged { transcript, .. }) => transcript,
            Stage::Abandoned | Stage::Telling(..) => Transcript::default(),
        };
        self.record(RefereeFact::Judged { match_id, attempt, verdict, details, transcript }, out);
        self.report(match_id, now, out);
    }

    /// Reports it, and says in passing which earlier ones were told.
    pub(super) fn report(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        let Some(Held { assignment, stage: Stage::Judged(judged) }) = self.held.get(&match_id)
        else {
            return;
        };
        let Judged { verdict, details, transcript } = judged;
        // The manager gives its own points; these only fill the field.
        let [a, b] = verdict.points;
        let (player_a, player_b) = (assignment.player_a_id, assignment.player_b_id);
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
                attempt: Some(assignment.attempt),
            },
            transcript: transcript.clone(),
            told: self.told.say(),
        };
        out.push(Effect::Send(Outgoing {
            to: self.me.profile.manager.endpoint(),
            lane: Lane::Report,
            tag: Tag::Report { match_id, attempt: assignment.attempt },
            letter: Box::new(Envelope {
                sender: Sender::Referee(assignment.referee_id),
                timestamp: now,
                conversation_id: ConversationId::Report(match_id),
                auth_token: self.me.credentials().map(|given| given.token.clone()),
                message: report.into(),
            }),
        }));
    }

    /// The manager has answered: tell the players, or keep silent.
    pub(super) fn report_answered(
        &mut self,
        match_id: MatchId,
        answer: &Answer,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(Held { assignment, stage: Stage::Judged(judged) }) = self.held.get(&match_id)
        else {
            return;
        };
        let attempt = assignment.attempt;
        if only_for_now(answer) || denies_token(answer) {
            let again_at = now + self.me.profile.backoff;
            self.timers.insert((again_at, match_id));
            self.told.say_all_again(again_at);
            return;
        }
        let counts = match answer {
            Answer::Receipt(receipt) => receipt.status != ReceiptStatus::Refused,
            // Refused for good: somebody else's result counts, and players hear that one.
            Answer::Letter(_) | Answer::Tool(_) | Answer::Fault(_) => false,
        };
        if counts && judged.verdict.outcome != Outcome::Void {
            let terms = self.terms.of(assignment);
            out.effects.extend(tell(
                assignment,
                judged,
                terms.as_ref().map(|terms| &terms.rules),
                now,
            ));
            self.record(RefereeFact::Recorded { match_id, attempt }, out);
        } else {
            self.record(RefereeFact::Settled { match_id, attempt }, out);
            self.say_when_done(now, out);
            self.leave(now, out);
        }
    }

    /// After a restart: what was judged is reported again, what was recorded is told again, and
    /// what was under way is void.
    pub(super) fn settle_debts(&mut self, now: Timestamp, out: &mut Out) {
        let mut matches: Vec<MatchId> = self.held.keys().copied().collect();
        matches.sort_unstable();
        for match_id in matches {
            match self.held.get(&match_id).map(|held| &held.stage) {
                Some(Stage::Abandoned) => {
                    let lost = Verdict::unplayed(Outcome::Void, Cause::RefereeLost, Blame::Referee);
                    self.judge(match_id, (lost, Payload::default()), now, out);
                }
                Some(Stage::Judged(..)) => self.report(match_id, now, out),
                Some(Stage::Telling(..)) => self.tell_again(match_id, now, out),
                Some(Stage::Live(..)) | None => {}
            }
        }
    }
}

/// Whether the manager could not take the report at the moment, in whichever words it says so.
fn only_for_now(answer: &Answer) -> bool {
    match answer {
        Answer::Letter(letter) => {
            matches!(&letter.message, Message::LeagueError(error) if error.retryable)
        }
        Answer::Fault(fault) => fault.league_code.is_some_and(ErrorCode::is_retryable),
        Answer::Receipt(_) | Answer::Tool(_) => false,
    }
}
