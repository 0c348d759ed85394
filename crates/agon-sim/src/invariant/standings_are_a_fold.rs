//! The table is what the results in the journal add up to, and nothing else.

use std::collections::BTreeMap;

use agon_core::{Outcome, Seat};
use agon_proto::PlayerId;

use super::{Invariant, Sight};
use crate::league::POINTS;
use crate::ledger::Ledger;

#[derive(Default)]
pub(super) struct StandingsAreAFold;

/// Played, won, drawn, lost, points.
type Row = [u32; 5];

impl Invariant for StandingsAreAFold {
    fn name(&self) -> &'static str {
        "standings-are-a-fold"
    }

    fn see(&mut self, sight: &Sight<'_>, ledger: &Ledger) -> Result<(), String> {
        let Sight::Compared { live, .. } = sight else {
            return Ok(());
        };
        let rows = add_up(ledger);
        let table = live.league().table(usize::MAX);
        if table.len() != rows.len() {
            return Err(format!("{} rows for {} players", table.len(), rows.len()));
        }
        for row in &table {
            let told = [row.played, row.wins, row.draws, row.losses, row.points];
            let known = rows.get(&row.player_id);
            if known != Some(&told) {
                let id = row.player_id;
                return Err(format!("{id} has {told:?} and the journal says {known:?}"));
            }
        }
        let best_first = table
            .windows(2)
            .all(|two| two[0].points >= two[1].points && two[0].rank <= two[1].rank);
        if best_first { Ok(()) } else { Err("the table is not in order".into()) }
    }
}

fn add_up(ledger: &Ledger) -> BTreeMap<PlayerId, Row> {
    let players = (1..=ledger.paper.players()).map(PlayerId::new);
    let mut rows: BTreeMap<PlayerId, Row> = players.map(|id| (id, Row::default())).collect();
    for (id, entry) in &ledger.matches {
        let (Some(fixture), Some(verdict)) = (ledger.paper.fixture(*id), entry.verdict) else {
            continue;
        };
        for (seat, player) in [(Seat::A, fixture.a), (Seat::B, fixture.b)] {
            let row = rows.entry(player).or_default();
            let (place, points) = match verdict.outcome {
                Outcome::Won(winner) if winner == seat => (1, POINTS.win),
                Outcome::Won(_) => (3, POINTS.loss),
                Outcome::Drawn => (2, POINTS.draw),
                Outcome::Forfeited(loser) if loser != seat => (1, POINTS.win),
                Outcome::Forfeited(_) | Outcome::BothForfeited => (3, POINTS.technical_loss),
                Outcome::Cancelled | Outcome::Void => continue,
            };
            row[0] += 1;
            row[place] += 1;
            row[4] += points;
        }
    }
    rows
}
