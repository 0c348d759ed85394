//! One attempt at a match, as the referee sees it: its questions, its judgements, and the verdict.
//!
//! What is played only the rules know. Here is who is asked when, and what a failure costs. Each
//! player's half of a step runs on its own: its asks, its deadlines, its failures. A repeated
//! answer is harmless, a late one is refused, and every attempt ends exactly once. Only here is
//! anybody asked again, and only here is a technical loss decided.
//!
//! Spec: docs/protocol/match.md

mod asking;
mod reading;
mod record;
mod terms;

use std::sync::Arc;

use agon_games::{Failed, Seats, Turn};
use agon_proto::message::{Blame, Cause, EntryKind, MatchPhase, Party, drawn_number};
use agon_proto::{ErrorCode, Objection, Payload, Timestamp};
use serde::{Deserialize, Serialize};

use crate::verdict::{self, Cut, End, Ended, Outcome, Seat, Verdict};
use asking::{Ask, Track};
use record::{Course, Notes};

pub use asking::{AskLimit, Failure, Move, Unfit};
pub use reading::Open;
pub(crate) use reading::role;
pub use record::MatchProgress;
pub(crate) use record::TRANSCRIPT_MAX;
pub use terms::{MatchTerms, PlayedOnce};

/// The invitation, or the first question of a game that greets by itself.
pub const JOIN: u16 = 0;

/// Where the attempt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum MatchStage {
    /// Both are invited.
    Joining,
    /// Some are asked in the same instant, and what they answer stays sealed until all are in.
    Together,
    /// Each goes at its own pace.
    Apart,
    Rolling,
    /// The referee's own judgement is wanted, about the whole match.
    Judging,
    Finished(Verdict),
}

impl MatchStage {
    /// Whether a player may have a question before it.
    const fn is_asking(self) -> bool {
        matches!(self, Self::Joining | Self::Together | Self::Apart)
    }
}

/// What happened to an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchEvent {
    /// An answer came that could be read.
    Moved { seat: Seat, step: u16, answer: Move },
    /// An ask brought nothing, and it is known why before its time is up.
    Failed(Lapsed),
    /// The dice fell.
    Rolled(u32),
    /// The referee's own judgement has spoken, about one player's game or the whole match; or it
    /// has failed, for good.
    Told { about: Option<Seat>, judgement: u8, word: Option<Payload> },
    /// Time went by.
    TimedOut,
}

/// What must be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchEffect {
    /// Ask this player.
    Ask { seat: Seat, step: u16, ask: u8, until: Timestamp, last: bool },
    /// Tell whoever runs the referee that an ask came to nothing.
    Lapsed(Box<Lapsed>),
    /// Tell this player what was wrong, and when it will be asked again.
    Warn { lapsed: Box<Lapsed>, again_at: Timestamp },
    /// Roll the dice.
    Roll(u32),
    /// Ask the referee's own judgement, about one player's game or the whole match.
    Consult { about: Option<Seat>, judgement: u8 },
    /// This player's own game is over before the match may be: it may see what it was worth.
    Through(Seat),
    /// The attempt is over, and this was played.
    Report(Verdict, Payload),
}

/// What a match asks for while it takes one event, in order.
type Out = Vec<MatchEffect>;

/// An ask that came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lapsed {
    pub seat: Seat,
    pub step: u16,
    pub ask: u8,
    pub failure: Failure,
    /// When its time was up, if it had a deadline.
    pub due: Option<Timestamp>,
    /// What is known about it, for whoever was asked.
    pub objection: Option<Box<Objection>>,
}

/// A live attempt at a match.
#[derive(Debug, Clone)]
pub struct Match {
    terms: Arc<MatchTerms>,
    course: Course,
    stage: MatchStage,
    tracks: [Track; 2],
    notes: Notes,
}

impl Match {
    /// One in which nothing has happened yet.
    pub fn new(terms: Arc<MatchTerms>) -> Self {
        let (course, notes) = (Course::of(&terms), Notes::of(&terms));
        let (stage, tracks) = (MatchStage::Joining, [Track::NEW, Track::NEW]);
        Self { terms, course, stage, tracks, notes }
    }

    /// One that begins, with two players who are expected. Whose clock is empty is asked once.
    pub fn begin(
        terms: Arc<MatchTerms>,
        asked_once: [bool; 2],
        now: Timestamp,
        out: &mut Out,
    ) -> Self {
        let mut live = Self::new(terms);
        for (track, asked_once) in live.tracks.iter_mut().zip(asked_once) {
            track.asked_once = asked_once;
        }
        live.start([false; 2], now, out);
        live
    }

