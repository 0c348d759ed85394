//! A league made of the journal alone is the one that lives.

use crate::audit::{Books, Kept, Sight, hold};

pub(super) fn replay(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Rests(manager) = sight else { return Ok(()) };
    let [live, replayed] = [manager.league(), &books.league];
    let states = [live.state(), replayed.state()];
    let [state, again] = &states;
    hold(state == again, || format!("state {state:?} is replayed as {again:?}"))?;
    let same_table = live.table(usize::MAX) == replayed.table(usize::MAX);
    hold(same_table, || "the table is replayed as another one")?;
    for id in live.season().ids() {
        let [one, other] = [live, replayed].map(|league| {
            let record = league.season().result(id).copied();
            let state = league.match_state(id);
            let state = state.map(|state| (state.attempt, state.referee_id, state.result));
            (record, state)
        });
        hold(one == other, || format!("{id} is {one:?} and is replayed as {other:?}"))?;
    }
    Ok(())
}
