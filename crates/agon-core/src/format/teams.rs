//! Teams that both play and referee: in every round each team plays, referees, or sits out.
//!
//! The teams sit around a circle and move on by one place after every round, while the tables stay
//! where they are. A table is three places: two players' and a referee's. After as many rounds as
//! there are teams everybody has sat everywhere once: so all are referee, first and second player
//! equally often. The two players' places of the n-th table are n apart, less than half the circle:
//! so two teams meet at one table only, and once on the way around. Around one centre lie the odd
//! distances, one inside the other, around a second one the even ones:
//!
//! ```text
//! place    0  1  2  3 | 4  5  6  7  8 | 9 10 11       twelve teams, four tables
//! table    3  1  1  3 | 4  2 (R) 2  4 | R  R  R       R: referees, the first one in the centre
//! ```
//!
//! Who goes around a second time meets the same teams again, with the seats swapped. A second way
//! around with pairs that are all new would need as many unused distances below half the circle as
//! there are tables, and only five teams have that: theirs are 1 apart first, and 2 apart then.
//! Everything is computed in constant time.
//!
//! Spec: docs/decisions.md

use agon_proto::{MatchId, PlayerId, RefereeId, RoundId};

use super::Fixture;

/// The schedule of `teams` teams, counted from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Teams {
    pub(super) teams: u32,
}

/// Teams at one table.
pub(super) const TABLE: u32 = 3;

/// So many teams have two distances, and one table.
const TWO_WAYS: u32 = 5;

impl Teams {
    const fn matches_per_round(self) -> u32 {
        self.teams / TABLE
    }

    /// After so many rounds two who have met meet again.
    pub(super) const fn lap(self) -> u32 {
        if self.teams == TWO_WAYS { 2 * self.teams } else { self.teams }
    }

    /// The fixture of that match, which there is.
    pub(super) fn fixture(self, id: MatchId) -> Fixture {
        let seats = self.seats(id.number, id.round);
        let [a, b] = seats.map(|place| PlayerId::new(self.team_at(place, id.round)));
        let swapped = (id.round - 1) / self.lap() % 2 == 1;
        if swapped { Fixture { a: b, b: a } } else { Fixture { a, b } }
    }

    /// Who referees that match. A team's referee has the team's number.
    pub(super) fn referee_of(self, id: MatchId) -> RefereeId {
        let place = match id.number {
            1 if self.is_second_way(id.round) => 1,
            1 => self.centre(),
            number => 2 * self.matches_per_round() + number - 1,
        };
        RefereeId::new(self.team_at(place, id.round))
    }

    /// The number of the match that this team plays in that round; `None` if it referees or sits
    /// out.
    pub(super) fn match_of(self, team: u32, round: RoundId) -> Option<u32> {
        let place = (team + self.teams - (round - 1) % self.teams) % self.teams;
        if self.is_second_way(round) {
            matches!(place, 0 | 2).then_some(1)
        } else {
            self.table_at(place)
        }
    }

    /// The first match in which two different teams meet, if they do.
    pub(super) fn meeting(self, one: u32, other: u32) -> Option<MatchId> {
        let ahead = (other + self.teams - one) % self.teams;
        // Whoever has the shorter way to the other sits on the first place.
        let (behind, distance) =
            if ahead <= self.teams - ahead { (one, ahead) } else { (other, self.teams - ahead) };
        let (number, way) = match distance {
            2 if self.teams == TWO_WAYS => (1, self.teams),
            distance => (distance, 0),
        };
        if number > self.matches_per_round() {
            return None;
        }
        let [first, _] = self.seats(number, way + 1);
        let round = way + (behind + self.teams - first) % self.teams + 1;
        Some(MatchId::new(round, number))
    }

    /// The players' places at that table in that round.
    const fn seats(self, number: u32, round: RoundId) -> [u32; 2] {
        if self.is_second_way(round) {
            return [0, 2];
        }
        let (odd, centre) = (self.odd(), self.centre());
        match number % 2 {
            1 => [odd - 1 - number / 2, odd + number / 2],
            _ => [centre - number / 2, centre + number / 2],
        }
    }

    /// The table at which that place is a player's.
    fn table_at(self, place: u32) -> Option<u32> {
        let (odd, centre) = (self.odd(), self.centre());
        if place < 2 * odd {
            let inner = if place < odd { odd - 1 - place } else { place - odd };
            return Some(2 * inner + 1);
        }
        let even = place.abs_diff(centre);
        (even > 0 && place <= 2 * self.matches_per_round()).then_some(2 * even)
    }

    /// Tables whose places are an odd number apart.
    const fn odd(self) -> u32 {
        self.matches_per_round().div_ceil(2)
    }

    /// The place around which the others lie.
    const fn centre(self) -> u32 {
        2 * self.odd() + self.matches_per_round() / 2
    }

    /// Whether the one table of five teams stands the other way in that round.
    const fn is_second_way(self, round: RoundId) -> bool {
        self.teams == TWO_WAYS && (round - 1) / self.teams % 2 == 1
    }

    /// Which team sits there, counted from 1.
    const fn team_at(self, place: u32, round: RoundId) -> u32 {
        (place + (round - 1) % self.teams) % self.teams + 1
    }
}

#[cfg(test)]
mod tests;
