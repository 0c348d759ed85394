//! GAME_OVER leaves only when the manager has that very result in its journal.

use agon_core::Effect;
use agon_proto::{ConversationId, Message};

use crate::audit::{Books, Finding, Promise, Sight};

#[derive(Default)]
pub(super) struct VerdictBeforeNews;

impl Promise for VerdictBeforeNews {
    fn name(&self) -> &'static str {
        "verdict-before-news"
    }

    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
        let Sight::Leaves { effect: Effect::Send(outgoing), .. } = sight else {
            return Ok(());
        };
        let Message::GameOver(news) = &outgoing.letter.message else {
            return Ok(());
        };
        let id = news.match_id;
        let ConversationId::Match { attempt, .. } = outgoing.letter.conversation_id else {
            return Err(format!("GAME_OVER of {id}, and of no attempt").into());
        };
        let Some(verdict) = books.season.accepted(id, attempt) else {
            return Err(format!("GAME_OVER of {id}, which has no result").into());
        };
        let told = &news.game_result;
        let fixture = books.fixture(id);
        let winner = fixture.and_then(|fixture| {
            let seat = verdict.winner()?;
            Some([fixture.a, fixture.b][seat.index()])
        });
        let same = told.status == verdict.status()
            && told.winner_player_id == winner
            && told.drawn_number == books.played(id, attempt).drawn_number;
        if same {
            Ok(())
        } else {
            Err(format!("GAME_OVER of {id} tells {told:?}; the journal says {verdict:?}").into())
        }
    }
}