    /// Begins it, although it is known of somebody that it will not come.
    pub fn start(&mut self, absent: [bool; 2], now: Timestamp, out: &mut Out) {
        for seat in Seat::BOTH.into_iter().filter(|seat| absent[seat.index()]) {
            let (failure, why) = (Failure::Silent, "it has not checked in for the round");
            self.tracks[seat.index()].ask = Ask::Out(failure);
            self.course.fail(seat);
            let objection = Some(Objection::new(ErrorCode::Timeout, why).into());
            let lapsed = Lapsed { seat, step: JOIN, ask: 0, failure, due: None, objection };
            out.push(MatchEffect::Lapsed(lapsed.into()));
        }
        if self.terms.rules.info().greets {
            self.follow(now, out);
        } else {
            self.ask_together(Seats::BOTH, now, out);
        }
    }

    /// Takes one event.
    pub fn handle(&mut self, event: MatchEvent, now: Timestamp, out: &mut Out) {
        match (&self.stage, event) {
            (stage, MatchEvent::Moved { seat, step, answer }) if stage.is_asking() => {
                self.moved(seat, step, answer, now, out);
            }
            (stage, MatchEvent::Failed(lapsed)) if stage.is_asking() => {
                let Lapsed { seat, step, ask, .. } = lapsed;
                if self.open(seat).is_some_and(|open| (open.step, open.ask) == (step, ask)) {
                    self.ask_failed(lapsed, now, out);
                    self.go_on(seat, now, out);
                }
            }
            (_, MatchEvent::TimedOut) => self.time_out(now, out),
            (MatchStage::Rolling, MatchEvent::Rolled(number)) => {
                let drawn = self.course.draw(number);
                self.note(now, EntryKind::NumberDrawn, Party::Referee, Party::Referee);
                match drawn {
                    Ok(()) => self.follow(now, out),
                    Err(_) => self.break_off(Cause::RefereeLost, Blame::Referee, now, out),
                }
            }
            (
                MatchStage::Judging | MatchStage::Apart,
                MatchEvent::Told { about, judgement, word },
            ) => {
                if self.consulting().any(|owed| owed == (about, judgement)) {
                    self.told(about, word, now, out);
                }
            }
            // Late, repeated or meant for another step: harmless.
            (_, MatchEvent::Moved { .. } | MatchEvent::Failed(_)) => {}
            (_, MatchEvent::Told { .. } | MatchEvent::Rolled(_)) => {}
        }
    }

    /// Ends it here, through no player's fault.
    pub fn break_off(&mut self, cause: Cause, blame: Blame, now: Timestamp, out: &mut Out) {
        if self.verdict().is_none() {
            let cut = Cut { cause, blame, last: self.terms.resumes };
            self.finish(self.conclude(Some(cut)), now, out);
        }
    }

    /// The referee's own judgement has spoken, or failed for good.
    fn told(&mut self, about: Option<Seat>, word: Option<Payload>, now: Timestamp, out: &mut Out) {
        let Some(word) = word else {
            return self.break_off(Cause::RefereeLost, Blame::Referee, now, out);
        };
        if self.course.word(about, word).is_err() {
            return;
        }
        match about {
            Some(seat) => self.pace(seat, now, out),
            None => self.follow(now, out),
        }
    }

    /// Nobody is awaited: whatever the game wants next.
    fn follow(&mut self, now: Timestamp, out: &mut Out) {
        match self.course.position.turn() {
            Turn::Together(seats) => {
                self.stage = MatchStage::Together;
                self.ask_together(seats, now, out);
            }
            Turn::Apart { asked, judged } => {
                self.stage = MatchStage::Apart;
                for seat in Seat::BOTH {
                    let goes_on = asked.contains(seat) || judged.contains(seat);
                    if goes_on && self.tracks[seat.index()].ask.failure().is_none() {
                        self.pace(seat, now, out);
                    }
                }
            }
            Turn::Chance(below) => {
                self.stage = MatchStage::Rolling;
                out.push(MatchEffect::Roll(below));
            }
            Turn::Oracle => {
                self.stage = MatchStage::Judging;
                let judgement = self.course.position.judgement(None);
                out.push(MatchEffect::Consult { about: None, judgement });
            }
            Turn::Over => self.finish(self.conclude(None), now, out),
        }
    }

