//! Promises about what people are shown: the manager's log and the table say what the journal says.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use agon_core::format::Fixture;
use agon_core::{OutcomePoints, Seat, TieBreaker};
use agon_proto::message::StandingsRow;
use agon_proto::tool::PlayedResult;
use agon_proto::{MatchId, PlayerId, RefereeId};
use serde::Deserialize;

use super::players::result_of;
use super::{Books, Finding, FindingKind, Kept, Promise, Sight, all_wrong, hold};

/// A result that the manager's log called accepted, as its line says it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Told {
    pub match_id: MatchId,
    pub attempt: u32,
    pub referee: RefereeId,
    pub status: String,
    pub cause: String,
}

/// What the manager's log has called accepted is what counts, and was called so once in all lives
/// of the manager.
pub(super) fn only_what_counts_is_told() -> Promise {
    let mut matches = BTreeSet::new();
    Box::new(move |sight, books| {
        let Sight::Told(told) = sight else { return Ok(()) };
        let id = told.match_id;
        hold(matches.insert(id), || {
            let what = format!("the manager accepted it once more: {told:?}");
            Finding::about(FindingKind::Duplicated, id, what)
        })?;
        let kept = books.season.accepted.get(&(id, told.attempt));
        let same = kept.is_some_and(|kept| {
            kept.referee == told.referee
                && kept.verdict.status().as_str() == told.status
                && kept.verdict.cause.as_str() == told.cause
        });
        hold(same, || {
            let what = format!("the manager's log has {told:?}, its journal {kept:?}");
            Finding::about(FindingKind::Lost, id, what)
        })
    })
}

/// Played, won, drawn, lost, points.
type Sums = [u32; 5];

/// What the league has to pay is known from elsewhere, or by its own settings.
pub(super) fn standings_are_a_fold(points: Option<OutcomePoints>) -> Promise {
    Box::new(move |sight, books| {
        let Sight::Table(rows) = sight else { return Ok(()) };
        let sums = add_up(points, books);
        let is_whole = is_whole(rows, sums.len(), &books.league.settings().tie_breakers);
        let rows = rows.iter().flat_map(|row| is_sum(row, &sums).err());
        all_wrong(is_whole.err().into_iter().chain(rows).flatten())
    })
}

/// Everybody has a row, and the best one is the first.
fn is_whole(rows: &[StandingsRow], players: usize, criteria: &[TieBreaker]) -> Kept {
    let count = rows.len();
    hold(count == players, || format!("{count} rows for {players} players"))?;
    let places = rows.iter().map(|row| (Reverse(worth(row, criteria)), row.rank));
    let best_first = places.is_sorted_by(|(one, rank), (other, next)| one <= other && rank <= next);
    hold(best_first, || "the table is not in order")
}

fn is_sum(row: &StandingsRow, sums: &BTreeMap<PlayerId, Sums>) -> Kept {
    let shown = [row.played, row.wins, row.draws, row.losses, row.points];
    let added = sums.get(&row.player_id).copied().unwrap_or_default();
    hold(shown == added, || {
        let fault = match shown[0].cmp(&added[0]) {
            Ordering::Less => FindingKind::Lost,
            Ordering::Equal => FindingKind::Wrong,
            Ordering::Greater => FindingKind::Duplicated,
        };
        let player = row.player_id;
        let what = format!("{player} has {shown:?}, its results add up to {added:?}");
        Finding::general(fault, what)
    })
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

/// Every result once.
fn add_up(points: Option<OutcomePoints>, books: &Books) -> BTreeMap<PlayerId, Sums> {
    let settings = books.league.settings();
    // Where a game is judged, play itself is worth something, and only the verdict says what.
    let scoring = points.unwrap_or(settings.scoring);
    let by_outcome = !settings.game.info().is_judged();
    let players = books.league.player_ids();
    let mut sums: BTreeMap<_, _> = players.into_iter().map(|id| (id, Sums::default())).collect();
    for (id, entry) in &books.season.matches {
        let (Some(Fixture { a, b }), Some(verdict)) = (books.fixture(*id), entry.verdict) else {
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
