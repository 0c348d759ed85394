//! The table: a fold of accepted results, never edited.
//!
//! A result costs O(log n): the rows are kept ordered by the first criterion. The further criteria
//! are looked at when the table is read, and only among those who are level. Who cannot be
//! separated shares a rank.
//!
//! Spec: docs/decisions.md

use std::cmp::Reverse;
use std::collections::BTreeSet;

use agon_proto::PlayerId;

use crate::league::Lineup;
use crate::season::Season;
use crate::settings::TieBreaker;
use crate::verdict::{Outcome, Seat, Verdict};

/// One player's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Row {
    pub played: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub technical_losses: u32,
    pub points: u32,
}

/// All records, best first.
#[derive(Debug, Default)]
pub struct Standings {
    /// By the player's number. Who takes no part has one as well, and is in no order.
    rows: Vec<Row>,
    order: BTreeSet<Standing>,
    criteria: Vec<TieBreaker>,
}

/// What a player is worth by the first criterion, and who it is: the best one first. One number,
/// because every result compares some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Standing(u64);

impl Standing {
    fn new(value: u32, player: PlayerId) -> Self {
        Self(u64::from(u32::MAX - value) << 32 | u64::from(player.number()))
    }

    /// The same for everybody who is level.
    const fn level(self) -> u64 {
        self.0 >> 32
    }

    const fn player(self) -> PlayerId {
        PlayerId::new(self.0 as u32)
    }
}

impl Standings {
    pub(crate) fn new(lineup: &Lineup, criteria: &[TieBreaker]) -> Self {
        let places = (1..=lineup.players()).map(PlayerId::new);
        let players = places.map(|place| lineup.player(place));
        let last = players.clone().next_back().map_or(0, PlayerId::number);
        let rows = vec![Row::default(); last as usize];
        let mut table = Self { rows, order: BTreeSet::new(), criteria: criteria.to_vec() };
        // Not always 0: nobody has a technical loss yet, and that is worth the most.
        let value = value(&Row::default(), table.first_criterion());
        table.order = players.map(|player| Standing::new(value, player)).collect();
        table
    }

    pub fn row(&self, player: PlayerId) -> Row {
        let place = (player.number() as usize).checked_sub(1);
        place.and_then(|place| self.rows.get(place)).copied().unwrap_or_default()
    }

    /// Counts one result.
    pub(crate) fn count(&mut self, players: [PlayerId; 2], verdict: &Verdict) {
        self.add(players, verdict, 1);
    }

    /// Takes back one result that was counted.
    pub(crate) fn discount(&mut self, players: [PlayerId; 2], verdict: &Verdict) {
        self.add(players, verdict, -1);
    }

    fn add(&mut self, players: [PlayerId; 2], verdict: &Verdict, sign: i32) {
        for seat in Seat::BOTH {
            let player = players[seat.index()];
            let first = self.first_criterion();
            let row = &mut self.rows[player.number() as usize - 1];
            let before = value(row, first);
            row.add(seat, verdict.outcome, verdict.points[seat.index()], sign);
            let after = value(row, first);
            if before != after {
                self.order.remove(&Standing::new(before, player));
                self.order.insert(Standing::new(after, player));
            }
        }
    }

    fn first_criterion(&self) -> TieBreaker {
        self.criteria.first().copied().unwrap_or(TieBreaker::Points)
    }

    /// The best `limit` players with their ranks, ties resolved.
    pub(crate) fn top(&self, limit: usize, season: &Season) -> Vec<(u32, PlayerId)> {
        let mut ranked = Vec::with_capacity(limit.min(self.rows.len()));
        let mut level: Vec<PlayerId> = Vec::new();
        let mut current = None;
        for standing in &self.order {
            if current != Some(standing.level()) {
                self.rank_level(&mut level, self.further(), season, &mut ranked);
                level.clear();
                if ranked.len() >= limit {
                    break;
                }
                current = Some(standing.level());
            }
            level.push(standing.player());
        }
        self.rank_level(&mut level, self.further(), season, &mut ranked);
        ranked.truncate(limit);
        ranked
    }

