//! Whoever was told that it is in is in.

use agon_proto::AgentId;

use super::{Books, Kept, Sight, all_wrong};

pub(super) fn let_in(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Paused = sight else { return Ok(()) };
    let Books { league, referees, players, .. } = books;
    let referees = referees.values().filter_map(|book| book.id);
    let referees = referees.filter(|id| league.referee(*id).is_none()).map(AgentId::Referee);
    let players = players.values().filter_map(|book| book.id);
    let players = players.filter(|id| league.player(*id).is_none()).map(AgentId::Player);
    let what = |id| format!("{id:?} was let in, and the manager's journal does not know it");
    all_wrong(referees.chain(players).map(what))
}
