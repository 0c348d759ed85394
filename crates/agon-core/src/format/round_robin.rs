//! Round robin by the circle method: everybody meets everybody once, nobody plays twice in a round.
//!
//! P01 sits still and meets P(r+1) in round r; the others turn around it. Match 1 is P01's. With an
//! odd number of players the seat that is left empty gives its opponent a bye. The lower id is A in
//! round 1 and the higher one afterwards, as in the course's table for four players. Every answer
//! is computed in constant time. More rounds than everybody needs to meet everybody begin again,
//! each time with the seats swapped.
//!
//! Where referees take turns, each gets as many matches as any other, give or take one, and never
//! the same player's for ever. With fewer referees than matches in a round some have several of
//! them.
//!
//! Spec: docs/decisions.md

use agon_proto::{MatchId, PlayerId, RefereeId, RoundId};

use super::Fixture;

/// The schedule of `players` players. Seats are counted from 0; P01's is 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundRobin {
    pub(super) players: u32,
}

impl RoundRobin {
    /// Seats that turn: all but P01's, and the empty one if the number is odd. After so many rounds
    /// everybody has met everybody.
    pub(super) const fn circle(self) -> u32 {
        if self.players < 2 { 1 } else { (self.players - 1) | 1 }
    }

    /// The fixture of that match, which there is.
    pub(super) fn fixture(self, id: MatchId) -> Fixture {
        let (lap, round) = match id.round <= self.circle() {
            true => (0, id.round), // The usual case, without a division.
            false => ((id.round - 1) / self.circle(), on_circle(id.round, self.circle())),
        };
        // The pair with the empty seat has no match: later pairs move up by one.
        let pair = match self.empty_pair(round) {
            Some(empty) if id.number > empty => id.number,
            Some(_) | None => id.number - 1,
        };
        let (one, other) = self.pair(round, pair);
        let (low, high) = (one.min(other), one.max(other));
        let (a, b) = if (round == 1) == (lap % 2 == 0) { (low, high) } else { (high, low) };
        Fixture { a: PlayerId::new(a + 1), b: PlayerId::new(b + 1) }
    }

    /// Whose turn it is to referee that match, among so many.
    pub(super) fn referee_of(self, id: MatchId, referees: u32) -> RefereeId {
        let (matches, referees) = (u64::from(self.players / 2), u64::from(referees));
        // Counting through all matches is fair; but where a round divides evenly everybody would
        // keep the same number, and match 1 is always the same player's: then each moves on by one.
        let step = if matches.is_multiple_of(referees) { matches + 1 } else { matches };
        let turn = (u64::from(id.round - 1) * step + u64::from(id.number - 1)) % referees;
        RefereeId::new(u32::try_from(turn).expect("there are fewer referees than that") + 1)
    }

    /// The number of the match on that seat in that round; `None` is a bye.
    pub(super) fn match_of(self, seat: u32, round: RoundId) -> Option<u32> {
        let pair = self.pair_of(seat, round);
        match self.empty_pair(round) {
            Some(empty) if pair == empty => None,
            Some(empty) if pair > empty => Some(pair),
            Some(_) | None => Some(pair + 1),
        }
    }

    /// The first match in which two different seats meet, if the season is long enough.
    pub(super) fn meeting(self, one: u32, other: u32) -> Option<MatchId> {
        // P01 meets P(r+1) in round r. Two others sit at r + pair and r - pair, so that r is half
        // their sum; on a circle of odd length every number has one half.
        let round = match (one, other) {
            (0, seat) | (seat, 0) => seat,
            (one, other) => {
                let circle = u64::from(self.circle());
                let sum = u64::from(one) + u64::from(other);
                let half = sum * circle.div_ceil(2) % circle;
                u32::try_from(if half == 0 { circle } else { half }).ok()?
            }
        };
        self.match_of(one, round).map(|number| MatchId::new(round, number))
    }

    /// The two seats of that pair, counted from 0.
    fn pair(self, round: RoundId, pair: u32) -> (u32, u32) {
        let circle = self.circle();
        if pair == 0 {
            return (0, on_circle(round, circle));
        }
        (on_circle(round + pair, circle), on_circle(round + circle - pair, circle))
    }

    fn pair_of(self, seat: u32, round: RoundId) -> u32 {
        let circle = self.circle();
        if seat == 0 {
            return 0;
        }
        let ahead = (seat + circle - round % circle) % circle;
        ahead.min(circle - ahead)
    }

    /// The pair that the empty seat is in.
    fn empty_pair(self, round: RoundId) -> Option<u32> {
        let odd = !self.players.is_multiple_of(2);
        odd.then(|| self.pair_of(self.players, round))
    }
}

/// Seats on the circle are 1 to `circle`.
const fn on_circle(position: u32, circle: u32) -> u32 {
    if position <= circle { position } else { (position - 1) % circle + 1 }
}

#[cfg(test)]
mod tests;
