//! Nobody is shown anything of a match's choices before its result is durable.

use agon_core::Effect;
use agon_proto::Answer;
use agon_proto::tool::ToolAnswer;

use crate::audit::{Books, Kept, Sight, hold};

pub(super) fn sealed(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Leaves { effect, .. } = sight else { return Ok(()) };
    let (Effect::Fetch { state: shown, .. }
    | Effect::Reply { answer: Answer::Tool(ToolAnswer::Match(shown)), .. }) = effect
    else {
        return Ok(());
    };
    let id = shown.match_id;
    let over = books.season.verdict(id).or(books.season.accepted(id, shown.attempt)).is_some();
    let shows_nothing = shown.result.is_none() && shown.transcript.is_empty();
    hold(over || shows_nothing, || format!("{id} is shown as {shown:?} and has no result yet"))
}
