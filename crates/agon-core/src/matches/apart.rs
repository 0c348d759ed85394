//! The part of a match in which each player goes at its own pace: its steps, and what the referee's
//! own judgement says about its game. Neither waits for the other before the end.
//!
//! An answer that comes before its turn is kept, and counts when its turn has come.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Timestamp;
use agon_proto::message::{Blame, Cause};

use super::ask::{self, Ask};
use super::{Effect, Match, Phase};
use crate::games::{Failure, Half, Lapse, Move, Pace, Said, SeatEnd};
use crate::verdict::Seat;

/// An answer that came before its turn, and the step that it belongs to. The first one counts.
type Early = Option<(u16, Half)>;

/// Where one player's own game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Track {
    Asking {
        step: u16,
        ask: Ask,
        early: Early,
    },
    /// Its last step is settled, and the referee's own judgement is wanted.
    Consulting {
        step: u16,
        oracle: u8,
        early: Early,
    },
    Over(SeatEnd),
}

impl Match {
    /// From here each goes at its own pace. Who has failed before does not.
    pub(super) fn part(
        &mut self,
        first: u16,
        halves: [Half; 2],
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        let step = first.saturating_sub(1);
        let track = |half: Half| match half {
            Ok(_) => Track::Consulting { step, oracle: 0, early: None },
            Err(failure) => Track::Over(Err(Lapse { step, failure })),
        };
        self.phase = Phase::Apart(halves.map(track));
        for seat in Seat::BOTH {
            if halves[seat.index()].is_ok() {
                self.pace(seat, Pace::Ask(first), (step, None), now, out);
            }
        }
    }

    pub(super) fn moved_apart(
        &mut self,
        seat: Seat,
        step: u16,
        answer: Move,
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        let exists = self.game.has_step(step);
        let half = self.game.judge(seat, &answer).map_err(|unfit| unfit.failure);
        let Some(track) = self.track_mut(seat) else {
            return;
        };
        match track {
            Track::Asking { step: open, ask, early } if *open == step && ask.accepts(now) => {
                let early = *early;
                self.settle(seat, step, half, early, now, out);
            }
            Track::Asking { step: open, early: early @ None, .. }
            | Track::Consulting { step: open, early: early @ None, .. }
                if *open < step && exists =>
            {
                *early = Some((step, half));
            }
            // Late, repeated, or too much.
            Track::Asking { .. } | Track::Consulting { .. } | Track::Over(_) => {}
        }
    }

    pub(super) fn failed_apart(
        &mut self,
        seat: Seat,
        (step, ask): (u16, u8),
        failure: Failure,
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        if let Some(Track::Asking { step: asked, ask: open, early }) = self.track(seat)
            && asked == step
            && open.is_open(ask)
        {
            self.ask_failed_apart(seat, (step, ask), early, failure, now, out);
        }
    }

    pub(super) fn told_apart(
        &mut self,
        seat: Seat,
        asked: u8,
        said: Said,
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        let Some(Track::Consulting { step, oracle, early }) = self.track(seat) else {
            return;
        };
        match said {
            Said::Spoken | Said::Scored(_) if oracle == asked => {
                self.pace(seat, self.game.told(oracle, said), (step, early), now, out);
            }
            Said::Lost if oracle == asked => {
                self.break_off(Cause::RefereeLost, Blame::Referee, now, out);
            }
            Said::Spoken | Said::Scored(_) | Said::Lost => {}
        }
    }

    pub(super) fn time_out_apart(&mut self, now: Timestamp, out: &mut Vec<Effect>) {
        for seat in Seat::BOTH {
            let Some(Track::Asking { step, ask, early }) = self.track(seat) else {
                continue;
            };
            match ask {
                Ask::Open { ask, until } if until <= now => {
                    let failure = Failure::Silent;
                    self.ask_failed_apart(seat, (step, ask), early, failure, now, out);
                }
                Ask::BackingOff { ask, until } if until <= now => {
                    self.ask_apart(seat, (step, ask), early, now, out);
                }
                Ask::Open { .. } | Ask::BackingOff { .. } | Ask::Settled(_) => {}
            }
        }
    }

    fn ask_failed_apart(
        &mut self,
        seat: Seat,
        (step, ask): (u16, u8),
        early: Early,
        failure: Failure,
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        match Ask::after(&self.game.step(step), ask, failure, now) {
            Ask::Settled(half) => self.settle(seat, step, half, early, now, out),
            ask @ (Ask::Open { .. } | Ask::BackingOff { .. }) => {
                self.set(seat, Track::Asking { step, ask, early });
            }
        }
    }

    /// This player's half of a step is settled: its game goes on, or is over.
    fn settle(
        &mut self,
        seat: Seat,
        step: u16,
        half: Half,
        early: Early,
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        match half {
            Ok(_) => self.pace(seat, self.game.answered(step), (step, early), now, out),
            Err(failure) => {
                self.set(seat, Track::Over(Err(Lapse { step, failure })));
                self.close(now, out);
            }
        }
    }

    fn pace(
        &mut self,
        seat: Seat,
        pace: Pace,
        (step, early): (u16, Early),
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        match pace {
            Pace::Ask(next) => {
                self.ask_apart(seat, (next, 1), early, now, out);
                if let Some((_, half)) = early.filter(|(kept, _)| *kept == next) {
                    self.settle(seat, next, half, None, now, out);
                }
            }
            Pace::Consult(oracle) => {
                self.set(seat, Track::Consulting { step, oracle, early });
                out.push(Effect::Consult { seat: Some(seat), oracle });
            }
            Pace::Done(score) => {
                self.set(seat, Track::Over(Ok(score)));
                self.close(now, out);
            }
        }
    }

    fn ask_apart(
        &mut self,
        seat: Seat,
        (number, ask): (u16, u8),
        early: Early,
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        let step = self.game.step(number);
        let until = ask::deadline(&step, now);
        self.set(seat, Track::Asking { step: number, ask: Ask::Open { ask, until }, early });
        let last = ask >= step.asks_max();
        out.push(Effect::Ask { seat, step: number, ask, until, last });
    }

    /// The verdict, as soon as both games are over.
    fn close(&mut self, now: Timestamp, out: &mut Vec<Effect>) {
        if let Phase::Apart([Track::Over(a), Track::Over(b)]) = self.phase {
            self.finish(self.game.close([a, b]), now, out);
        }
    }

    pub(super) fn track(&self, seat: Seat) -> Option<Track> {
        match self.phase {
            Phase::Apart(tracks) => Some(tracks[seat.index()]),
            Phase::Asking { .. }
            | Phase::Rolling { .. }
            | Phase::Consulting { .. }
            | Phase::Finished(_) => None,
        }
    }

    fn track_mut(&mut self, seat: Seat) -> Option<&mut Track> {
        match &mut self.phase {
            Phase::Apart(tracks) => Some(&mut tracks[seat.index()]),
            Phase::Asking { .. }
            | Phase::Rolling { .. }
            | Phase::Consulting { .. }
            | Phase::Finished(_) => None,
        }
    }

    fn set(&mut self, seat: Seat, track: Track) {
        if let Some(place) = self.track_mut(seat) {
            *place = track;
        }
    }
}
