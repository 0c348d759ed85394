//! From the season's table to our own games: three rows for each, found by our own address.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::GameId;
use agon_proto::act::AssignmentRow;
use agon_proto::{Address, Part};

use super::fact::{Entrant, Fixture};

/// Our games, in the order of the table. If nobody can tell its players or its round, it is none.
pub(super) fn fixtures(rows: &[AssignmentRow], us: &Address) -> Vec<Fixture> {
    let ours = |row: &&AssignmentRow| row.part == Part::Referee && row.address.as_ref() == Some(us);
    let mut found: Vec<Fixture> = Vec::new();
    for row in rows.iter().filter(ours) {
        if !found.iter().any(|fixture| fixture.game == row.game) {
            found.extend(fixture(rows, &row.game));
        }
    }
    found
}

fn fixture(rows: &[AssignmentRow], game: &GameId) -> Option<Fixture> {
    let round = game.match_id()?.round;
    let player = |part: Part| {
        let row = rows.iter().find(|row| row.game == *game && row.part == part)?;
        let address = row.address.clone().filter(|address| !address.is_empty())?;
        Some(Entrant { group: row.group.clone(), address, token: row.auth_token.clone() })
    };
    let players = [player(Part::Player1)?, player(Part::Player2)?];
    Some(Fixture { game: game.clone(), round, players })
}
