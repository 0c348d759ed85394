//! Asking players, and what becomes of it: an answer, another ask, or a failure.
//!
//! An answer that comes before its turn is kept where each goes at its own pace, and counts when
//! its turn has come.
//!
//! Spec: docs/protocol/match.md

use agon_games::Seats;
use agon_proto::message::{EntryKind, Party, invalid_move};
use agon_proto::{GameType, Payload, Timestamp};

use super::ask::{Ask, Unfit};
use super::terms::AskLimit;
use super::{Failure, Lapsed, Match, MatchEffect, Move, Open, Stage, party};
use crate::verdict::Seat;

impl Match {
    /// Asks these in the same instant. Who has failed before is out, and hears nothing.
    pub(super) fn ask_together(
        &mut self,
        seats: Seats,
        now: Timestamp,
        out: &mut Vec<MatchEffect>,
    ) {
        let number = self.tracks.iter().map(|track| track.next).max().unwrap_or_default();
        for seat in Seat::BOTH {
            if seats.contains(seat) && self.tracks[seat.index()].ask.failure().is_none() {
                self.put(seat, number, now, out);
            }
        }
    }

    /// Puts that question to a player, for the first time.
    pub(super) fn put(
        &mut self,
        seat: Seat,
        number: u16,
        now: Timestamp,
        out: &mut Vec<MatchEffect>,
    ) {
        self.tracks[seat.index()].next = number.saturating_add(1);
        self.ask(seat, 1, now, out);
    }

    fn ask(&mut self, seat: Seat, ask: u8, now: Timestamp, out: &mut Vec<MatchEffect>) {
        let limit = self.limit(seat);
        let (until, last) = (limit.deadline(now), ask >= limit.asks);
        let track = &mut self.tracks[seat.index()];
        track.ask = Ask::Open { ask, until };
        let step = track.number();
        self.note_ask(seat, step, ask, now);
        out.push(MatchEffect::Ask { seat, step, ask, until, last });
    }

    /// Puts the question before this player once more, which has time until then.
    pub fn put_again(&mut self, seat: Seat, until: Timestamp, out: &mut Vec<MatchEffect>) {
        self.extend(seat, until);
        if let Some(Open { step, ask, until }) = self.open(seat) {
            let last = ask >= self.limit(seat).asks;
            out.push(MatchEffect::Ask { seat, step, ask, until, last });
        }
    }

    /// For the question that is before this player.
    pub(super) fn limit(&self, seat: Seat) -> &AskLimit {
        if self.stage == Stage::Joining {
            return &self.terms.join;
        }
        self.terms.moves(self.course.position.kind(seat))
    }

    pub(super) fn moved(
        &mut self,
        seat: Seat,
        step: u16,
        answer: Move,
        now: Timestamp,
        out: &mut Vec<MatchEffect>,
    ) {
        if !self.tracks[seat.index()].accepts(step, now) {
            return self.keep(seat, step, answer);
        }
        match (self.judge(seat, &answer), self.tracks[seat.index()].ask) {
            (Err(Unfit { failure, objection: objection @ Some(_) }), Ask::Open { ask, .. }) => {
                self.ask_failed(Lapsed { seat, step, ask, failure, objection }, now, out);
            }
            (judged, _) => {
                let half = judged.map_err(|unfit| unfit.failure);
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
        let goes_on = self.stage == Stage::Apart && track.ask.failure().is_none();
        goes_on && track.next == step && track.early.is_none()
    }

    /// What an answer counts for. What cannot be chosen is lost at once; nobody is asked twice for
    /// sense.
    fn judge(&mut self, seat: Seat, answer: &Move) -> Result<(), Unfit> {
        let unfit = |failure| Err(Unfit { failure, objection: None });
        match (self.stage == Stage::Joining, answer) {
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
            let game_type = GameType::trusted(self.terms.rules.info().name);
            let objection = invalid_move(&game_type, payload, &why.to_string());
            Unfit { failure: Failure::Invalid, objection: Some(objection.into()) }
        })
    }

    /// Everything whose time is up: open asks fail, waits end.
    pub(super) fn time_out(&mut self, now: Timestamp, out: &mut Vec<MatchEffect>) {
        for seat in Seat::BOTH {
            if !self.stage.is_asking() {
                return;
            }
            match self.tracks[seat.index()].ask {
                Ask::Open { ask, until } if until <= now => {
                    let (step, failure) = (self.tracks[seat.index()].number(), Failure::Silent);
                    let lapsed = Lapsed { seat, step, ask, failure, objection: None };
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
    pub(super) fn ask_failed(
        &mut self,
        lapsed: Lapsed,
        now: Timestamp,
        out: &mut Vec<MatchEffect>,
    ) {
        let Lapsed { seat, ask, failure, .. } = lapsed;
        let limit = self.limit(seat);
        let after = Ask::after(limit, ask, failure, now);
        // Who cannot be reached cannot be warned either.
        let warns = failure.is_wrong_answer() || limit.warns && failure == Failure::Silent;
        self.tracks[seat.index()].ask = after;
        self.note_failure(&lapsed, now);
        if let Ask::BackingOff { until: again_at, .. } = after
            && warns
        {
            out.push(MatchEffect::Warn { lapsed: Box::new(lapsed.clone()), again_at });
            self.note(now, EntryKind::GameError, Party::Referee, party(seat));
        }
        out.push(MatchEffect::Lapsed(Box::new(lapsed)));
    }
}
