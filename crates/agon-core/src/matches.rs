//! One attempt at a match, as the referee sees it: its steps, its oracles, and the verdict.
//!
//! Each player's half of a step runs on its own: its asks, its deadlines, its failures. A repeated
//! answer is harmless, a late one is refused, and every attempt ends exactly once. Only here is
//! anybody asked again, and only here is a technical loss decided.
//!
//! Spec: docs/protocol/match.md

mod apart;
mod ask;
mod notes;
mod reading;

use agon_games::Seats;
use agon_proto::message::{Blame, Cause, EntryKind, MatchPhase, MoveRequest, Party};
use agon_proto::{Objection, Payload, Timestamp};

use crate::games::{Failure, Game, Half, Move, Next, Said, Step, Unfit};
use crate::verdict::{Outcome, Seat, Verdict};
use apart::Track;
use ask::Ask;
use notes::Notes;

pub(crate) use notes::TRANSCRIPT_MAX;
pub use reading::Open;

/// Where the attempt stands. A phase owns exactly the data that has a meaning in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Both are asked the same, in the same instant.
    Asking {
        step: Step,
        asks: [Ask; 2],
    },
    Rolling {
        step: u16,
        halves: [Half; 2],
    },
    /// The referee's own judgement is wanted, about the whole match.
    Consulting {
        oracle: u8,
        halves: [Half; 2],
    },
    /// Each goes at its own pace.
    Apart([Track; 2]),
    Finished(Verdict),
}

/// What happened to an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// An answer came that could be read.
    Moved { seat: Seat, step: u16, answer: Move },
    /// An ask brought nothing, and it is known why before its time is up.
    Failed { seat: Seat, step: u16, ask: u8, failure: Failure, objection: Option<Box<Objection>> },
    /// The dice fell.
    Rolled(u32),
    /// The referee's own judgement has spoken, about one player's game or the whole match.
    Told { seat: Option<Seat>, oracle: u8, said: Said },
    /// Time went by.
    TimedOut,
}

/// What must be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Ask this player.
    Ask { seat: Seat, step: u16, ask: u8, until: Timestamp, last: bool },
    /// Tell whoever runs the referee that an ask came to nothing.
    Lapsed(Box<Lapsed>),
    /// Tell this player what was wrong, and when it will be asked again.
    Warn { lapsed: Box<Lapsed>, again_at: Timestamp },
    /// Roll the dice.
    Roll(u32),
    /// Ask the referee's own judgement, about one player's game or the whole match.
    Consult { seat: Option<Seat>, oracle: u8 },
    /// The attempt is over, and this was played.
    Report(Verdict, Payload),
}

/// An ask that came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lapsed {
    pub seat: Seat,
    pub step: u16,
    pub ask: u8,
    pub failure: Failure,
    /// What is known about it, for whoever was asked.
    pub objection: Option<Box<Objection>>,
}

/// A live attempt at a match.
#[derive(Debug)]
pub struct Match {
    game: Game,
    phase: Phase,
    notes: Notes,
}

impl Match {
    /// Begins, with two players who are expected.
    pub fn begin(game: Game, now: Timestamp, out: &mut Vec<Effect>) -> Self {
        Self::begin_with([Ok(()); 2], game, now, out)
    }

    /// Begins, although it is known of somebody that it will not come.
    pub fn begin_with(
        halves: [Half; 2],
        game: Game,
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) -> Self {
        let (phase, notes) = (Phase::Consulting { oracle: 0, halves }, Notes::of(&game));
        let next = game.begin(halves);
        let mut live = Self { game, phase, notes };
        live.follow(next, halves, now, out);
        live
    }

