//! The table: a fold of accepted results, never edited.
//!
//! A result costs next to nothing: the table is sorted when it is read. The further criteria are
//! looked at only among those who are level. Who cannot be separated shares a rank.
//!
//! Spec: docs/decisions.md

use agon_proto::PlayerId;

use crate::format::Lineup;
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

/// All records.
#[derive(Debug, Default)]
pub struct Standings {
    /// By the player's number. Who takes no part has one as well, and is in no table.
    rows: Vec<Row>,
    criteria: Vec<TieBreaker>,
}

/// What a player is worth by one criterion or several, and who it is: the best one first, and who
/// is level in the order of their numbers. One number, because a table compares many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Standing(u128);

/// So many criteria fit into a standing.
const AT_ONCE_MAX: usize = 3;

impl Standing {
    fn new(values: impl Iterator<Item = u32>, player: PlayerId) -> Self {
        let worth = values.fold(0, |worth, value| worth << 32 | u128::from(u32::MAX - value));
        Self(worth << 32 | u128::from(player.number()))
    }

    /// The same for everybody who is level.
    const fn level(self) -> u128 {
        self.0 >> 32
    }

    const fn player(self) -> PlayerId {
        PlayerId::new(self.0 as u32)
    }
}

impl Standings {
    pub(crate) fn new(lineup: &Lineup, criteria: &[TieBreaker]) -> Self {
        let last = lineup.player_ids().next_back().map_or(0, PlayerId::number);
        let criteria = if criteria.is_empty() { &[TieBreaker::Points] } else { criteria };
        Self { rows: vec![Row::default(); last as usize], criteria: criteria.to_vec() }
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
            let row = &mut self.rows[players[seat.index()].number() as usize - 1];
            row.add(seat, verdict.outcome, verdict.points[seat.index()], sign);
        }
    }

    /// The best `limit` players with their ranks, ties resolved.
    pub(crate) fn top(&self, limit: usize, season: &Season) -> Vec<(u32, PlayerId)> {
        let mut all = Vec::with_capacity(self.rows.len());
        let (by, _) = at_once(&self.criteria);
        all.extend(season.lineup.player_ids().map(|player| self.standing(player, by)));
        if limit > 0 && limit < all.len() {
            // In a large league only those are sorted who may be among the best.
            let last = all.clone().select_nth_unstable(limit - 1).1.level();
            all.retain(|standing| standing.level() <= last);
        }
        let mut ranked = Vec::with_capacity(all.len());
        self.rank_level(&mut all, &self.criteria, season, &mut ranked);
        ranked.truncate(limit);
        ranked
    }

    /// The rank of one player. Looks at everybody, and compares those who are level.
    pub(crate) fn rank(&self, player: PlayerId, season: &Season) -> u32 {
        let (by, _) = at_once(&self.criteria);
        let own = self.standing(player, by).level();
        let all = || season.lineup.player_ids().map(|other| self.standing(other, by));
        let better = all().filter(|other| other.level() < own).count();
        let mut level: Vec<_> = all().filter(|other| other.level() == own).collect();
        let mut ranked = Vec::with_capacity(level.len());
        self.rank_level(&mut level, &self.criteria, season, &mut ranked);
        let place = ranked.iter().find(|(_, id)| *id == player).map_or(1, |(rank, _)| *rank);
        u32::try_from(better).unwrap_or(u32::MAX).saturating_add(place)
    }

    /// What a player is worth by these criteria.
    fn standing(&self, player: PlayerId, by: &[TieBreaker]) -> Standing {
        let row = self.row(player);
        Standing::new(by.iter().map(|by| value(&row, *by)), player)
    }

    /// Ranks players who are level so far by the criteria that remain, and adds them to `ranked`.
    /// They come in the order of their numbers.
    fn rank_level(
        &self,
        level: &mut [Standing],
        criteria: &[TieBreaker],
        season: &Season,
        ranked: &mut Vec<(u32, PlayerId)>,
    ) {
        if criteria.is_empty() || level.len() < 2 {
            let rank = u32::try_from(ranked.len() + 1).unwrap_or(u32::MAX);
            return ranked.extend(level.iter().map(|standing| (rank, standing.player())));
        }
        let (by, further) = at_once(criteria);
        if by == [TieBreaker::HeadToHead] {
            let players: Vec<_> = level.iter().map(|standing| standing.player()).collect();
            let points = season.points_among(&players).into_iter();
            for (standing, (value, player)) in level.iter_mut().zip(points.zip(players)) {
                *standing = Standing::new(std::iter::once(value), player);
            }
        } else {
            for standing in &mut *level {
                *standing = self.standing(standing.player(), by);
            }
        }
        level.sort_unstable();
        for group in level.chunk_by_mut(|one, other| one.level() == other.level()) {
            self.rank_level(group, further, season, ranked);
        }
    }
}

/// The criteria that are looked at first, and those that remain: as many as a player's own record
/// decides and a standing holds, or the one that it does not decide.
fn at_once(criteria: &[TieBreaker]) -> (&[TieBreaker], &[TieBreaker]) {
    let own = criteria.iter().take_while(|by| **by != TieBreaker::HeadToHead).count();
    criteria.split_at(own.clamp(1, AT_ONCE_MAX).min(criteria.len()))
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
