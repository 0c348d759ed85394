//! One attempt at a match, as the referee sees it: its steps, an oracle, and the verdict.
//!
//! Each player's half of a step runs on its own: its asks, its deadlines, its failures. A repeated
//! answer is harmless, a late one is refused, and every attempt ends exactly once. Only here is
//! anybody asked again, and only here is a technical loss decided.
//!
//! Spec: docs/protocol/match.md

use agon_proto::Timestamp;
use agon_proto::message::{EntryKind, MatchPhase, Party, Transcript, TranscriptEntry};

use crate::games::{Failure, Game, Half, Move, Next, Step};
use crate::verdict::{Outcome, Seat, Verdict};

/// Longest transcript that is kept, in entries; at `ENTRY_MAX` bytes each it stays under 64 KiB.
pub(crate) const TRANSCRIPT_MAX: usize = 300;

/// One player's half of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// Asked for the `ask`th time; time is up at `until`.
    Open {
        ask: u8,
        until: Timestamp,
    },
    /// Will be asked for the `ask`th time at `until`.
    BackingOff {
        ask: u8,
        until: Timestamp,
    },
    Settled(Half),
}

/// Where the attempt stands. A phase owns exactly the data that has a meaning in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Asking { step: Step, asks: [Ask; 2] },
    Rolling { halves: [Half; 2] },
    Finished(Verdict),
}

/// What happened to an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An answer came that could be read.
    Moved { seat: Seat, step: u8, answer: Move },
    /// An ask brought nothing, and it is known why before its time is up.
    Failed { seat: Seat, step: u8, ask: u8, failure: Failure },
    /// The dice fell.
    Rolled(u32),
    /// Time went by.
    TimedOut,
}

/// What must be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Ask this player.
    Ask { seat: Seat, step: u8, ask: u8, until: Timestamp, last: bool },
    /// Tell this player that its time was up, and when it will be asked again.
    Warn { seat: Seat, ask: u8, again_at: Timestamp },
    /// Roll the dice.
    Roll(u32, u32),
    /// The attempt is over.
    Report(Verdict),
}

/// A live attempt at a match.
#[derive(Debug)]
pub struct Match {
    game: Game,
    phase: Phase,
    transcript: Vec<TranscriptEntry>,
}

