//! A league made of the journal alone is the one that lives.

use crate::audit::{Books, Finding, Promise, Sight};

#[derive(Default)]
pub(super) struct Replay;

impl Promise for Replay {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
        let Sight::Rests(manager) = sight else { return Ok(()) };
        let [live, replayed] = [manager.league(), &books.league];
        if live.state() != replayed.state() {
            let (live, replayed) = (live.state(), replayed.state());
            return Err(format!("state {live:?} is replayed as {replayed:?}").into());
        }
        if live.table(usize::MAX) != replayed.table(usize::MAX) {
            return Err("the table is replayed as another one".into());
        }
        for id in live.season().ids() {
            let [one, other] = [live, replayed].map(|league| {
                let record = league.season().result(id).copied();
                let state = league.match_state(id);
                let state = state.map(|state| (state.attempt, state.referee_id, state.result));
                (record, state)
            });
            if one != other {
                return Err(format!("{id} is {one:?} and is replayed as {other:?}").into());
            }
        }
        Ok(())
    }
}