    /// Takes one event.
    pub fn handle(&mut self, event: Event, now: Timestamp, out: &mut Vec<Effect>) {
        match (&mut self.phase, event) {
            (Phase::Asking { step, asks }, Event::Moved { seat, step: asked, answer })
                if step.number == asked && asks[seat.index()].accepts(now) =>
            {
                match (self.game.judge(seat, &answer), asks[seat.index()]) {
                    (
                        Err(Unfit { failure, objection: objection @ Some(_) }),
                        Ask::Open { ask, .. },
                    ) => {
                        let lapsed = Lapsed { seat, step: asked, ask, failure, objection };
                        self.ask_failed(lapsed, now, out);
                    }
                    (judged, _) => {
                        asks[seat.index()] = Ask::Settled(judged.map_err(|unfit| unfit.failure));
                        self.note_move(seat, asked, &answer, now);
                    }
                }
                self.go_on(now, out);
            }
            (
                Phase::Asking { step: current, asks },
                Event::Failed { seat, step, ask, failure, objection },
            ) if current.number == step && asks[seat.index()].is_open(ask) => {
                self.ask_failed(Lapsed { seat, step, ask, failure, objection }, now, out);
                self.go_on(now, out);
            }
            (Phase::Asking { .. }, Event::TimedOut) => self.time_out(now, out),
            (Phase::Rolling { step, halves }, Event::Rolled(number)) => {
                let halves = *halves;
                let next = self.game.drawn(*step, number);
                self.note_roll(now);
                self.follow(next, halves, now, out);
            }
            (Phase::Consulting { oracle, .. }, Event::Told { seat: None, oracle: asked, said })
                if *oracle == asked =>
            {
                self.told(asked, said, now, out);
            }
            (Phase::Apart(_), Event::Moved { seat, step, answer }) => {
                self.moved_apart(seat, step, answer, now, out);
            }
            (Phase::Apart(_), Event::Failed { seat, step, ask, failure, .. }) => {
                self.failed_apart(seat, (step, ask), failure, now, out);
            }
            (Phase::Apart(_), Event::Told { seat: Some(seat), oracle, said }) => {
                self.told_apart(seat, oracle, said, now, out);
            }
            (Phase::Apart(_), Event::TimedOut) => self.time_out_apart(now, out),
            // Late, repeated or meant for another step: harmless.
            (_, Event::Moved { .. } | Event::Failed { .. } | Event::Told { .. }) => {}
            (_, Event::Rolled(_) | Event::TimedOut) => {}
        }
    }

    /// What that player is asked in that step, where the question says it.
    pub(crate) fn request(&self, seat: Seat, step: u16, hints: bool) -> Option<MoveRequest> {
        self.game.request(seat, step, hints)
    }

    /// Ends it here, through no player's fault.
    pub fn break_off(&mut self, cause: Cause, blame: Blame, now: Timestamp, out: &mut Vec<Effect>) {
        if self.verdict().is_none() {
            let ends = Seat::BOTH.map(|seat| self.end(seat));
            self.finish(self.game.broken_off(cause, blame, ends), now, out);
        }
    }

    /// Goes on as soon as both halves are settled.
    fn go_on(&mut self, now: Timestamp, out: &mut Vec<Effect>) {
        let Phase::Asking { step, asks: [Ask::Settled(a), Ask::Settled(b)] } = self.phase else {
            return;
        };
        let next = self.game.after(step.number, [a, b]);
        self.follow(next, [a, b], now, out);
    }

    /// The next step, an oracle, or the verdict.
    fn follow(&mut self, next: Next, halves: [Half; 2], now: Timestamp, out: &mut Vec<Effect>) {
        match next {
            Next::Ask(step, seats) => self.ask_together((step, seats), halves, now, out),
            Next::Apart(step) => self.part(step, halves, now, out),
            Next::Roll(below) => {
                let step = self.step();
                self.phase = Phase::Rolling { step, halves };
                out.push(Effect::Roll(below));
            }
            Next::Consult(oracle) => {
                self.phase = Phase::Consulting { oracle, halves };
                out.push(Effect::Consult { seat: None, oracle });
            }
            Next::Over(verdict) => self.finish(verdict, now, out),
        }
    }

    fn told(&mut self, oracle: u8, said: Said, now: Timestamp, out: &mut Vec<Effect>) {
        let Phase::Consulting { halves, .. } = self.phase else {
            return;
        };
        match said {
            Said::Spoken | Said::Scored(_) => {
                self.follow(self.game.advised(oracle), halves, now, out);
            }
            Said::Lost => self.break_off(Cause::RefereeLost, Blame::Referee, now, out),
        }
    }

