//! PlayerStandings: how we stand, for our program to use.
//!
//! Our own scores count at once. The league's table counts for every round up to its own; what we
//! played since is added to it.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{RoundWinner, StandingRow, Worth};
use agon_proto::known::{PlayerStandings, RoundResult};
use agon_proto::{GameId, SeasonId};

use crate::agent::Agent;

/// What we know of our place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Standings {
    history: Vec<RoundResult>,
    /// Our row of the newest table, and the round after which it was made.
    told: Option<(u32, StandingRow)>,
}

impl Standings {
    /// A game came to its end. It counts once.
    pub(super) fn add(&mut self, game: &GameId, round_number: u32, score: &Worth) {
        if self.knows(game) {
            return;
        }
        let Worth { league_points, private_score, .. } = *score;
        let game = game.clone();
        let won = None;
        self.history.push(RoundResult { game, round_number, league_points, private_score, won });
    }

    pub(super) fn knows(&self, game: &GameId) -> bool {
        self.history.iter().any(|played| played.game == *game)
    }

    /// The league's table after that round; without a round it is the last one. An older table than
    /// the one that we know changes nothing.
    pub(super) fn rank(&mut self, round: Option<u32>, row: Option<&StandingRow>) {
        let round = round.unwrap_or(u32::MAX);
        let is_newer = self.told.as_ref().is_none_or(|(known, _)| *known <= round);
        if let Some(row) = row.filter(|_| is_newer) {
            self.told = Some((round, row.clone()));
        }
    }

    /// Who won which game.
    pub(super) fn win(&mut self, me: &Agent, winners: &[RoundWinner]) {
        for RoundWinner { game, winner } in winners {
            let ours = self.history.iter_mut().find(|played| played.game == *game);
            if let Some(played) = ours {
                let is_me = |name: &str| is_me(me, name);
                played.won = Some(winner.as_ref().is_some_and(|group| is_me(group.as_str())));
            }
        }
    }

    /// As our program sees it.
    pub(super) fn shown(&self, season: Option<&SeasonId>, round_number: u32) -> PlayerStandings {
        let (until, row) = match &self.told {
            Some((round, row)) => (*round, Some(row)),
            None => (0, None),
        };
        let since = || self.history.iter().filter(|played| played.round_number > until);
        let played_since = u32::try_from(since().count()).unwrap_or(u32::MAX);
        let points_since: u32 = since().map(|played| played.league_points).sum();
        let won = |played: &&RoundResult| played.won == Some(true);
        let count = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
        let known = count(self.history.len());
        let known_wins = count(self.history.iter().filter(won).count());
        let total = self.history.iter().map(|played| u64::from(played.private_score.hundredths()));
        PlayerStandings {
            season: season.cloned(),
            round_number,
            total_hundredths: total.sum(),
            league_points: row.map_or(0, |row| row.points) + points_since,
            // Some tables leave these out: what we know ourselves is the least that is true.
            games_played: known.max(row.map_or(0, |row| row.played) + played_since),
            games_won: known_wins.max(row.map_or(0, |row| row.won)),
            rank: row.map_or(0, |row| row.rank),
            history: self.history.clone(),
        }
    }
}

/// Our row of a table: by address, or by a name that is our address or our group.
pub(super) fn row_of<'a>(me: &Agent, rows: &'a [StandingRow]) -> Option<&'a StandingRow> {
    let by_address = rows.iter().find(|row| row.address.as_ref() == Some(&me.address));
    by_address.or_else(|| rows.iter().find(|row| is_me(me, row.participant.as_str())))
}

/// Some tables name a participant by its group, some by its address, in whatever case.
fn is_me(me: &Agent, name: &str) -> bool {
    [me.address.as_str(), me.profile.group.as_str()]
        .iter()
        .any(|ours| ours.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests;
