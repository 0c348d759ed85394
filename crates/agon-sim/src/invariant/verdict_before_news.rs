//! GAME_OVER leaves only when the manager has that very result in its journal.

use agon_core::Effect;
use agon_proto::ConversationId;
use agon_proto::act::Act;

use crate::audit::{Books, Kept, Sight, hold, wrong};

pub(super) fn verdict_before_news(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Leaves { effect: Effect::Send(outgoing), .. } = sight else { return Ok(()) };
    let Act::GameOver(news) = &outgoing.letter.act else { return Ok(()) };
    let (id, told) = (news.match_id, &news.game_result);
    let ConversationId::Match { attempt, .. } = outgoing.letter.head.conversation_id else {
        return wrong(format!("GAME_OVER of {id}, and of no attempt"));
    };
    let Some(verdict) = books.season.accepted(id, attempt) else {
        return wrong(format!("GAME_OVER of {id}, which has no result"));
    };
    let players = books.fixture(id).map(|fixture| [fixture.a, fixture.b]);
    let winner = verdict.winner().zip(players).map(|(seat, players)| players[seat.index()]);
    let same = told.status == verdict.status()
        && told.winner_player_id == winner
        && told.drawn_number == books.played(id, attempt).drawn_number;
    hold(same, || format!("GAME_OVER of {id} tells {told:?}; the journal says {verdict:?}"))
}
