//! A referee by letter: takes its matches from the season's table, plays them round by round, tells
//! each player its score at once, and reports to the manager when both are through.
//!
//! The protocol tells a player its score as soon as it is there, so here the news comes before the
//! verdict. A player's score is final when it is told: only a winner may still change hands.
//!
//! A stranger's letter never hurts a match, and a repeated one changes nothing. A deadline that is
//! printed is the one that is enforced. If a question did not leave us in time, that is not the
//! player's fault, and its time begins anew.
//!
//! Spec: docs/protocol/q21.md

use std::sync::Arc;
use std::time::Duration;

use agon_proto::act::{Act, AssignmentAck, AssignmentTable, Break, NewRound};
use agon_proto::{ErrorCode, Heading, Letter, MatchId, MessageId, Objection, Payload, ShortText};

use super::fact::{RoundTold, fixtures};
use super::records::{Held, HeldStage, ONLY_ATTEMPT, Pairing};
use super::{Out, Referee, RefereeFact, rejections, results};
use crate::Refusal;
use crate::agent::{self, AgentFact, Member};
use crate::effect::Effect;
use crate::gate::{Arrival, Proved, TheManager};
use crate::letterbox::{Parcel, ParcelId};
use crate::matches::{Failure, Lapsed, MatchEvent, Move};
use crate::verdict::{Seat, Verdict};

/// Why what a player wrote is no answer, and what it wrote.
pub(super) type Unread<'a> = (&'a str, Option<ShortText>);

const TOO_LONG: Unread<'_> = ("the answer is too long to be kept", None);

impl Referee {
    /// Everything that is owed: letters that nobody took yet, and what our program was thinking
    /// about. Where letters travel by call, players could not answer while we were away: everybody
    /// of them that has a question before it is asked again, with all its time.
    pub(super) fn go_on(&mut self, out: &mut Out) {
        let waiting: Vec<Parcel> = self.records.me.letterbox.waiting().cloned().collect();
        let ids = self.records.matches.ids().into_iter();
        for (match_id, seat) in ids.flat_map(|id| Seat::BOTH.map(|seat| (id, seat))) {
            let written = self.records.matches.written(match_id);
            if written.is_some_and(|exchange| exchange.is_called(seat)) {
                self.ask_again(match_id, seat, out);
            }
        }
        agent::resume(self, out);
        // What was asked again is in the post already, in a newer letter.
        let still =
            waiting.into_iter().filter(|parcel| self.records.me.letterbox.awaits(parcel.id));
        out.effects.extend(still.map(Effect::SendLetter));
        let questions = self.thoughts.begin_anew(&self.records.matches, out.now);
        out.effects.extend(questions);
        self.records.finish_if_done(out);
    }

