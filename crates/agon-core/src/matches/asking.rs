//! Asking players, and what becomes of it: an answer, another ask, or a failure. Each player has
//! its own way through a match: the question before it, and what became of the last one.
//!
//! An answer that comes before its turn is kept where each goes at its own pace, and counts when
//! its turn has come.
//!
//! Spec: docs/protocol/match.md

use std::time::Duration;

use agon_games::Seats;
use agon_proto::message::{Cause, EntryKind, Party, invalid_move};
use agon_proto::{ErrorCode, GameType, Objection, Payload, Timestamp, micros};
use serde::{Deserialize, Serialize};

use super::{Lapsed, Match, MatchEffect, MatchStage, MatchTerms, Open, Out, party};
use crate::verdict::{Fault, Seat};

impl Match {
    /// Asks these in the same instant. Who has failed before is out, and hears nothing.
    pub(super) fn ask_together(&mut self, seats: Seats, now: Timestamp, out: &mut Out) {
        let number = self.tracks.iter().map(|track| track.next).max().unwrap_or_default();
        for seat in Seat::BOTH {
            if seats.contains(seat) && self.tracks[seat.index()].ask.failure().is_none() {
                self.put(seat, number, now, out);
            }
        }
    }

    /// Puts that question to a player, for the first time.
    pub(super) fn put(&mut self, seat: Seat, number: u16, now: Timestamp, out: &mut Out) {
        self.tracks[seat.index()].next = number.saturating_add(1);
        self.ask(seat, 1, now, out);
    }

    fn ask(&mut self, seat: Seat, ask: u8, now: Timestamp, out: &mut Out) {
        let limit = self.limit(seat);
        let (until, last) = (limit.deadline(now), ask >= limit.asks);
        let track = &mut self.tracks[seat.index()];
        track.ask = Ask::Open { ask, until };
        let step = track.number();
        self.note_ask(seat, step, ask, now);
        out.push(MatchEffect::Ask { seat, step, ask, until, last });
    }

    /// Puts the question before this player once more, which has time until then.
    pub fn put_again(&mut self, seat: Seat, until: Timestamp, out: &mut Out) {
        self.extend(seat, until);
        if let Some(Open { step, ask, until }) = self.open(seat) {
            let last = ask >= self.limit(seat).asks;
            out.push(MatchEffect::Ask { seat, step, ask, until, last });
        }
    }

    /// For the question that is before this player.
    pub(super) fn limit(&self, seat: Seat) -> AskLimit {
        let joins = self.stage == MatchStage::Joining;
        let kind = self.course.position.kind(seat);
        let limit = if joins { self.terms.join } else { *self.terms.moves(kind) };
        let asks = if self.tracks[seat.index()].asked_once { 1 } else { limit.asks };
        AskLimit { asks, ..limit }
    }

    pub(super) fn moved(
        &mut self,
        seat: Seat,
        step: u16,
        answer: Move,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(open @ Open { ask, until, .. }) = self.in_turn(seat, step, now) else {
            return self.keep(seat, step, answer);
        };
        match self.judge(seat, &answer) {
            Err(Unfit { failure, objection: objection @ Some(_) }) => {
                let due = Some(until);
                self.ask_failed(Lapsed { seat, step, ask, failure, due, objection }, now, out);
            }
            judged => {
                let half = judged.map_err(|unfit| unfit.failure);
                self.charge(seat, open, now);
                self.tracks[seat.index()].ask = Ask::Settled(half);
                self.note_move(seat, step, &answer, now);
            }
        }
        self.go_on(seat, now, out);
    }

    /// Keeps an answer to the question that comes next, if there may be one.
    fn keep(&mut self, seat: Seat, step: u16, answer: Move) {
        if self.takes_early(seat, step)
            && let Move::Chosen(payload) = answer
        {
            self.tracks[seat.index()].early = Some(Box::new(payload));
        }
    }

    /// Whether an answer to that question counts as soon as its turn has come.
    pub(super) fn takes_early(&self, seat: Seat, step: u16) -> bool {
        let track = &self.tracks[seat.index()];
        let goes_on = self.stage == MatchStage::Apart && track.ask.failure().is_none();
        goes_on && track.next == step && track.early.is_none()
    }

    /// What an answer counts for. What cannot be chosen is lost at once; nobody is asked twice for
    /// sense.
    fn judge(&mut self, seat: Seat, answer: &Move) -> Result<(), Unfit> {
        let unfit = |failure| Err(Unfit { failure, objection: None });
        match (self.stage == MatchStage::Joining, answer) {
            (true, Move::Join) => Ok(()),
            (_, Move::Decline) => unfit(Failure::Declined),
            (false, Move::Chosen(payload)) => self.seal(seat, payload),
            (true, Move::Chosen(_)) | (false, Move::Join) => unfit(Failure::Malformed),
        }
    }

