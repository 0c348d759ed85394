//! The table is what the results in the journal add up to, and nothing else.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use agon_core::format::Fixture;
use agon_core::{OutcomePoints, Seat, TieBreaker};
use agon_proto::PlayerId;
use agon_proto::message::StandingsRow;
use agon_proto::tool::PlayedResult;

use super::one_story::result_of;
use super::{Books, Finding, FindingKind, Promise, Sight, hold};

/// Played, won, drawn, lost, points.
type Sums = [u32; 5];

pub(super) struct StandingsAreAFold {
    /// What the league has to pay, if that is known from elsewhere.
    points: Option<OutcomePoints>,
    /// What the results add up to, of the last table.
    sums: BTreeMap<PlayerId, Sums>,
}

impl Promise for StandingsAreAFold {
    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
        if let Sight::Table(rows) = sight {
            self.sums = self.add_up(books);
            let (count, players) = (rows.len(), self.sums.len());
            hold(count == players, || format!("{count} rows for {players} players"))?;
            let criteria = &books.league.settings().tie_breakers;
            let places = rows.iter().map(|row| (Reverse(worth(row, criteria)), row.rank));
            let best_first =
                places.is_sorted_by(|(one, rank), (other, next)| one <= other && rank <= next);
            hold(best_first, || "the table is not in order")?;
        }
        if let Sight::Row(row) = sight {
            let shown = [row.played, row.wins, row.draws, row.losses, row.points];
            let added = self.sums.get(&row.player_id).copied().unwrap_or_default();
            hold(shown == added, || {
                let fault = match shown[0].cmp(&added[0]) {
                    Ordering::Less => FindingKind::Lost,
                    Ordering::Equal => FindingKind::Wrong,
                    Ordering::Greater => FindingKind::Duplicated,
                };
                let player = row.player_id;
                let what = format!("{player} has {shown:?}, its results add up to {added:?}");
                Finding::general(fault, what)
            })?;
        }
        Ok(())
    }
}

/// By what a row stands above another one, as far as the row itself tells.
fn worth(row: &StandingsRow, criteria: &[TieBreaker]) -> Vec<u32> {
    let value = |criterion: &TieBreaker| match criterion {
        TieBreaker::Points => Some(row.points),
        TieBreaker::Wins => Some(row.wins),
        TieBreaker::Draws => Some(row.draws),
        TieBreaker::HeadToHead | TieBreaker::FewerTechnicalLosses => None,
    };
    criteria.iter().map_while(value).collect()
}

impl StandingsAreAFold {
    pub(super) const fn paying(points: Option<OutcomePoints>) -> Self {
        Self { points, sums: BTreeMap::new() }
    }

    /// Every result once.
    fn add_up(&self, books: &Books) -> BTreeMap<PlayerId, Sums> {
        let settings = books.league.settings();
        // Where a game is judged, play itself is worth something, and only the verdict says what.
        let scoring = self.points.unwrap_or(settings.scoring);
        let by_outcome = !settings.game.info().is_judged();
        let players = books.league.player_ids();
        let mut sums: BTreeMap<_, _> = players.map(|id| (id, Sums::default())).collect();
        for (id, entry) in &books.season.matches {
            let (Some(Fixture { a, b }), Some(verdict)) = (books.fixture(*id), entry.verdict)
            else {
                continue;
            };
            let points = if by_outcome { scoring.of(verdict.outcome) } else { verdict.points };
            for (seat, player) in [(Seat::A, a), (Seat::B, b)] {
                let row = sums.entry(player).or_default();
                row[4] += points[seat.index()];
                let place = match result_of(&verdict, seat) {
                    PlayedResult::Win => 1,
                    PlayedResult::Draw => 2,
                    PlayedResult::Loss => 3,
                    // A match that was cancelled counts for nobody.
                    PlayedResult::Cancelled => continue,
                };
                row[0] += 1;
                row[place] += 1;
            }
        }
        sums
    }
}
