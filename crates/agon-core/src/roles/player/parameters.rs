//! GPRM, the parameters of one game, filled in as letters arrive.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::AssignmentRow;
use agon_proto::{Address, AuthToken, GameId, MatchId, Part, SeasonId};
use serde::{Deserialize, Serialize};

use crate::agent::Agent;

/// One game of ours, as the table has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    pub game: GameId,
    /// Its round and its number there, both read off the game's id.
    pub match_id: MatchId,
    pub my_role: Part,
    pub referee: Option<Address>,
    pub opponent: Option<Address>,
}

impl Assignment {
    /// The games of ours among the rows of a table, each once, in the order of their ids.
    pub(super) fn ours(me: &Agent, rows: &[AssignmentRow]) -> Vec<Self> {
        let mine = rows.iter().filter(|row| row.part != Part::Referee && is_ours(me, row));
        let mut games: Vec<Self> = mine.filter_map(|row| Self::of(row, rows)).collect();
        games.sort_by(|one, other| one.game.cmp(&other.game));
        games.dedup_by(|one, other| one.game == other.game);
        games
    }

    fn of(mine: &AssignmentRow, rows: &[AssignmentRow]) -> Option<Self> {
        let address = |part| {
            let mut others = rows.iter().filter(|row| row.game == mine.game && row.part == part);
            others.find_map(|row| row.address.clone().filter(|address| !address.is_empty()))
        };
        let opposite = if mine.part == Part::Player1 { Part::Player2 } else { Part::Player1 };
        Some(Self {
            game: mine.game.clone(),
            match_id: mine.game.match_id()?,
            my_role: mine.part,
            referee: address(Part::Referee),
            opponent: address(opposite),
        })
    }
}

/// A row is ours by its address or, in tables that name only groups, by our group.
fn is_ours(me: &Agent, row: &AssignmentRow) -> bool {
    match &row.address {
        Some(address) if !address.is_empty() => *address == me.address,
        Some(_) | None => row.group.as_str().eq_ignore_ascii_case(me.profile.group.as_str()),
    }
}

/// All that is known about one game. `match_id` and `game_id` are the same thing.
#[derive(Debug, Clone, PartialEq)]
pub struct GameParameters {
    pub assignment: Assignment,
    pub season: Option<SeasonId>,
    /// The game's token, as the referee has it in the payload: we echo it.
    pub token: Option<Box<str>>,
    /// What proves the referee to us and us to it, where letters travel by call.
    pub shown: Option<AuthToken>,
}

impl GameParameters {
    pub(super) fn new(assignment: Assignment, season: Option<SeasonId>) -> Self {
        Self { assignment, season, token: None, shown: None }
    }
}

#[cfg(test)]
mod tests;
