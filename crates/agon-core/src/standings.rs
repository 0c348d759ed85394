//! The table: a fold of accepted results, never edited.
//!
//! A result costs O(log n): the rows are kept ordered by the first criterion. The further criteria
//! are looked at when the table is read, and only among those who are level. Who cannot be
//! separated shares a rank.
//!
//! Spec: docs/decisions.md

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use agon_proto::PlayerId;

use crate::season::Season;
use crate::settings::TieBreaker;
use crate::verdict::{Outcome, Scoring, Seat};

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
    rows: Vec<Row>,
    order: BTreeSet<(Reverse<u32>, PlayerId)>,
    criteria: Vec<TieBreaker>,
}

impl Standings {
    pub(crate) fn new(players: u32, criteria: &[TieBreaker]) -> Self {
        let rows = vec![Row::default(); players as usize];
        let mut table = Self { rows, order: BTreeSet::new(), criteria: criteria.to_vec() };
        // Not always 0: nobody has a technical loss yet, and that is worth the most.
        let key = Reverse(value(&Row::default(), table.first_criterion()));
        table.order = (1..=players).map(|number| (key, PlayerId::new(number))).collect();
        table
    }

    pub fn row(&self, player: PlayerId) -> Row {
        let place = (player.number() as usize).checked_sub(1);
        place.and_then(|place| self.rows.get(place)).copied().unwrap_or_default()
    }

    /// Counts one result.
    pub(crate) fn count(&mut self, players: [PlayerId; 2], outcome: Outcome, scoring: &Scoring) {
        let points = scoring.points(outcome);
        for seat in Seat::BOTH {
            let player = players[seat.index()];
            let first = self.first_criterion();
            let Some(row) = self.rows.get_mut(player.number() as usize - 1) else {
                continue;
            };
            let before = value(row, first);
            row.count(seat, outcome, points[seat.index()]);
            let after = value(row, first);
            if before != after {
                self.order.remove(&(Reverse(before), player));
                self.order.insert((Reverse(after), player));
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
        for &(key, player) in &self.order {
            if current != Some(key) {
                self.rank_level(std::mem::take(&mut level), season, &mut ranked);
                if ranked.len() >= limit {
                    break;
                }
                current = Some(key);
            }
            level.push(player);
        }
        self.rank_level(level, season, &mut ranked);
        ranked.truncate(limit);
        ranked
    }

    /// The rank of one player. Costs as much as the table down to it.
    pub(crate) fn rank(&self, player: PlayerId, season: &Season) -> u32 {
        let key = Reverse(value(&self.row(player), self.first_criterion()));
        let better = self.order.range(..(key, PlayerId::new(0))).count();
        let level = self.order.range((key, PlayerId::new(0))..);
        let level = level.take_while(|(other, _)| *other == key).map(|(_, id)| *id).collect();
        let mut ranked = Vec::new();
        self.rank_level(level, season, &mut ranked);
        let place = ranked.iter().find(|(_, id)| *id == player).map_or(1, |(rank, _)| *rank);
        u32::try_from(better).unwrap_or(u32::MAX).saturating_add(place)
    }

    /// Ranks players who are level by the first criterion, and adds them to `ranked`.
    fn rank_level(&self, level: Vec<PlayerId>, season: &Season, ranked: &mut Vec<(u32, PlayerId)>) {
        if let [only] = level[..] {
            let rank = u32::try_from(ranked.len() + 1).unwrap_or(u32::MAX);
            return ranked.push((rank, only));
        }
        let mut groups = vec![level];
        // The rows are ordered by the first criterion already, unless it needs a group to look at.
        let ordered = usize::from(self.first_criterion() != TieBreaker::HeadToHead);
        for criterion in self.criteria.iter().skip(ordered) {
            groups = groups
                .into_iter()
                .flat_map(|group| self.split(group, *criterion, season))
                .collect();
        }
        for group in groups {
            let rank = u32::try_from(ranked.len() + 1).unwrap_or(u32::MAX);
            ranked.extend(group.into_iter().map(|player| (rank, player)));
        }
    }

    /// Splits a group of level players by one criterion, best first.
    fn split(&self, group: Vec<PlayerId>, by: TieBreaker, season: &Season) -> Vec<Vec<PlayerId>> {
        if group.len() < 2 {
            return vec![group];
        }
        let direct = match by {
            TieBreaker::HeadToHead => season.points_among(&group),
            TieBreaker::Points
            | TieBreaker::Wins
            | TieBreaker::Draws
            | TieBreaker::FewerTechnicalLosses => BTreeMap::new(),
        };
        let valued = group.into_iter().map(|player| match direct.get(&player) {
            Some(points) => (*points, player),
            None => (value(&self.row(player), by), player),
        });
        let mut valued: Vec<(u32, PlayerId)> = valued.collect();
        valued.sort_by_key(|(value, _)| Reverse(*value)); // Who is level keeps its place.
        let parts = valued.chunk_by(|one, other| one.0 == other.0);
        parts.map(|part| part.iter().map(|(_, player)| *player).collect()).collect()
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
    const fn count(&mut self, seat: Seat, outcome: Outcome, points: u32) {
        self.points += points;
        match outcome {
            Outcome::Won(winner) if winner as u8 == seat as u8 => self.wins += 1,
            Outcome::Won(_) => self.losses += 1,
            Outcome::Drawn => self.draws += 1,
            Outcome::Forfeited(loser) if loser as u8 != seat as u8 => self.wins += 1,
            Outcome::Forfeited(_) | Outcome::BothForfeited => {
                self.losses += 1;
                self.technical_losses += 1;
            }
            // A cancelled match is no match of anybody's record.
            Outcome::Cancelled | Outcome::Void => return,
        }
        self.played += 1;
    }
}

#[cfg(test)]
mod tests;
