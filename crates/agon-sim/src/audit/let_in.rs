//! Whoever was told that it is in is in.

use agon_proto::AgentId;

use super::{Books, Finding, Promise};

pub(super) struct LetIn;

impl Promise for LetIn {
    fn compare(&self, books: &Books) -> Vec<Finding> {
        let Books { league, referees, players, .. } = books;
        let referees = referees.values().filter(|id| league.referee(**id).is_none());
        let players = players.values().filter(|id| league.player(**id).is_none());
        let strangers = referees.copied().map(AgentId::Referee);
        let strangers = strangers.chain(players.copied().map(AgentId::Player));
        let what = |id| format!("{id:?} was let in, and the manager's journal does not know it");
        strangers.map(|id| what(id).into()).collect()
    }
}