    /// What follows for one player that goes at its own pace, and has done its part.
    fn pace(&mut self, seat: Seat, now: Timestamp, out: &mut Out) {
        self.tracks[seat.index()].ask = Ask::Idle;
        match self.course.position.turn() {
            Turn::Apart { asked, .. } if asked.contains(seat) => {
                let number = self.tracks[seat.index()].next;
                self.put(seat, number, now, out);
                if let Some(early) = self.tracks[seat.index()].early.take() {
                    self.moved(seat, number, Move::Chosen(*early), now, out);
                }
            }
            Turn::Apart { judged, .. } if judged.contains(seat) => {
                let judgement = self.course.position.judgement(Some(seat));
                out.push(MatchEffect::Consult { about: Some(seat), judgement });
            }
            Turn::Apart { .. } => out.push(MatchEffect::Through(seat)),
            Turn::Over => {
                out.push(MatchEffect::Through(seat));
                self.follow(now, out);
            }
            Turn::Together(_) | Turn::Chance(_) | Turn::Oracle => self.follow(now, out),
        }
    }

    /// Goes on as soon as everybody is done who is waited for.
    fn go_on(&mut self, seat: Seat, now: Timestamp, out: &mut Out) {
        match (&self.stage, self.tracks[seat.index()].ask) {
            (MatchStage::Apart, Ask::Settled(Ok(()))) => {
                self.course.reveal(Seats::only(seat));
                self.pace(seat, now, out);
            }
            (MatchStage::Apart, Ask::Settled(Err(failure))) => match self.fail(seat, failure) {
                Failed::GoesOn if self.course.position.turn() != Turn::Over => {}
                Failed::GoesOn | Failed::Over => self.finish(self.conclude(None), now, out),
            },
            (MatchStage::Joining | MatchStage::Together, _) => {
                if self.tracks.iter().all(|track| track.ask.until().is_none()) {
                    self.close_step(now, out);
                }
            }
            (
                MatchStage::Apart
                | MatchStage::Rolling
                | MatchStage::Judging
                | MatchStage::Finished(_),
                _,
            ) => {}
        }
    }

    /// Everybody who was asked together is done. What was chosen is public now.
    fn close_step(&mut self, now: Timestamp, out: &mut Out) {
        self.course.reveal(Seats::BOTH);
        for seat in Seat::BOTH {
            if let Ask::Settled(Err(failure)) = self.tracks[seat.index()].ask {
                // To an invitation nobody can answer in somebody's place.
                let over = self.stage == MatchStage::Joining;
                if over || self.fail(seat, failure) == Failed::Over {
                    return self.finish(self.conclude(None), now, out);
                }
            }
        }
        self.course.reveal(Seats::BOTH);
        for track in &mut self.tracks {
            if track.ask.failure().is_none() {
                track.ask = Ask::Idle;
            }
        }
        self.follow(now, out);
    }

    /// What that failure means for the others.
    fn fail(&mut self, seat: Seat, failure: Failure) -> Failed {
        self.tracks[seat.index()].ask = Ask::Out(failure);
        self.course.fail(seat)
    }

    /// The verdict on a match that is over, or that is cut off here.
    fn conclude(&self, cut: Option<Cut>) -> Verdict {
        let gains = self.course.position.gains();
        let ends = Seat::BOTH.map(|seat| {
            let track = &self.tracks[seat.index()];
            match track.ask.failure() {
                Some(failure) => End::Failed(failure.fault(track.number() == JOIN)),
                None if cut.is_some() && gains[seat.index()].is_none() => End::Open,
                None => End::Played,
            }
        });
        let no_show_cancels = self.terms.no_show_cancels;
        let ended = Ended { no_show_cancels, cut, ..Ended::new(ends, gains) };
        verdict::conclude(&ended, &self.terms.scoring)
    }

    fn finish(&mut self, verdict: Verdict, now: Timestamp, out: &mut Out) {
        self.stage = MatchStage::Finished(verdict);
        self.note(now, EntryKind::Verdict, Party::Referee, Party::Referee);
        // Of an attempt that does not count nothing is told.
        let void = verdict.outcome == Outcome::Void;
        let details = if void { Payload::default() } else { self.view(None) };
        self.notes.number(drawn_number(&details));
        out.push(MatchEffect::Report(verdict, details));
    }
}

pub(crate) const fn party(seat: Seat) -> Party {
    [Party::PlayerA, Party::PlayerB][seat.index()]
}

/// The typed ends, all of which have passed through FINISHED.
pub(crate) const fn finished_as(verdict: &Verdict) -> MatchPhase {
    match (verdict.outcome, verdict.cause) {
        (Outcome::Void, _) => MatchPhase::Aborted,
        (Outcome::Cancelled, _) => MatchPhase::Cancelled,
        (_, Cause::TimedOut) => MatchPhase::TimeoutError,
        (Outcome::Won(_) | Outcome::Drawn | Outcome::Forfeited(_) | Outcome::BothForfeited, _) => {
            MatchPhase::Finished
        }
    }
}

#[cfg(test)]
mod tests;
