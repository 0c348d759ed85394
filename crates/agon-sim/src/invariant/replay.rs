//! A manager made of the journal alone is the manager that lives.

use agon_core::Manager;
use agon_proto::tool::LeagueState;

use super::{Invariant, Sight};
use crate::ledger::Ledger;

#[derive(Default)]
pub(super) struct Replay;

impl Invariant for Replay {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn see(&mut self, sight: &Sight<'_>, ledger: &Ledger) -> Result<(), String> {
        let Sight::Compared { live, replayed } = sight else {
            return Ok(());
        };
        // Who answers at the moment is written down nowhere.
        let state =
            |manager: &Manager| LeagueState { waiting_for_referee: false, ..manager.state() };
        if state(live) != state(replayed) {
            let (live, replayed) = (live.state(), replayed.state());
            return Err(format!("state {live:?} is replayed as {replayed:?}"));
        }
        if live.league().table(usize::MAX) != replayed.league().table(usize::MAX) {
            return Err("the table is replayed as another one".into());
        }
        for id in ledger.paper.ids() {
            let [one, other] = [live, replayed].map(|manager| {
                let record = manager.league().season().result(id).copied();
                let state = manager.league().match_state(id);
                let state = state.map(|state| (state.attempt, state.referee_id, state.result));
                (record, state)
            });
            if one != other {
                return Err(format!("{id} is {one:?} and is replayed as {other:?}"));
            }
        }
        Ok(())
    }
}