    /// The rank of one player. Costs as much as the table down to it.
    pub(crate) fn rank(&self, player: PlayerId, season: &Season) -> u32 {
        let value = value(&self.row(player), self.first_criterion());
        let first = Standing::new(value, PlayerId::new(0));
        let better = self.order.range(..first).count();
        let level = self.order.range(first..).copied();
        let level = level.take_while(|other| other.level() == first.level()).map(Standing::player);
        let mut ranked = Vec::new();
        self.rank_level(&mut level.collect::<Vec<_>>(), self.further(), season, &mut ranked);
        let place = ranked.iter().find(|(_, id)| *id == player).map_or(1, |(rank, _)| *rank);
        u32::try_from(better).unwrap_or(u32::MAX).saturating_add(place)
    }

    /// The criteria by which the rows are not ordered yet. The first one only counts among them if
    /// it needs a group to look at.
    fn further(&self) -> &[TieBreaker] {
        match self.criteria.split_first() {
            Some((TieBreaker::HeadToHead, _)) | None => &self.criteria,
            Some((_, further)) => further,
        }
    }

    /// Ranks players who are level so far by the criteria that remain, and adds them to `ranked`.
    fn rank_level(
        &self,
        level: &mut [PlayerId],
        criteria: &[TieBreaker],
        season: &Season,
        ranked: &mut Vec<(u32, PlayerId)>,
    ) {
        let (by, further) = match (criteria, &*level) {
            ([by, further @ ..], [_, _, ..]) => (*by, further),
            _ => {
                let rank = u32::try_from(ranked.len() + 1).unwrap_or(u32::MAX);
                return ranked.extend(level.iter().map(|player| (rank, *player)));
            }
        };
        if by != TieBreaker::HeadToHead {
            let worth = |player: &PlayerId| value(&self.row(*player), by);
            level.sort_by_key(|player| Reverse(worth(player))); // Who is level keeps its place.
            for group in level.chunk_by_mut(|one, other| worth(one) == worth(other)) {
                self.rank_level(group, further, season, ranked);
            }
            return;
        }
        let points = season.points_among(level).into_iter();
        let mut valued: Vec<(u32, PlayerId)> = points.zip(level.iter().copied()).collect();
        valued.sort_by_key(|(value, _)| Reverse(*value));
        let mut rest = level;
        for part in valued.chunk_by(|one, other| one.0 == other.0) {
            let (group, others) = rest.split_at_mut(part.len());
            for (place, (_, player)) in group.iter_mut().zip(part) {
                *place = *player;
            }
            self.rank_level(group, further, season, ranked);
            rest = others;
        }
    }
}

/// The larger, the better.
const fn value(row: &Row, by: TieBreaker) -> u32 {
    match by {
        TieBreaker::Points => row.points,
        TieBreaker::Wins => row.wins,
        TieBreaker::Draws => row.draws,
        TieBreaker::HeadToHead => 0,
        TieBreaker::FewerTechnicalLosses => u32::MAX - row.technical_losses,
    }
}

impl Row {
    /// Counts a result (`sign` is 1) or takes it back (-1).
    fn add(&mut self, seat: Seat, outcome: Outcome, points: u32, sign: i32) {
        let count = |sum: &mut u32, by: u32| {
            let counted = if sign > 0 { sum.checked_add(by) } else { sum.checked_sub(by) };
            *sum = counted.expect("nothing is taken back that was not counted");
        };
        count(&mut self.points, points);
        let counted = match outcome {
            Outcome::Won(winner) if winner == seat => &mut self.wins,
            Outcome::Won(_) => &mut self.losses,
            Outcome::Drawn => &mut self.draws,
            Outcome::Forfeited(loser) if loser != seat => &mut self.wins,
            Outcome::Forfeited(_) | Outcome::BothForfeited => {
                count(&mut self.technical_losses, 1);
                &mut self.losses
            }
            // A cancelled match is no match of anybody's record.
            Outcome::Cancelled | Outcome::Void => return,
        };
        count(counted, 1);
        count(&mut self.played, 1);
    }
}

#[cfg(test)]
mod tests;
