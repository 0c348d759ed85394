//! The manager's table, against one that is added up by hand.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use agon_core::{Outcome, Seat};
use agon_proto::PlayerId;
use agon_proto::message::StandingsRow;

use super::{Fault, Finding};
use crate::history::League;

/// What a table says of one player: played, won, drawn, lost, points.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    played: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    points: u32,
}

pub(super) fn check(league: &League, table: &[StandingsRow]) -> Vec<Finding> {
    let fold = fold(league);
    let mut found = Vec::new();
    if table.len() != fold.len() {
        let what = format!("the table has {} rows for {} players", table.len(), fold.len());
        found.push(Finding::general(Fault::Wrong, what));
    }
    for row in table {
        let shown = Tally {
            played: row.played,
            wins: row.wins,
            draws: row.draws,
            losses: row.losses,
            points: row.points,
        };
        let added = fold.get(&row.player_id).copied().unwrap_or_default();
        if shown != added {
            let fault = match shown.played.cmp(&added.played) {
                Ordering::Less => Fault::Lost,
                Ordering::Equal => Fault::Wrong,
                Ordering::Greater => Fault::Duplicated,
            };
            let what = format!("{} has {shown:?}, its results add up to {added:?}", row.player_id);
            found.push(Finding::general(fault, what));
        }
    }
    found
}

/// Every result once.
fn fold(league: &League) -> BTreeMap<PlayerId, Tally> {
    let players =
        (1..=league.paper.players()).map(|number| (PlayerId::new(number), Tally::default()));
    let mut fold: BTreeMap<_, _> = players.collect();
    let schedule = league.paper;
    for &id in league.results.keys() {
        let (Some(fixture), Some(kept)) = (schedule.fixture(id), league.result(id)) else {
            continue;
        };
        let outcome = kept.verdict.outcome;
        let points = league.scoring.map_or([0; 2], |scoring| scoring.of(outcome));
        for (seat, player) in [(Seat::A, fixture.a), (Seat::B, fixture.b)] {
            let tally = fold.entry(player).or_default();
            tally.points += points[seat.index()];
            let won = match outcome {
                Outcome::Won(winner) => Some(winner == seat),
                Outcome::Forfeited(loser) => Some(loser != seat),
                Outcome::BothForfeited => Some(false),
                Outcome::Drawn => None,
                // A match that was cancelled counts for nobody.
                Outcome::Cancelled | Outcome::Void => continue,
            };
            tally.played += 1;
            match won {
                Some(true) => tally.wins += 1,
                Some(false) => tally.losses += 1,
                None => tally.draws += 1,
            }
        }
    }
    fold
}
