//! What waits on the desk until somebody has heard of it: matches for their players, a referee's
//! queue for the referee.

use agon_proto::{MatchId, RefereeId, RoundId};

use super::{Assignments, Place};
use crate::Seat;

impl Assignments {
    /// That referee is told of the round; until it has heard it gets nothing.
    pub(crate) fn announce_to(&mut self, referee: RefereeId) {
        self.set_unheard(referee, true);
    }

    /// That referee has heard of that round, or could not.
    pub(crate) fn referee_heard(&mut self, referee: RefereeId, round: RoundId) {
        if round == self.round {
            self.set_unheard(referee, false);
        }
    }

    fn set_unheard(&mut self, referee: RefereeId, unheard: bool) {
        let before = std::mem::replace(&mut self.line(referee).unheard, unheard);
        self.unheard = self.unheard - u32::from(before) + u32::from(unheard);
    }

    /// One of its players has heard of that match, or could not. When both have, it may be given
    /// out: to this referee.
    pub(crate) fn player_heard(&mut self, id: MatchId, seat: Seat) -> Option<RefereeId> {
        let job = self.job(id).filter(|job| job.place == Place::Unheard)?;
        job.unheard[seat.index()] = false;
        if job.unheard != [false; 2] {
            return None;
        }
        job.place = Place::Waiting;
        let referee = job.referee;
        self.unheard -= 1;
        // Whoever heard first: matches are given out in the order of the round.
        let waiting = &mut self.line(referee).waiting;
        let place = waiting.partition_point(|other| *other < id);
        waiting.insert(place, id);
        Some(referee)
    }

    /// Whether that match waits until this one of its players has heard of it.
    pub(crate) fn is_unheard_by(&mut self, id: MatchId, seat: Seat) -> bool {
        let job = self.job(id).filter(|job| job.place == Place::Unheard);
        job.is_some_and(|job| job.unheard[seat.index()])
    }

    /// All for whom a match waits.
    pub(crate) fn unheard_players(&mut self) -> Vec<(MatchId, Seat)> {
        let ids = self.those(|job| job.place == Place::Unheard).into_iter();
        let all: Vec<_> = ids.flat_map(|id| Seat::BOTH.map(|seat| (id, seat))).collect();
        all.into_iter().filter(|(id, seat)| self.is_unheard_by(*id, *seat)).collect()
    }

    /// Nobody is waited for any longer: every match may be given out.
    pub(crate) fn all_heard(&mut self) {
        for id in self.those(|job| job.place == Place::Unheard) {
            for seat in Seat::BOTH {
                self.player_heard(id, seat);
            }
        }
        self.lines.iter_mut().for_each(|line| line.unheard = false);
        self.unheard = 0;
    }

    /// Whether somebody has not heard what it must hear first.
    pub(crate) fn is_unheard(&self) -> bool {
        self.unheard > 0
    }
}
