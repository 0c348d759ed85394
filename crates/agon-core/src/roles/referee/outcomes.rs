//! What becomes of a referee's calls: an answer that can be read, one that cannot, or none.
//!
//! Spec: docs/protocol/match.md

use agon_proto::message::{Blame, Cause, MatchAssignment};
use agon_proto::{Answer, GameType, MatchId, Objection, Payload, Timestamp};

use super::reading::read;
use super::{Out, Referee, Stage};
use crate::agent::{self, Agent, Member, denies_token};
use crate::effect::{Setback, Tag};
use crate::matches::{self, Failure, Objected};
use crate::verdict::{Outcome, Verdict};

impl Member for Referee {
    fn agent(&self) -> &Agent {
        &self.me
    }

    fn agent_mut(&mut self) -> &mut Agent {
        &mut self.me
    }
}

impl Referee {
    pub(super) fn answered(&mut self, tag: Tag, answer: Answer, now: Timestamp, out: &mut Out) {
        let to_manager = matches!(tag, Tag::Report { .. } | Tag::Heartbeat | Tag::Told);
        if to_manager && denies_token(&answer) {
            self.me.displaced(now, out);
        }
        match tag {
            Tag::Register => {
                if agent::answered(self, &answer, now, out) {
                    self.beat_at = Some(now);
                    self.beat(now, out);
                    self.settle_debts(now, out);
                    self.say_when_done(now, out);
                    for (request, letter) in self.me.early.take() {
                        self.route(request, letter, now, out);
                    }
                }
            }
            Tag::Ask { match_id, attempt, seat, step, ask } => {
                let read = |game: &GameType| read(step, (match_id, game), &answer);
                let event = |assigned: &MatchAssignment| match read(&assigned.game_type) {
                    Ok(answer) => matches::Event::Moved { seat, step, answer },
                    Err(Objected { failure, objection }) => {
                        let objection = Some(objection);
                        matches::Event::Failed { seat, step, ask, failure, objection }
                    }
                };
                self.play((match_id, attempt), event, now, out);
            }
            Tag::Report { match_id, attempt } if self.holds(match_id, attempt) => {
                self.report_answered(match_id, &answer, now, out);
            }
            Tag::Told => self.told_answered(&answer, now),
            Tag::Report { .. } | Tag::Assign { .. } | Tag::Heartbeat | Tag::Parcel(_) => {}
            Tag::Announce { .. } | Tag::AnnounceTo { .. } | Tag::Over { .. } | Tag::Notice => {}
        }
    }

    pub(super) fn undelivered(
        &mut self,
        tag: Tag,
        (why, objection): (Setback, Option<Box<Objection>>),
        now: Timestamp,
        out: &mut Out,
    ) {
        match tag {
            Tag::Register => agent::undelivered(self, now, out),
            Tag::Ask { match_id, attempt, seat, step, ask } => {
                let failure = match why {
                    // The match has its own clock; the postman's is no better.
                    Setback::TimedOut => return,
                    Setback::NotSent => return self.void_for_host(match_id, attempt, now, out),
                    Setback::Unreachable => Failure::Unreachable,
                    Setback::Oversized => Failure::Oversized,
                    Setback::Malformed => Failure::Malformed,
                };
                let failed = matches::Event::Failed { seat, step, ask, failure, objection };
                self.play((match_id, attempt), |_| failed, now, out);
            }
            Tag::Told => self.told_unheard(now),
            Tag::Report { .. } | Tag::Assign { .. } | Tag::Heartbeat | Tag::Parcel(_) => {}
            Tag::Announce { .. } | Tag::AnnounceTo { .. } | Tag::Over { .. } | Tag::Notice => {}
        }
    }

    /// A player was not asked in all the time that it had for its answer, because our own machine
    /// could not: nobody is charged, and the match is tried again.
    fn void_for_host(&mut self, match_id: MatchId, attempt: u32, now: Timestamp, out: &mut Out) {
        let held = self.held.get(&match_id);
        let live = held.is_some_and(|held| {
            held.assignment.attempt == attempt && matches!(held.stage, Stage::Live(..))
        });
        if live {
            let void = Verdict::unplayed(Outcome::Void, Cause::HostOverloaded, Blame::Host);
            self.judge(match_id, (void, Payload::default()), now, out);
        }
    }
}
