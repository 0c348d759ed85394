//! Who meets whom in a season: by its paper, or as it was written down when a round was announced.
//! Nobody else knows which of the two, or how many matches a round has.
//!
//! Spec: docs/decisions.md

use agon_proto::{MatchId, PlayerId, RefereeId, RoundId};
use rustc_hash::FxHashMap;

use super::{MatchRecord, Round, Season};
use crate::format::{Fixture, Fixtures, Lineup, Paper, count, numbered};
use crate::verdict::Seat;

impl Fixture {
    /// In the order of their seats.
    pub const fn players(self) -> [PlayerId; 2] {
        [self.a, self.b]
    }

    /// Where that player sits; `None` if it is not in this match.
    pub(crate) fn seat_of(self, player: PlayerId) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.players()[seat.index()] == player)
    }
}

/// Who meets whom in one round. Where paper says it they stand here for the newest round alone,
/// about which everybody asks.
#[derive(Debug, Default)]
pub(super) struct Pairings {
    fixtures: Vec<Fixture>,
    /// The number of each player's match; nothing, where paper says it.
    numbers: FxHashMap<PlayerId, u32>,
}

impl Pairings {
    fn new(fixtures: &[Fixture], lineup: &Lineup) -> Self {
        let mut numbers = FxHashMap::default();
        for (number, fixture) in (1..).zip(fixtures) {
            for player in fixture.players() {
                assert!(lineup.place(player).is_some(), "{player} plays and takes no part");
                assert!(numbers.insert(player, number).is_none(), "{player} plays twice");
            }
        }
        Self { fixtures: fixtures.to_vec(), numbers }
    }
}

impl Season {
    /// How many rounds there are; without paper, how many there have been.
    pub fn rounds(&self) -> u32 {
        self.paper.map_or_else(|| self.round(), Paper::rounds)
    }

    /// How many matches these rounds have.
    pub fn matches(&self) -> u64 {
        let announced = || self.rounds.iter().map(|round| round.results.len() as u64).sum();
        self.paper.map_or_else(announced, Paper::matches)
    }

    /// The matches of that round, in order.
    pub fn matches_in(&self, round: RoundId) -> impl ExactSizeIterator<Item = MatchId> + use<> {
        numbered(round, self.size(round))
    }

    /// Every match of these rounds, in order.
    pub fn ids(&self) -> impl Iterator<Item = MatchId> {
        (1..=self.rounds()).flat_map(|round| self.matches_in(round))
    }

    /// How many matches that round has.
    pub(crate) fn size(&self, round: RoundId) -> u32 {
        let announced = || self.announced(round).map_or(0, |round| count(&round.results));
        self.paper.map_or_else(announced, |paper| paper.size(round))
    }

    /// How many matches the next round has with these fixtures.
    pub(crate) fn size_of(&self, fixtures: &Fixtures) -> u32 {
        match fixtures {
            Fixtures::OnPaper => self.size(self.round() + 1),
            Fixtures::Listed(fixtures) => count(fixtures),
        }
    }

    /// Who plays that match.
    pub fn fixture(&self, id: MatchId) -> Option<Fixture> {
        let place = id.number.checked_sub(1)? as usize;
        let written = self.announced(id.round).and_then(|it| it.pairings.fixtures.get(place));
        written.copied().or_else(|| self.on_paper(id))
    }

    fn on_paper(&self, id: MatchId) -> Option<Fixture> {
        let Fixture { a, b } = self.paper?.fixture(id)?;
        Some(Fixture { a: self.lineup.player(a), b: self.lineup.player(b) })
    }

    /// The match that this player plays in that round; `None` if it plays none.
    pub fn match_of(&self, player: PlayerId, round: RoundId) -> Option<MatchId> {
        let Some(paper) = self.paper else {
            let number = self.announced(round)?.pairings.numbers.get(&player);
            return number.map(|number| MatchId::new(round, *number));
        };
        paper.match_of(self.lineup.place(player)?, round)
    }

    /// The same, and where it sits there.
    pub(crate) fn seat_in(&self, round: RoundId, player: PlayerId) -> Option<(MatchId, Seat)> {
        let id = self.match_of(player, round)?;
        Some((id, self.fixture(id)?.seat_of(player)?))
    }

    /// Where that player sat in its match of that round, and what came of it, if something has.
    pub(crate) fn played_in(
        &self,
        round: RoundId,
        player: PlayerId,
    ) -> Option<(Seat, &MatchRecord)> {
        let (id, seat) = self.seat_in(round, player)?;
        Some((seat, self.result(id)?))
    }

    /// Who referees that match, if that is settled on paper.
    pub(crate) fn referee_of(&self, id: MatchId) -> Option<RefereeId> {
        self.paper?.referee_of(id).map(|place| self.lineup.referee(place))
    }

    /// Points that each of these players has from the matches among themselves. They are in the
    /// order of their numbers.
    pub(crate) fn points_among(&self, group: &[PlayerId]) -> Vec<u32> {
        let mut points = vec![0; group.len()];
        let mut count = |id: MatchId| {
            // Most of them have yet to meet.
            let Some(record) = self.result(id) else { return };
            let Some(fixture) = self.fixture(id) else { return };
            let places = fixture.players().map(|player| group.binary_search(&player));
            if let [Ok(a), Ok(b)] = places {
                points[a] += record.verdict.points[0];
                points[b] += record.verdict.points[1];
            }
        };
        // Whatever is less to look at: the pairs of the group, or the matches that it has had. Only
        // paper says at once where two meet.
        if let Some(paper) = self.paper.filter(|_| group.len() / 2 <= self.rounds.len()) {
            let places = group.iter().filter_map(|player| self.lineup.place(*player));
            let places: Vec<_> = places.collect();
            for (before, &one) in places.iter().enumerate() {
                let others = places[before + 1..].iter();
                others.flat_map(|other| paper.meetings(one, *other)).for_each(&mut count);
            }
        } else {
            for round in 1..=self.round() {
                for &player in group {
                    // Each match is seen from both sides; count it from A's.
                    let id = self.match_of(player, round);
                    let is_a = |id: &MatchId| self.fixture(*id).is_some_and(|it| it.a == player);
                    id.filter(is_a).into_iter().for_each(&mut count);
                }
            }
        }
        points
    }

    /// The pairings of the next round with these fixtures.
    pub(super) fn pair(&self, fixtures: &Fixtures) -> Pairings {
        let on_paper = *fixtures == Fixtures::OnPaper;
        assert_eq!(on_paper, self.paper.is_some(), "all rounds are on paper, or none is");
        match fixtures {
            Fixtures::OnPaper => {
                let ids = self.matches_in(self.round() + 1);
                let fixtures = ids.filter_map(|id| self.on_paper(id)).collect();
                Pairings { fixtures, numbers: FxHashMap::default() }
            }
            Fixtures::Listed(fixtures) => Pairings::new(fixtures, &self.lineup),
        }
    }

    /// The players of a match that was announced. There is no fact about any other.
    pub(super) fn players_of(&self, id: MatchId) -> [PlayerId; 2] {
        let fixture = self.fixture(id).filter(|_| id.round <= self.round());
        fixture.unwrap_or_else(|| panic!("{id} was never announced")).players()
    }

    pub(super) fn announced(&self, round: RoundId) -> Option<&Round> {
        self.rounds.get(round.checked_sub(1)? as usize)
    }
}

#[cfg(test)]
mod tests;