    /// Takes a move. Nobody sees it before all are in.
    fn seal(&mut self, seat: Seat, payload: &Payload) -> Result<(), Unfit> {
        let sealed = self.course.seal(seat, payload);
        sealed.map_err(|why| {
            let why = why.to_string();
            // What a letter calls its fields is said by whoever rejects it.
            let objection = if self.terms.resumes {
                Objection::new(ErrorCode::InvalidMessage, &why).to(payload.as_bytes())
            } else {
                let game_type = GameType::trusted(self.terms.rules.info().name);
                invalid_move(&game_type, payload, &why)
            };
            Unfit { failure: Failure::Invalid, objection: Some(objection.into()) }
        })
    }

    /// When `TimedOut` is due: the nearer of the two halves.
    pub fn deadline(&self) -> Option<Timestamp> {
        let due = self.tracks.iter().filter_map(|track| track.ask.until()).min();
        due.filter(|_| self.stage.is_asking())
    }

    /// Everything whose time is up: open asks fail, waits end.
    pub(super) fn time_out(&mut self, now: Timestamp, out: &mut Out) {
        for seat in Seat::BOTH {
            if !self.stage.is_asking() {
                return;
            }
            match self.tracks[seat.index()].ask {
                Ask::Open { ask, until } if until <= now => {
                    let (step, failure) = (self.tracks[seat.index()].number(), Failure::Silent);
                    let waited = self.limit(seat).limit.as_secs_f64();
                    let problem = format!("no answer within {waited} s");
                    let objection = Some(Objection::new(ErrorCode::Timeout, &problem).into());
                    let due = Some(until);
                    let lapsed = Lapsed { seat, step, ask, failure, due, objection };
                    self.ask_failed(lapsed, now, out);
                    self.go_on(seat, now, out);
                }
                Ask::BackingOff { ask, until } if until <= now => self.ask(seat, ask, now, out),
                Ask::Open { .. } | Ask::BackingOff { .. } => {}
                Ask::Idle | Ask::Settled(_) | Ask::Out(_) => {}
            }
        }
    }

    /// An ask came to nothing: another one follows, or this half has failed.
    pub(super) fn ask_failed(&mut self, lapsed: Lapsed, now: Timestamp, out: &mut Out) {
        let Lapsed { seat, ask, failure, .. } = lapsed;
        if let Some(open) = self.open(seat) {
            self.charge(seat, open, now);
        }
        let limit = self.limit(seat);
        let after = Ask::after(&limit, ask, failure, now);
        // Who cannot be reached cannot be warned either.
        let warns = failure.is_wrong_answer() || limit.warns && failure == Failure::Silent;
        self.tracks[seat.index()].ask = after;
        if let Ask::BackingOff { until, .. } = after {
            self.tracks[seat.index()].charge(until.since(now));
        }
        self.note_failure(&lapsed, now);
        if let Ask::BackingOff { until: again_at, .. } = after
            && warns
        {
            out.push(MatchEffect::Warn { lapsed: Box::new(lapsed.clone()), again_at });
            self.note(now, EntryKind::GameError, Party::Referee, party(seat));
        }
        out.push(MatchEffect::Lapsed(Box::new(lapsed)));
    }

    /// An ask is over. Every one after the first is charged, as long as it was open, with the wait
    /// before it. That a printed deadline is rounded up, and that we are late, costs nobody.
    fn charge(&mut self, seat: Seat, Open { ask, until, .. }: Open, now: Timestamp) {
        if ask > 1 {
            let begun = until - self.limit(seat).limit;
            self.tracks[seat.index()].charge(now.min(until).since(begun));
        }
    }
}

impl MatchTerms {
    /// For a question of that kind.
    pub(super) fn moves(&self, kind: u8) -> &AskLimit {
        let known = self.moves.get(usize::from(kind)).or(self.moves.last());
        known.unwrap_or(&self.join)
    }
}

/// How long and how often a player is asked for one kind of answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskLimit {
    /// How long one ask may take.
    pub limit: Duration,
    /// Whether the deadline is printed, and therefore in whole seconds.
    pub prints_deadline: bool,
    /// Whether a player hears of its time-out before it is asked again.
    pub warns: bool,
    /// How often a player is asked at most.
    pub asks: u8,
    /// Waits before the second, third and fourth ask, as far as there are so many.
    pub backoff: [Duration; 3],
}

impl AskLimit {
    /// How long to wait after that ask came to nothing; `None` if it was the last one.
    pub(super) fn wait_after(&self, ask: u8) -> Option<Duration> {
        self.backoff.get(usize::from(ask) - 1).copied().filter(|_| ask < self.asks)
    }