    /// The step that both took last together.
    const fn step(&self) -> u16 {
        match &self.phase {
            Phase::Asking { step, .. } => step.number,
            Phase::Rolling { step, .. } => *step,
            Phase::Consulting { .. } | Phase::Apart(_) | Phase::Finished(_) => 0,
        }
    }

    /// Asks these. Who has failed before is out, and hears nothing.
    fn ask_together(
        &mut self,
        (step, seats): (Step, Seats),
        halves: [Half; 2],
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        let until = ask::deadline(&step, now);
        let asked = |seat: Seat| halves[seat.index()].is_ok() && seats.contains(seat);
        let asks = Seat::BOTH.map(|seat| match asked(seat) {
            true => Ask::Open { ask: 1, until },
            false => Ask::Settled(halves[seat.index()]),
        });
        self.phase = Phase::Asking { step, asks };
        for seat in Seat::BOTH.into_iter().filter(|seat| asked(*seat)) {
            self.ask(seat, &step, 1, now, out);
        }
    }

    fn ask(&mut self, seat: Seat, step: &Step, ask: u8, now: Timestamp, out: &mut Vec<Effect>) {
        let until = ask::deadline(step, now);
        if let Phase::Asking { asks, .. } = &mut self.phase {
            asks[seat.index()] = Ask::Open { ask, until };
        }
        self.note_ask(seat, step.number, ask, now);
        let last = ask >= step.asks_max();
        out.push(Effect::Ask { seat, step: step.number, ask, until, last });
    }

    /// Everything whose time is up: open asks fail, waits end.
    fn time_out(&mut self, now: Timestamp, out: &mut Vec<Effect>) {
        for seat in Seat::BOTH {
            let Phase::Asking { step, asks } = &self.phase else {
                return;
            };
            let step = *step;
            match asks[seat.index()] {
                Ask::Open { ask, until } if until <= now => {
                    let (step, failure) = (step.number, Failure::Silent);
                    let lapsed = Lapsed { seat, step, ask, failure, objection: None };
                    self.ask_failed(lapsed, now, out);
                }
                Ask::BackingOff { ask, until } if until <= now => {
                    self.ask(seat, &step, ask, now, out);
                }
                Ask::Open { .. } | Ask::BackingOff { .. } | Ask::Settled(_) => {}
            }
        }
        self.go_on(now, out);
    }

    /// An ask came to nothing: another one follows, or this half has failed.
    fn ask_failed(&mut self, lapsed: Lapsed, now: Timestamp, out: &mut Vec<Effect>) {
        let Phase::Asking { step, asks } = &mut self.phase else {
            return;
        };
        let Lapsed { seat, ask, failure, .. } = lapsed;
        let after = Ask::after(step, ask, failure, now);
        asks[seat.index()] = after;
        // Who cannot be reached cannot be warned either.
        let warns = failure.is_wrong_answer() || step.warns && failure == Failure::Silent;
        self.note_failure(&lapsed, now);
        if let Ask::BackingOff { until: again_at, .. } = after
            && warns
        {
            out.push(Effect::Warn { lapsed: Box::new(lapsed.clone()), again_at });
            self.note(now, EntryKind::GameError, Party::Referee, party(seat));
        }
        out.push(Effect::Lapsed(Box::new(lapsed)));
    }

    fn finish(&mut self, verdict: Verdict, now: Timestamp, out: &mut Vec<Effect>) {
        self.phase = Phase::Finished(verdict);
        self.note(now, EntryKind::Verdict, Party::Referee, Party::Referee);
        // Of an attempt that does not count nothing is told.
        let void = verdict.outcome == Outcome::Void;
        let details = self.game.shown().filter(|_| !void).cloned().unwrap_or_default();
        out.push(Effect::Report(verdict, details));
    }
}

pub(crate) const fn party(seat: Seat) -> Party {
    match seat {
        Seat::A => Party::PlayerA,
        Seat::B => Party::PlayerB,
    }
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
