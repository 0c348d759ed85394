//! What waits on the desk until somebody has heard of it: matches for their players, a referee's
//! queue for the referee.

use agon_proto::{MatchId, RefereeId, RoundId, Timestamp};

use super::{Assignments, Job, Place, Wake};
use crate::Seat;

impl Assignments {
    /// That referee is told of the round; until it has heard it gets nothing.
    pub(crate) fn announce_to(&mut self, referee: RefereeId) {
        self.set_unheard(referee, true);
    }

    /// The same for one that is told alone, and is waited for until then.
    pub(crate) fn announce_alone_to(&mut self, referee: RefereeId, until: Timestamp) {
        self.set_unheard(referee, true);
        self.line(referee).alone = Some(until);
        self.set_timer((until, Wake::Alone(referee)));
    }

    /// A player has come back and is told again of its match. If that is not under way yet, it
    /// waits for that until then, but only once.
    pub(crate) fn returned(&mut self, id: MatchId, seat: Seat, until: Timestamp) {
        let waits = |job: &Job| matches!(job.place, Place::Unheard | Place::Waiting);
        let Some(job) = self.job(id).filter(|job| waits(job) && !job.returned[seat.index()]) else {
            return;
        };
        (job.returned[seat.index()], job.unheard[seat.index()]) = (true, true);
        self.leave(id, Place::Unheard);
        self.wait(id, until);
    }

    /// That referee has heard of that round, or could not.
    pub(crate) fn referee_heard(&mut self, referee: RefereeId, round: RoundId) {
        if round == self.round {
            self.set_unheard(referee, false);
        }
    }

    pub(super) fn set_unheard(&mut self, referee: RefereeId, unheard: bool) {
        let line = self.line(referee);
        line.alone = None;
        let before = std::mem::replace(&mut line.unheard, unheard);
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
        let referee = job.referee;
        self.leave(id, Place::Waiting);
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

    /// The matches of which everybody was told with the round, and somebody has not heard.
    pub(crate) fn unheard_with_all(&self) -> Vec<MatchId> {
        self.those(|job| job.place == Place::Unheard && job.due.is_none())
    }

    /// Whoever was told with everybody is waited for no longer.
    pub(crate) fn all_heard(&mut self) {
        for id in self.unheard_with_all() {
            self.heard_by_both(id);
        }
        for line in self.lines.iter_mut().filter(|line| line.alone.is_none()) {
            self.unheard -= u32::from(std::mem::take(&mut line.unheard));
        }
    }

    /// Nobody is waited for any longer before that match may be given out: to this referee.
    pub(crate) fn heard_by_both(&mut self, id: MatchId) -> Option<RefereeId> {
        Seat::BOTH.into_iter().find_map(|seat| self.player_heard(id, seat))
    }

    /// Whether somebody has not heard what it must hear first.
    pub(crate) fn is_unheard(&self) -> bool {
        self.unheard > 0
    }
}