    /// When the time for one ask is up. A deadline that is printed is printed in whole seconds.
    fn deadline(&self, now: Timestamp) -> Timestamp {
        let until = now + self.limit;
        if self.prints_deadline { until.rounded_up() } else { until }
    }
}

/// What a player answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// It comes.
    Join,
    /// It does not come.
    Decline,
    /// Its move, which the game judges.
    Chosen(Payload),
}

/// Why a player's half of a step failed. Nothing more is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    Silent,
    Unreachable,
    Declined,
    Invalid,
    Malformed,
    Oversized,
}

impl Failure {
    /// Whether nobody is asked again after it: there is an answer, and it counts.
    const fn is_final(self) -> bool {
        match self {
            Self::Declined | Self::Invalid => true,
            Self::Silent | Self::Unreachable | Self::Malformed | Self::Oversized => false,
        }
    }

    /// Whether something came that its author can mend, once it is told.
    pub(super) const fn is_wrong_answer(self) -> bool {
        match self {
            Self::Malformed | Self::Oversized => true,
            Self::Silent | Self::Unreachable | Self::Declined | Self::Invalid => false,
        }
    }

    /// What it is, in the league's words. Who failed at the first step never came.
    pub(super) const fn fault(self, joining: bool) -> Fault {
        let cause = match self {
            Self::Silent | Self::Unreachable if joining => Cause::NoShow,
            Self::Silent => Cause::TimedOut,
            Self::Unreachable => Cause::Crashed,
            Self::Declined => Cause::Refused,
            Self::Invalid => Cause::InvalidMove,
            Self::Malformed => Cause::MalformedAnswer,
            Self::Oversized => Cause::OversizedAnswer,
        };
        Fault { joining, cause, unreachable: matches!(self, Self::Unreachable) }
    }
}

/// An answer that does not count: what that makes of it, and what its author is told, if there is
/// more to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    pub failure: Failure,
    pub objection: Option<Box<Objection>>,
}

/// One player's half of a step, once it is settled.
pub(super) type Half = Result<(), Failure>;

/// What is before a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Ask {
    /// Nothing.
    Idle,
    /// Asked for the `ask`th time; time is up at `until`.
    Open {
        ask: u8,
        #[serde(with = "micros")]
        until: Timestamp,
    },
    /// Will be asked for the `ask`th time at `until`.
    BackingOff {
        ask: u8,
        #[serde(with = "micros")]
        until: Timestamp,
    },
    /// Its half of the step is done; the others' may not be.
    Settled(Half),
    /// It failed at the last question, and plays no more.
    Out(Failure),
}

impl Ask {
    /// What becomes of an ask that came to nothing: another one, or a failure.
    pub(super) fn after(limit: &AskLimit, ask: u8, failure: Failure, now: Timestamp) -> Self {
        match limit.wait_after(ask).filter(|_| !failure.is_final()) {
            Some(wait) => Self::BackingOff { ask: ask + 1, until: now + wait },
            None => Self::Settled(Err(failure)),
        }
    }

    pub(super) const fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Open { until, .. } | Self::BackingOff { until, .. } => Some(*until),
            Self::Idle | Self::Settled(_) | Self::Out(_) => None,
        }
    }

    /// Why this player failed, if it did.
    pub(super) const fn failure(&self) -> Option<Failure> {
        match self {
            Self::Settled(Err(failure)) | Self::Out(failure) => Some(*failure),
            Self::Idle | Self::Open { .. } | Self::BackingOff { .. } | Self::Settled(Ok(())) => {
                None
            }
        }
    }
}

/// One player's own way through a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Track {
    pub(super) ask: Ask,
    /// The number of the question that comes next.
    pub(super) next: u16,
    /// An answer that came before its turn. The first one counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) early: Option<Box<Payload>>,
    /// Its clock is empty. By letter none runs, so neither this nor what is charged is kept.
    #[serde(skip)]
    pub(super) asked_once: bool,
    /// How long it was asked again.
    #[serde(skip)]
    pub(super) charged_ms: u32,
}

impl Track {
    pub(super) const NEW: Self =
        Self { ask: Ask::Idle, next: 0, early: None, asked_once: false, charged_ms: 0 };

    /// The number of the last question.
    pub(super) const fn number(&self) -> u16 {
        self.next.saturating_sub(1)
    }

    fn charge(&mut self, time: Duration) {
        let ms = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        self.charged_ms = self.charged_ms.saturating_add(ms);
    }

    /// The clock stood still for so long.
    pub(super) fn postpone(&mut self, by: Duration) {
        match &mut self.ask {
            Ask::Open { until, .. } | Ask::BackingOff { until, .. } => *until = *until + by,
            Ask::Idle | Ask::Settled(_) | Ask::Out(_) => {}
        }
    }
}