    /// The whole routing table of the manager's letters. What nobody here knows is taken and
    /// changes nothing.
    pub(super) fn manager_said(&mut self, by: &Proved<TheManager>, letter: &Letter, out: &mut Out) {
        // Mails overtake each other, and some are still about a season that is forgotten.
        let opens = matches!(letter.act, Act::StartSeason(_));
        if !opens && self.records.me.season.is_past(letter) {
            return;
        }
        let paused_at = self.records.me.season.paused_at;
        if agent::hear(self, by, letter, out) {
            if let (Some(since), None) = (paused_at, self.records.me.season.paused_at) {
                self.postpone(out.now.since(since), out);
            }
            return;
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "five of forty are for a referee")]
        match &letter.act {
            Act::AssignmentTable(said) | Act::TableAnswer(said) => {
                self.assigned(said, letter, out);
            }
            Act::NewRound(said) => self.new_round(said, letter, out),
            Act::EndRound(said) => self.end_round(said.number, out),
            Act::SeasonCompleted(_) => {
                self.abort_all(Break::LeagueCompleted, out);
                self.note(AgentFact::Completed { at: out.now }, out);
            }
            // News for people, tables of results, and what nobody here knows.
            _ => {}
        }
    }

    fn assigned(&mut self, said: &AssignmentTable, letter: &Letter, out: &mut Out) {
        let season = said.season.clone().or_else(|| letter.head.context.season.clone());
        if let Some(season) = season.clone().filter(|new| self.records.me.season.is_another(new)) {
            self.stop(out);
            let league = letter.head.context.league.clone();
            self.note(AgentFact::SeasonOpened { season, league }, out);
        }
        let fixtures = fixtures(&said.rows, &self.records.me.address);
        let ack = AssignmentAck {
            season: season.clone().or_else(|| self.records.me.season.id.clone()),
            group: Some(self.records.me.profile.group.clone()),
            received: u32::try_from(fixtures.len()).unwrap_or(u32::MAX),
        };
        let league = letter.head.context.league.clone();
        self.record(RefereeFact::Scheduled { season, league, fixtures }, out);
        agent::answer_manager(self, "assign-ack", Act::RefereeAck(ack), letter, out);
        // Letters overtake each other: the round may have begun before the table came.
        self.start_matches(out);
    }

    /// A newer round ends whatever is still played of the older ones.
    fn new_round(&mut self, said: &NewRound, letter: &Letter, out: &mut Out) {
        if said.number <= self.records.schedule.newest()
            || self.records.me.season.completed.is_some()
        {
            return;
        }
        self.abort_all(Break::NewRound, out);
        let name = letter.head.context.round.clone();
        let name = name.unwrap_or_else(|| said.number.to_string().into());
        let round = RoundTold { number: said.number, name, present: said.present.clone() };
        self.record(RefereeFact::RoundBegan(round), out);
        self.start_matches(out);
    }

    fn end_round(&mut self, number: u32, out: &mut Out) {
        if self.records.schedule.under_way().is_some_and(|round| round.number == number) {
            self.abort_all(Break::RoundEnded, out);
            self.record(RefereeFact::RoundEnded { number }, out);
        }
    }

    /// Begins every match of the current round that has not begun.
    fn start_matches(&mut self, out: &mut Out) {
        let Some(played) = &self.played else { return };
        for (start, absent) in self.records.schedule.starts(&self.records.me, played) {
            let match_id = start.fixture.match_id;
            if !self.records.matches.held.contains_key(&match_id) {
                self.record(RefereeFact::Started(Arc::new(start)), out);
                self.advance((match_id, ONLY_ATTEMPT), out, |_, live, at, effects| {
                    live.start(absent, at, effects);
                });
            }
        }
    }

    /// A player of that match has written. Whatever it repeats changes nothing.
    pub(super) fn player_said(
        &mut self,
        by: &Proved<(MatchId, Seat)>,
        came: Arrival,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let (match_id, seat) = *by.get();
        let Act::Move(moved) = &came.letter.act else {
            return Err(Refusal::Unsupported("this from a player"));
        };
        let step = moved.number;
        let arrived = came.at.min(self.records.clock(out.now));
        let Some(live) = self.records.matches.playing(match_id) else {
            self.reject((match_id, seat), came, out);
            return Err(Refusal::OutOfTurn("this game is over"));
        };
        if live.has_answered(seat, step) {
            return Ok(());
        }
        if !live.takes(seat, step, arrived) {
            let late = live.open(seat).is_some_and(|open| open.step == step);
            let why = if late { "it came after its deadline" } else { "this is not awaited now" };
            self.reject((match_id, seat), came, out);
            return Err(Refusal::OutOfTurn(why));
        }
        // What is too long to be kept is no answer.
        let said = Payload::new(moved.said.as_str());
        if said.is_some() {
            let letter = came.letter.head.id.clone();
            self.record(RefereeFact::Answered { match_id, seat, step, letter }, out);
        }
        self.hear_answer(match_id, (seat, step), said.ok_or(TOO_LONG), out);
        Ok(())
    }

    fn reject(&mut self, whose: (MatchId, Seat), came: Arrival, out: &mut Out) {
        let (records, before) = (&self.records, &mut self.rejected);
        let parcel = rejections::rejected(records, before, whose, came, out.now);
        if let Some(parcel) = parcel {
            self.records.me.queue(parcel, out);
        }
    }

    /// An answer came that counts, or something in its place that nobody can read. It arrived in
    /// time and is read only now: its question is open until now.
    pub(super) fn hear_answer(
        &mut self,
        match_id: MatchId,
        (seat, step): (Seat, u16),
        said: Result<Payload, Unread<'_>>,
        out: &mut Out,
    ) {
        self.advance((match_id, ONLY_ATTEMPT), out, |_, live, at, effects| {
            let due = live.open(seat).map(|open| open.until);
            live.extend(seat, at);
            let ask = live.open(seat).map_or(0, |open| open.ask);
            let event = match said {
                Ok(said) => MatchEvent::Moved { seat, step, answer: Move::Chosen(said) },
                Err((problem, received)) => {
                    let objection = Objection::new(ErrorCode::InvalidMessage, problem);
                    let objection = Some(Objection { received, ..objection }.into());
                    let failure = Failure::Malformed;
                    MatchEvent::Failed(Lapsed { seat, step, ask, failure, due, objection })
                }
            };
            live.handle(event, at, effects);
        });
    }

    /// Breaks off whatever is still played.
    pub(super) fn abort_all(&mut self, reason: Break, out: &mut Out) {
        for match_id in self.records.matches.ids() {
            if let Some(Held { pairing: Pairing::Written(exchange), stage: HeldStage::Live(..) }) =
                self.records.matches.held.get_mut(&match_id)
            {
                exchange.aborted = Some(reason);
                let (cause, blame) = results::cause(reason);
                self.advance((match_id, ONLY_ATTEMPT), out, |_, live, at, effects| {
                    live.break_off(cause, blame, at, effects);
                });
            }
        }
    }

    /// The clocks of all matches stood still for so long, and go on. What is printed in whole
    /// seconds stays so.
    fn postpone(&mut self, stood: Duration, out: &mut Out) {
        let begun = u64::from(stood.subsec_nanos() > 0);
        let by = Duration::from_secs(stood.as_secs() + begun);
        for match_id in self.records.matches.ids() {
            self.advance((match_id, ONLY_ATTEMPT), out, |_, live, _, _| live.postpone(by));
        }
    }

    /// Time is up. But whose question still lies here has not been asked anything: by call it could
    /// not be reached, by mail it is our own post that does not work, and it is asked again.
    pub(super) fn ask_the_unasked(&mut self, match_id: MatchId, out: &mut Out) {
        for seat in Seat::BOTH {
            if self.records.is_unasked(match_id, seat, out.now) {
                self.ask_again(match_id, seat, out);
            }
        }
    }

    /// The same question in the same letter, with a new deadline.
    fn ask_again(&mut self, match_id: MatchId, seat: Seat, out: &mut Out) {
        let Some((old, until)) = self.records.anew(match_id, seat, out.now) else { return };
        agent::settle(self, old, out);
        self.advance((match_id, ONLY_ATTEMPT), out, |_, live, _, effects| {
            live.put_again(seat, until, effects);
        });
    }

    /// Whoever carries letters has taken one. A question that was taken only in the second half of
    /// its time leaves too little of it: its time begins anew.
    pub(super) fn dispatched(&mut self, parcel: ParcelId, out: &mut Out) {
        if !self.records.me.letterbox.awaits(parcel) {
            return;
        }
        if let Some((match_id, seat, until)) = self.records.taken_late(parcel, out.now) {
            self.advance((match_id, ONLY_ATTEMPT), out, |_, live, _, _| live.extend(seat, until));
        }
        agent::settle(self, Some(parcel), out);
        self.records.finish_if_done(out);
    }

    /// A match is over: the manager hears of it, and questions that nobody needs to answer any more
    /// are taken back.
    pub(super) fn post_report(&mut self, match_id: MatchId, verdict: &Verdict, out: &mut Out) {
        let Some((exchange, live)) = self.records.matches.under_way(match_id) else { return };
        let stale = self.records.stale(match_id);
        let id = MessageId::new(&format!("result-{}", exchange.game()));
        let body = Act::ResultReport(results::result(exchange, live, verdict).into());
        let context = exchange.about(&self.records.me);
        let letter = agent::to_manager(self, id, body, None, out.now);
        let manager = self.records.me.manager.clone();
        let letter = Letter { head: Heading { context, ..letter.head }, ..letter };
        agent::send(self, manager, letter, None, out);
        agent::settle(self, stale, out);
    }
}
