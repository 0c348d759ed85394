//! What can be read off a match, and how its clock is moved. Nothing here decides anything.

use std::time::Duration;

use agon_proto::Timestamp;
use agon_proto::message::MatchPhase;

use super::apart::Track;
use super::ask::Ask;
use super::{Match, Phase, finished_as};
use crate::games::{Game, Half, Lapse, SeatEnd};
use crate::verdict::{Seat, Verdict};

/// A question that a player has not answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    pub step: u16,
    /// For the how manieth time it is asked.
    pub ask: u8,
    pub until: Timestamp,
}

impl Match {
    pub fn game(&self) -> &Game {
        &self.game
    }

    pub fn verdict(&self) -> Option<Verdict> {
        match self.phase {
            Phase::Finished(verdict) => Some(verdict),
            Phase::Asking { .. }
            | Phase::Rolling { .. }
            | Phase::Consulting { .. }
            | Phase::Apart(_) => None,
        }
    }

    /// When `TimedOut` is due: the nearer of the two halves.
    pub fn deadline(&self) -> Option<Timestamp> {
        match &self.phase {
            Phase::Asking { asks, .. } => asks.iter().filter_map(Ask::until).min(),
            Phase::Apart(tracks) => tracks.iter().filter_map(Track::until).min(),
            Phase::Rolling { .. } | Phase::Consulting { .. } | Phase::Finished(_) => None,
        }
    }

    /// In the league's words. Tells nothing of a sealed answer.
    pub fn phase(&self) -> MatchPhase {
        match self.phase {
            Phase::Asking { step, .. } => self.game.phase(step.number),
            Phase::Rolling { .. } => MatchPhase::DrawingNumber,
            Phase::Consulting { .. } => MatchPhase::WaitingForPlayers,
            Phase::Apart(_) => MatchPhase::CollectingChoices,
            Phase::Finished(verdict) => finished_as(&verdict),
        }
    }

    /// The question that this player has before it.
    pub fn open(&self, seat: Seat) -> Option<Open> {
        let (step, ask) = match &self.phase {
            Phase::Asking { step, asks } => (step.number, asks[seat.index()]),
            Phase::Apart(tracks) => tracks[seat.index()].asking()?,
            Phase::Rolling { .. } | Phase::Consulting { .. } | Phase::Finished(_) => return None,
        };
        match ask {
            Ask::Open { ask, until } => Some(Open { step, ask, until }),
            Ask::BackingOff { .. } | Ask::Settled(_) => None,
        }
    }

    /// Whether an answer to that step would count now, or when its turn has come.
    pub fn takes(&self, seat: Seat, step: u16, now: Timestamp) -> bool {
        let in_turn = self.open(seat).is_some_and(|open| open.step == step && now <= open.until);
        let early = match self.track(seat) {
            Some(
                Track::Asking { step: open, early: None, .. }
                | Track::Consulting { step: open, early: None, .. },
            ) => open < step && self.game.has_step(step),
            Some(Track::Asking { .. } | Track::Consulting { .. } | Track::Over(_)) | None => false,
        };
        in_turn || early
    }

    /// What the referee's own judgement still owes, each for one player or for the match.
    pub fn consulting(&self) -> impl Iterator<Item = (Option<Seat>, u8)> + use<> {
        let owed = match self.phase {
            Phase::Consulting { oracle, .. } => [Some((None, oracle)), None],
            Phase::Apart(tracks) => Seat::BOTH
                .map(|seat| tracks[seat.index()].consulting().map(|oracle| (Some(seat), oracle))),
            Phase::Asking { .. } | Phase::Rolling { .. } | Phase::Finished(_) => [None, None],
        };
        owed.into_iter().flatten()
    }

    /// How this player's own game has ended, if it has.
    pub fn end(&self, seat: Seat) -> Option<SeatEnd> {
        let failed = |step: u16, half: Half| half.err().map(|failure| Err(Lapse { step, failure }));
        match &self.phase {
            Phase::Asking { step, asks } => match asks[seat.index()] {
                Ask::Settled(half) => failed(step.number, half),
                Ask::Open { .. } | Ask::BackingOff { .. } => None,
            },
            Phase::Rolling { halves, .. } | Phase::Consulting { halves, .. } => {
                failed(0, halves[seat.index()])
            }
            Phase::Apart(tracks) => match tracks[seat.index()] {
                Track::Over(end) => Some(end),
                Track::Asking { .. } | Track::Consulting { .. } => None,
            },
            Phase::Finished(_) => None,
        }
    }

    /// The clock stood still for so long: every deadline is so much later.
    pub fn postpone(&mut self, by: Duration) {
        match &mut self.phase {
            Phase::Asking { asks, .. } => asks.iter_mut().for_each(|ask| ask.postpone(by)),
            Phase::Apart(tracks) => {
                tracks.iter_mut().filter_map(Track::ask_mut).for_each(|ask| ask.postpone(by));
            }
            Phase::Rolling { .. } | Phase::Consulting { .. } | Phase::Finished(_) => {}
        }
    }

    /// This player has time until then for the question before it.
    pub fn extend(&mut self, seat: Seat, until: Timestamp) {
        match &mut self.phase {
            Phase::Asking { asks, .. } => asks[seat.index()].extend(until),
            Phase::Apart(tracks) => {
                if let Some(ask) = tracks[seat.index()].ask_mut() {
                    ask.extend(until);
                }
            }
            Phase::Rolling { .. } | Phase::Consulting { .. } | Phase::Finished(_) => {}
        }
    }
}

impl Track {
    const fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Asking { ask, .. } => ask.until(),
            Self::Consulting { .. } | Self::Over(_) => None,
        }
    }

    const fn asking(&self) -> Option<(u16, Ask)> {
        match self {
            Self::Asking { step, ask, .. } => Some((*step, *ask)),
            Self::Consulting { .. } | Self::Over(_) => None,
        }
    }

    const fn consulting(&self) -> Option<u8> {
        match self {
            Self::Consulting { oracle, .. } => Some(*oracle),
            Self::Asking { .. } | Self::Over(_) => None,
        }
    }

    const fn ask_mut(&mut self) -> Option<&mut Ask> {
        match self {
            Self::Asking { ask, .. } => Some(ask),
            Self::Consulting { .. } | Self::Over(_) => None,
        }
    }
}