impl Match {
    /// Begins: both players are invited.
    pub fn begin(game: Game, now: Timestamp, out: &mut Vec<Effect>) -> Self {
        let step = game.first();
        let asks = [Ask::Open { ask: 1, until: now }; 2];
        let transcript = Vec::with_capacity(12);
        let mut live = Self { game, phase: Phase::Asking { step, asks }, transcript };
        live.ask_both(step, now, out);
        live
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    pub fn verdict(&self) -> Option<Verdict> {
        match self.phase {
            Phase::Finished(verdict) => Some(verdict),
            Phase::Asking { .. } | Phase::Rolling { .. } => None,
        }
    }

    pub fn into_transcript(self) -> Transcript {
        Transcript(self.transcript.into())
    }

    /// When `TimedOut` is due: the nearer of the two halves.
    pub fn deadline(&self) -> Option<Timestamp> {
        match &self.phase {
            Phase::Asking { asks, .. } => asks.iter().filter_map(Ask::until).min(),
            Phase::Rolling { .. } | Phase::Finished(_) => None,
        }
    }

    /// In the league's words. Tells nothing of a sealed answer.
    pub fn phase(&self) -> MatchPhase {
        match self.phase {
            Phase::Asking { step, .. } => self.game.phase(step.number),
            Phase::Rolling { .. } => MatchPhase::DrawingNumber,
            Phase::Finished(verdict) => finished_as(&verdict),
        }
    }

    /// Takes one event.
    pub fn handle(&mut self, event: Event, now: Timestamp, out: &mut Vec<Effect>) {
        match (&mut self.phase, event) {
            (Phase::Asking { step, asks }, Event::Moved { seat, step: asked, answer })
                if step.number == asked && asks[seat.index()].accepts(now) =>
            {
                asks[seat.index()] = Ask::Settled(judge(answer));
                self.note_move(seat, asked, answer, now);
                self.go_on(now, out);
            }
            (Phase::Asking { step, asks }, Event::Failed { seat, step: asked, ask, failure })
                if step.number == asked && asks[seat.index()].is_open(ask) =>
            {
                self.note_failure(seat, ask, failure, now);
                self.ask_failed(seat, ask, failure, now, out);
                self.go_on(now, out);
            }
            (Phase::Asking { .. }, Event::TimedOut) => self.time_out(now, out),
            (Phase::Rolling { halves }, Event::Rolled(number)) => {
                let verdict = self.game.judge(*halves, number);
                self.note(now, EntryKind::NumberDrawn, Party::Referee, Party::Referee);
                self.last().drawn_number = Some(number);
                self.finish(verdict, now, out);
            }
            // Late, repeated or meant for another step: harmless.
            (_, Event::Moved { .. } | Event::Failed { .. }) => {}
            (_, Event::Rolled(_) | Event::TimedOut) => {}
        }
    }

    /// Goes on as soon as both halves are settled: the next step, the dice, or the verdict.
    fn go_on(&mut self, now: Timestamp, out: &mut Vec<Effect>) {
        let Phase::Asking { step, asks: [Ask::Settled(a), Ask::Settled(b)] } = self.phase else {
            return;
        };
        match self.game.after(step.number, [a, b]) {
            Next::Ask(next) => self.ask_both(next, now, out),
            Next::Roll(min, max) => {
                self.phase = Phase::Rolling { halves: [a, b] };
                out.push(Effect::Roll(min, max));
            }
            Next::Over(verdict) => self.finish(verdict, now, out),
        }
    }

    fn ask_both(&mut self, step: Step, now: Timestamp, out: &mut Vec<Effect>) {
        let until = deadline(&step, now);
        self.phase = Phase::Asking { step, asks: [Ask::Open { ask: 1, until }; 2] };
        for seat in Seat::BOTH {
            self.ask(seat, &step, 1, now, out);
        }
    }

    fn ask(&mut self, seat: Seat, step: &Step, ask: u8, now: Timestamp, out: &mut Vec<Effect>) {
        let until = deadline(step, now);
        if let Phase::Asking { asks, .. } = &mut self.phase {
            asks[seat.index()] = Ask::Open { ask, until };
        }
        let [question, _] = self.game.entries(step.number);
        self.note(now, question, Party::Referee, party(seat));
        self.last().ask = Some(ask);
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
                    self.note(now, EntryKind::TimedOut, party(seat), Party::Referee);
                    self.last().ask = Some(ask);
                    self.ask_failed(seat, ask, Failure::Silent, now, out);
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
    fn ask_failed(
        &mut self,
        seat: Seat,
        ask: u8,
        failure: Failure,
        now: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        let Phase::Asking { step, asks } = &mut self.phase else {
            return;
        };
        let Some(wait) = step.backoff.get(usize::from(ask) - 1) else {
            asks[seat.index()] = Ask::Settled(Err(failure));
            return;
        };
        let again_at = now + *wait;
        asks[seat.index()] = Ask::BackingOff { ask: ask + 1, until: again_at };
        // Who cannot be reached cannot be warned either.
        if step.warns && failure == Failure::Silent {
            out.push(Effect::Warn { seat, ask, again_at });
            self.note(now, EntryKind::GameError, Party::Referee, party(seat));
        }
    }

    fn finish(&mut self, verdict: Verdict, now: Timestamp, out: &mut Vec<Effect>) {
        self.phase = Phase::Finished(verdict);
        self.note(now, EntryKind::Verdict, Party::Referee, Party::Referee);
        out.push(Effect::Report(verdict));
    }
}

/// The transcript.
impl Match {
    fn note(&mut self, timestamp: Timestamp, kind: EntryKind, from: Party, to: Party) {
        if self.transcript.len() == TRANSCRIPT_MAX {
            self.transcript.pop();
        }
        self.transcript.push(TranscriptEntry {
            timestamp,
            message_type: kind,
            from,
            to,
            ask: None,
            choice: None,
            drawn_number: None,
        });
    }

    fn last(&mut self) -> &mut TranscriptEntry {
        self.transcript.last_mut().expect("an entry was just written")
    }

    fn note_move(&mut self, seat: Seat, step: u8, answer: Move, now: Timestamp) {
        let [_, answered] = self.game.entries(step);
        let kind = if answer == Move::Invalid { EntryKind::BadAnswer } else { answered };
        self.note(now, kind, party(seat), Party::Referee);
        if let Move::Parity(parity) = answer {
            self.last().choice = Some(parity);
        }
    }

    fn note_failure(&mut self, seat: Seat, ask: u8, failure: Failure, now: Timestamp) {
        let kind = match failure {
            Failure::Silent => EntryKind::TimedOut,
            Failure::Unreachable => EntryKind::Unreachable,
            Failure::Declined | Failure::Invalid | Failure::Malformed | Failure::Oversized => {
                EntryKind::BadAnswer
            }
        };
        self.note(now, kind, party(seat), Party::Referee);
        self.last().ask = Some(ask);
    }
}

impl Ask {
    const fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Open { until, .. } | Self::BackingOff { until, .. } => Some(*until),
            Self::Settled(_) => None,
        }
    }

    /// The first answer counts, and only while an ask is open.
    fn accepts(&self, now: Timestamp) -> bool {
        matches!(self, Self::Open { until, .. } if now <= *until)
    }

    fn is_open(&self, number: u8) -> bool {
        matches!(self, Self::Open { ask, .. } if *ask == number)
    }
}

/// What cannot be chosen is lost at once; nobody is asked twice for sense.
const fn judge(answer: Move) -> Half {
    match answer {
        Move::Join | Move::Parity(_) => Ok(answer),
        Move::Decline => Err(Failure::Declined),
        Move::Invalid => Err(Failure::Invalid),
    }
}

fn deadline(step: &Step, now: Timestamp) -> Timestamp {
    let until = now + step.limit;
    if step.prints_deadline { until.rounded_up() } else { until }
}

const fn party(seat: Seat) -> Party {
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
        (_, agon_proto::message::Cause::TimedOut) => MatchPhase::TimeoutError,
        (Outcome::Won(_) | Outcome::Drawn | Outcome::Forfeited(_) | Outcome::BothForfeited, _) => {
            MatchPhase::Finished
        }
    }
}

#[cfg(test)]
mod tests;
