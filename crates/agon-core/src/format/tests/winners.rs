//! Winners meet winners, in tests: a format without paper, whose rounds depend on results and are
//! of different sizes.
//!
//! Whoever has lost a match is out; who is left over waits. Where nobody wins, A goes on.

use std::collections::BTreeSet;

use agon_proto::PlayerId;

use crate::format::{Fixture, Fixtures};
use crate::season::Season;
use crate::verdict::Seat;

pub(in crate::format) fn next(season: &Season) -> Option<Fixtures> {
    let lost: BTreeSet<PlayerId> = season
        .ids()
        .filter_map(|id| {
            let Fixture { a, b } = season.fixture(id)?;
            let b_won = season.result(id)?.verdict.winner() == Some(Seat::B);
            Some(if b_won { a } else { b })
        })
        .collect();
    let lineup = &season.lineup;
    let players = (1..=lineup.players()).map(|place| lineup.player(PlayerId::new(place)));
    let left: Vec<_> = players.filter(|player| !lost.contains(player)).collect();
    let pairs = left.chunks_exact(2).map(|two| Fixture { a: two[0], b: two[1] });
    (left.len() > 1).then(|| Fixtures::Listed(pairs.collect()))
}
