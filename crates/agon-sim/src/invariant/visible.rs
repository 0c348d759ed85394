//! Promises about what leaves a node: nothing before it is durable, no result before its time, no
//! secret ever.

use std::collections::BTreeSet;

use agon_core::letterbox::{LetterboxFact, ParcelId};
use agon_core::{Effect, LeagueFact, TokenHash, What};
use agon_proto::act::Act;
use agon_proto::message::{Cause, stated_move};
use agon_proto::tool::ToolAnswer;
use agon_proto::{Answer, ConversationId, Envelope, MatchId, Receipt, ReceiptStatus};

use crate::audit::{Books, Kept, Promise, Sight, hold, wrong};

/// Nobody sees anything of a batch before its facts are in the journal.
pub(super) fn durable_before_visible() -> Promise {
    let mut durable = Durable::default();
    Box::new(move |sight, books| durable.see(sight, books))
}

/// What is durable, besides what stands in the books.
#[derive(Default)]
struct Durable {
    /// Every token that the manager wrote down.
    tokens: BTreeSet<TokenHash>,
    archived: BTreeSet<MatchId>,
    queued: BTreeSet<(usize, ParcelId)>,
}

impl Durable {
    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Kept {
        if let Some((node, LetterboxFact::Queued(parcel))) = sight.letterbox() {
            self.queued.insert((node, parcel.id));
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is durable or leaves")]
        match sight {
            Sight::LeagueWrote(LeagueFact::Registered(it)) => self.tokens.extend(it.token),
            Sight::LeagueWrote(
                LeagueFact::PlayerReset { token, .. } | LeagueFact::RefereeReset { token, .. },
            ) => {
                self.tokens.insert(*token);
            }
            Sight::Archived(match_id) => {
                self.archived.insert(*match_id);
            }
            Sight::Leaves(node, effect) => return self.may_leave(*node, effect, books),
            _ => {}
        }
        Ok(())
    }

    fn may_leave(&self, node: usize, effect: &Effect, books: &Books) -> Kept {
        if let Effect::Reply { answer, .. } = effect {
            match answer {
                Answer::Receipt(receipt) => self.receipt(node, receipt, books)?,
                Answer::Message(letter) => self.letter(node, letter, books)?,
                Answer::Tool(_) | Answer::Fault(_) => {}
            }
        }
        if let Effect::Send(outgoing) = effect
            && let Act::MatchResultReport(said) = &outgoing.letter.act
        {
            let (id, attempt) = (said.match_id, said.result.attempt.unwrap_or(0));
            let book = books.referees.get(&node);
            let judged = book.is_some_and(|book| book.judged.contains_key(&(id, attempt)));
            hold(judged, || format!("{id} is reported and not judged"))?;
        }
        if let Effect::SendLetter(parcel) = effect {
            let written = self.queued.contains(&(node, parcel.id));
            hold(written, || format!("{} leaves and is not written", parcel.letter.head.id))?;
        }
        if let Effect::Broadcast(news) = effect
            && let Act::LeagueCompleted(_) = &news.act
        {
            hold(books.season.over, || "the league is said to be complete and is not")?;
        }
        Ok(())
    }

    fn receipt(&self, node: usize, receipt: &Receipt, books: &Books) -> Kept {
        let Some(id) = receipt.match_id else { return Ok(()) };
        let written = match receipt.status {
            ReceiptStatus::Recorded => {
                books.season.matches.get(&id).is_some_and(|entry| match entry.verdict {
                    // A void attempt was replaced by another one.
                    None => entry.attempt > 1,
                    Some(verdict) => verdict.cause != Cause::Played || self.archived.contains(&id),
                })
            }
            ReceiptStatus::Accepted => {
                books.referees.get(&node).is_some_and(|book| book.taken.contains(&id))
            }
            ReceiptStatus::Acknowledged | ReceiptStatus::Refused => true,
        };
        hold(written, || format!("{:?} for {id}, which is not durable", receipt.status))
    }

    fn letter(&self, node: usize, letter: &Envelope, books: &Books) -> Kept {
        if let Act::Decide(said) = &letter.act
            && said.denial.is_none()
        {
            let hash = said.token.as_ref().and_then(TokenHash::of);
            let written = hash.is_some_and(|hash| self.tokens.contains(&hash));
            hold(written, || format!("{:?} is let in and not written", said.agent))?;
        }
        if let Some((match_id, _)) = stated_move(&letter.act)
            && let ConversationId::Match { attempt, .. } = letter.head.conversation_id
        {
            let book = books.players.get(&node);
            let mut written =
                book.into_iter().flat_map(|book| book.remembered((match_id, attempt)));
            let written = written.next().is_some();
            hold(written, || format!("a choice in {match_id} is not written"))?;
        }
        Ok(())
    }
}

/// GAME_OVER leaves only when the manager has that very result in its journal.
pub(super) fn verdict_before_news(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Leaves(_, Effect::Send(outgoing)) = sight else { return Ok(()) };
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

/// Nobody is shown anything of a match's choices before its result is durable.
pub(super) fn sealed(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Leaves(_, effect) = sight else { return Ok(()) };
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

/// Stands in every secret of a rehearsal: no letter may hold it.
pub(crate) const SECRET: &str = "SECRET";

/// No letter of somebody who knows a secret holds it.
pub(super) fn secret_kept() -> Promise {
    // Who judges, and so knows secrets.
    let mut judges = BTreeSet::new();
    Box::new(move |sight, _| {
        let Sight::Leaves(node, effect) = sight else { return Ok(()) };
        if let Effect::Think(question) = effect
            && let What::Oracle { .. } = question.what
        {
            judges.insert(*node);
        }
        let Effect::SendLetter(parcel) = effect else { return Ok(()) };
        hold(!judges.contains(node) || !parcel.letter.text.contains(SECRET), || {
            let kind = parcel.letter.kind.name();
            format!("{kind} to {:?} holds the secret", parcel.to)
        })
    })
}
