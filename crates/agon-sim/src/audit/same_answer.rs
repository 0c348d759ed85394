//! A player says one thing in one attempt, also after a restart if it keeps a journal, and what
//! counts for it is what it said.

use agon_core::{Effect, PlayerFact};
use agon_proto::message::stated_move;
use agon_proto::{Answer, ConversationId, Payload};

use super::books::{Attempt, Choice};
use super::{Books, Finding, Kept, Sight, all_wrong, hold};

pub(super) fn same_answer(sight: &Sight<'_>, books: &Books) -> Kept {
    // To one question there is one answer.
    if let Sight::PlayerWrote(node, fact) = sight
        && let PlayerFact::Chosen { match_id, attempt, step, choice, .. } = fact
        && let Some(book) = books.players.get(node)
    {
        let attempt = (*match_id, *attempt);
        let first = book.remembered(attempt).find(|it| it.step == *step);
        is_among(first, (*node, attempt), choice)?;
    }
    // What is said was chosen. To which question it answers, an answer does not tell.
    if let Sight::Leaves { node, effect } = sight
        && let Effect::Reply { answer: Answer::Message(letter), .. } = effect
        && let Some((_, Ok(choice))) = stated_move(&letter.act)
        && let ConversationId::Match { match_id, attempt } = letter.head.conversation_id
        && let Some(book) = books.players.get(node)
    {
        let attempt = (match_id, attempt);
        is_among(book.remembered(attempt), (*node, attempt), &choice)?;
    }
    if let Sight::Paused = sight {
        all_wrong(never_said(books))?;
    }
    Ok(())
}

/// What counts for a player that it never wrote down.
fn never_said(books: &Books) -> Vec<Finding> {
    let mut found = Vec::new();
    for &(id, attempt) in books.season.accepted.keys() {
        let counted = books.played(id, attempt).choices;
        for book in books.players.values() {
            let written = book.chosen.iter().filter(|choice| choice.attempt == (id, attempt));
            let written: Vec<_> = written.map(|choice| &choice.said).collect();
            if let Some(player) = book.id
                && let Some(counts) = counted.get(player)
                && !written.contains(&&counts.payload())
            {
                let what = format!("{counts} counts for {player} in attempt {attempt} of {id}");
                found.push(format!("{what}, which wrote down {written:?}").into());
            }
        }
    }
    found
}

/// Finds nothing if it was said before, or nothing was.
fn is_among<'a>(
    before: impl IntoIterator<Item = &'a Choice>,
    (node, (match_id, attempt)): (usize, Attempt),
    said: &Payload,
) -> Kept {
    let mut before = before.into_iter().map(|choice| &choice.said).peekable();
    let Some(first) = before.peek().map(|first| first.as_str()) else { return Ok(()) };
    hold(before.any(|it| it == said), || {
        let said = said.as_str();
        format!("node {node} said {first} and {said} in attempt {attempt} of {match_id}")
    })
}
