//! A referee by call: what the manager says to it, and what becomes of its own calls.
//!
//! A new attempt replaces an older one, and nobody takes more than it has room for.
//!
//! Spec: docs/protocol/assignment.md

use std::sync::Arc;

use agon_proto::act::Act;
use agon_proto::message::{Blame, Cause, MatchAssignment};
use agon_proto::tool::Lifecycle;
use agon_proto::{
    Answer, Envelope, MatchId, Objection, Payload, Receipt, ReceiptStatus, Timestamp,
};

use super::held::{Held, Pairing, Stage};
use super::reading::read;
use super::{Out, Referee, RefereeFact};
use crate::Refusal;
use crate::agent::{self, denies_token};
use crate::effect::{RequestId, Setback, Tag};
use crate::gate::{self, Admitted, Speaker};
use crate::matches::{Failure, Lapsed, Match, MatchEvent, Unfit};
use crate::verdict::{Outcome, Verdict};

impl Referee {
    /// The whole routing table of calls.
    pub(super) fn route(
        &mut self,
        request: RequestId,
        letter: Box<Envelope>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let admitted = agent::admitted(self, request, letter, out);
        let Some((speaker, letter)) = admitted.map(Admitted::open) else { return };
        if !matches!(speaker, Speaker::Manager(_)) {
            return out.refuse(request, Refusal::NotPermitted("only the manager calls a referee"));
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "six of 23 messages are for us")]
        match letter.act {
            Act::MatchAssignment(said) => self.take(request, said, now, out),
            Act::RoundAnnouncement(said) => {
                self.records.me.activate();
                out.acknowledge(request);
                if said.repeated {
                    self.say_all_again(now, out);
                }
            }
            Act::RoundCompleted(said) => {
                self.records.seen.retain(|id, _| id.round >= said.round_id);
                self.records.told.forget_before(said.round_id);
                out.acknowledge(request);
                if said.repeated {
                    self.say_all_again(now, out);
                }
            }
            Act::LeagueStandingsUpdate(_) => out.acknowledge(request),
            Act::PlayerWithdrawn(_) => out.acknowledge(request),
            // Whoever registers is told again; what it owes from before must be settled first.
            Act::LeagueCompleted(_) if self.records.me.lifecycle() == Lifecycle::Registering => {
                out.acknowledge(request);
            }
            Act::LeagueCompleted(_) => {
                self.records.me.shut_down(now);
                self.beat_at = None;
                out.acknowledge(request);
                self.leaving = Some(now + self.records.me.profile.timeout);
                self.leave(now, out);
            }
            other => out.refuse(request, gate::not_for_us(&other)),
        }
    }

    fn take(
        &mut self,
        request: RequestId,
        assignment: Arc<MatchAssignment>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let (match_id, attempt) = (assignment.match_id, assignment.attempt);
        let answer = |status| Answer::Receipt(Receipt { status, match_id: Some(match_id) });
        match self.records.seen.get(&match_id) {
            Some(&current) if attempt < current => {
                return out.refuse(request, Refusal::StaleAttempt { current });
            }
            Some(&current) if attempt == current => {
                return out.reply(request, answer(ReceiptStatus::Accepted));
            }
            Some(_) | None => {}
        }
        let Some(terms) = self.terms.of(&assignment) else {
            return out.refuse(request, Refusal::Unsupported("game_type"));
        };
        if self.records.matches.live >= self.records.me.profile.capacity.unwrap_or(1) {
            return out.reply(request, answer(ReceiptStatus::Refused));
        }
        out.reply(request, answer(ReceiptStatus::Accepted));
        // Another attempt has overtaken it; whoever has not heard of it yet hears of the next one.
        if let Some(Held { stage: Stage::Telling(..), .. }) = self.records.matches.remove(match_id)
        {
            self.records.told.add(match_id);
        }
        self.record(RefereeFact::Assigned(assignment), out);
        self.records.matches.play(match_id, Match::begin(terms, now, &mut self.scratch));
        self.carry_out(match_id, now, out);
    }

    pub(super) fn answered(&mut self, tag: Tag, answer: Answer, now: Timestamp, out: &mut Out) {
        let to_manager = matches!(tag, Tag::Report { .. } | Tag::Heartbeat | Tag::Told);
        if to_manager && denies_token(&answer) {
            self.records.me.displaced(now, out);
        }
        match tag {
            Tag::Register => {
                if agent::answered(self, &answer, now, out) {
                    self.beat_at = Some(now);
                    self.beat(now, out);
                    self.settle_debts(now, out);
                    self.say_when_done(now, out);
                    for (request, letter) in std::mem::take(&mut self.records.me.early) {
                        self.route(request, letter, now, out);
                    }
                }
            }
            Tag::Ask { match_id, attempt, seat, step, ask } => {
                let event = |pairing: &Pairing| {
                    let Pairing::Called(assignment) = pairing else { return None };
                    Some(match read(step, (match_id, &assignment.game_type), &answer) {
                        Ok(answer) => MatchEvent::Moved { seat, step, answer },
                        Err(Unfit { failure, objection }) => {
                            MatchEvent::Failed(Lapsed { seat, step, ask, failure, objection })
                        }
                    })
                };
                self.play((match_id, attempt), event, now, out);
            }
            Tag::Report { match_id, attempt } => {
                self.report_answered((match_id, attempt), &answer, now, out);
            }
            Tag::Told => match answer {
                Answer::Receipt(_) => {}
                Answer::Message(_) | Answer::Tool(_) | Answer::Fault(_) => self.told_unheard(now),
            },
            Tag::Assign { .. } | Tag::Heartbeat | Tag::Parcel(_) => {}
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
                    // A player was not asked in all the time that it had for its answer.
                    Setback::NotSent if self.records.matches.holds(match_id, attempt) => {
                        return self.void_for_host(match_id, now, out);
                    }
                    Setback::NotSent => return,
                    Setback::Unreachable => Failure::Unreachable,
                    Setback::Oversized => Failure::Oversized,
                    Setback::Malformed => Failure::Malformed,
                };
                let lapsed = Lapsed { seat, step, ask, failure, objection };
                let failed = MatchEvent::Failed(lapsed);
                self.play((match_id, attempt), |_| Some(failed), now, out);
            }
            Tag::Told => self.told_unheard(now),
            Tag::Report { .. } | Tag::Assign { .. } | Tag::Heartbeat | Tag::Parcel(_) => {}
            Tag::Announce { .. } | Tag::AnnounceTo { .. } | Tag::Over { .. } | Tag::Notice => {}
        }
    }

    /// Our own machine could not do its part in time: nobody is charged, and the match is tried
    /// again.
    pub(super) fn void_for_host(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        if self.records.matches.playing(match_id).is_some() {
            let void = Verdict::unplayed(Outcome::Void, Cause::HostOverloaded, Blame::Host);
            self.conclude(match_id, (void, Payload::default()), now, out);
        }
    }
}
