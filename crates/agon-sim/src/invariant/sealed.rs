//! Nobody is shown anything of a match's choices before its result is durable.

use agon_core::Effect;
use agon_proto::Answer;
use agon_proto::tool::{MatchState, ToolAnswer};

use crate::audit::{Books, Finding, Sight, hold};

pub(super) fn sealed(sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
    let Sight::Leaves { effect, .. } = sight else { return Ok(()) };
    if let Effect::Fetch { state, .. } = effect {
        return check(state, books);
    }
    if let Effect::Reply { answer: Answer::Tool(ToolAnswer::Match(state)), .. } = effect {
        return check(state, books);
    }
    Ok(())
}

fn check(shown: &MatchState, books: &Books) -> Result<(), Finding> {
    let id = shown.match_id;
    let over = books.season.verdict(id).or(books.season.accepted(id, shown.attempt)).is_some();
    let shows_nothing = shown.result.is_none() && shown.transcript.is_empty();
    hold(over || shows_nothing, || format!("{id} is shown as {shown:?} and has no result yet"))
}
