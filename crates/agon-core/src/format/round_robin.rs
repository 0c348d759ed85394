//! Round robin by the circle method: everybody meets everybody once, nobody plays twice in a round.
//!
//! P01 sits still and meets P(r+1) in round r; the others turn around it. Match 1 is P01's. With an
//! odd number of players the seat that is left empty gives its opponent a bye. The lower id is A in
//! round 1 and the higher one afterwards, as in the course's table for four players. Every answer
//! is computed in constant time. More rounds than everybody needs to meet everybody begin again,
//! each time with the seats swapped.
//!
//! Spec: docs/decisions.md

use agon_proto::{MatchId, PlayerId, RoundId};

use super::Fixture;

/// The schedule of `players` players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundRobin {
    players: u32,
    rounds: u32,
}

impl RoundRobin {
    /// Everybody meets everybody once.
    pub const fn new(players: u32) -> Self {
        Self::laps(players, 1)
    }

    /// Everybody meets everybody so many times.
    pub const fn laps(players: u32, laps: u32) -> Self {
        let once = Self { players, rounds: 0 };
        once.with_rounds(once.lap().saturating_mul(laps))
    }

    /// The same with so many rounds.
    pub(super) const fn with_rounds(self, rounds: u32) -> Self {
        let rounds = if self.players < 2 { 0 } else { rounds };
        Self { rounds, ..self }
    }

    pub(super) const fn players(self) -> u32 {
        self.players
    }

    pub(super) const fn rounds(self) -> u32 {
        self.rounds
    }

    /// After so many rounds everybody has met everybody.
    pub(super) const fn lap(self) -> u32 {
        self.circle()
    }

    pub(super) const fn matches_per_round(self) -> u32 {
        self.players / 2
    }

    /// Seats that turn: all but P01's, and the empty one if the number is odd.
    const fn circle(self) -> u32 {
        if self.players < 2 { 1 } else { (self.players - 1) | 1 }
    }

    /// The fixture of that match.
    pub(super) fn fixture(self, id: MatchId) -> Option<Fixture> {
        let exists = (1..=self.rounds()).contains(&id.round)
            && (1..=self.matches_per_round()).contains(&id.number);
        if !exists {
            return None;
        }
        let (lap, round) = match id.round <= self.lap() {
            true => (0, id.round), // The usual case, without a division.
            false => ((id.round - 1) / self.lap(), on_circle(id.round, self.lap())),
        };
        // The pair with the empty seat has no match: later pairs move up by one.
        let pair = match self.empty_pair(round) {
            Some(empty) if id.number > empty => id.number,
            Some(_) | None => id.number - 1,
        };
        let (one, other) = self.pair(round, pair);
        let (low, high) = (one.min(other), one.max(other));
        let (a, b) = if (round == 1) == (lap % 2 == 0) { (low, high) } else { (high, low) };
        Some(Fixture { a: PlayerId::new(a + 1), b: PlayerId::new(b + 1) })
    }

    /// The match of that player in that round; `None` is a bye.
    pub(super) fn match_of(self, player: PlayerId, round: RoundId) -> Option<MatchId> {
        let seat = player.number().checked_sub(1).filter(|&seat| seat < self.players)?;
        if !(1..=self.rounds()).contains(&round) {
            return None;
        }
        let pair = self.pair_of(seat, round);
        match self.empty_pair(round) {
            Some(empty) if pair == empty => None,
            Some(empty) if pair > empty => Some(MatchId::new(round, pair)),
            Some(_) | None => Some(MatchId::new(round, pair + 1)),
        }
    }

    /// The first match in which these two meet, if the season is long enough.
    pub(super) fn meeting(self, one: PlayerId, other: PlayerId) -> Option<MatchId> {
        let seat = |player: PlayerId| player.number().checked_sub(1);
        let (one_seat, other_seat) = (seat(one)?, seat(other)?);
        if one_seat == other_seat || one_seat.max(other_seat) >= self.players {
            return None;
        }
        // P01 meets P(r+1) in round r. Two others sit at r + pair and r - pair, so that r is half
        // their sum; on a circle of odd length every number has one half.
        let round = match (one_seat, other_seat) {
            (0, seat) | (seat, 0) => seat,
            (one, other) => {
                let circle = u64::from(self.circle());
                let sum = u64::from(one) + u64::from(other);
                let half = sum * circle.div_ceil(2) % circle;
                u32::try_from(if half == 0 { circle } else { half }).ok()?
            }
        };
        self.match_of(one, round)
    }

    /// The two seats of that pair, counted from 0. Seats are counted from 0 too; P01's is 0.
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
