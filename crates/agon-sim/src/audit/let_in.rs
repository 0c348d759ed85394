//! Whoever was told that it is in is in.

use agon_proto::AgentId;

use super::{Books, Finding, Promise};

pub(super) struct LetIn;

impl Promise for LetIn {
    fn compare(&self, books: &Books) -> Vec<Finding> {
        let Books { league, referees, players, .. } = books;
        let referees = referees.values().filter_map(|book| book.id);
        let referees = referees.filter(|id| league.referee(*id).is_none()).map(AgentId::Referee);
        let players = players.values().filter_map(|book| book.id);
        let players = players.filter(|id| league.player(*id).is_none()).map(AgentId::Player);
        let what = |id| format!("{id:?} was let in, and the manager's journal does not know it");
        referees.chain(players).map(|id| what(id).into()).collect()
    }
}
