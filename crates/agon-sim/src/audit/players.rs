//! Promises to players and about them: what they hear is what counts, and what counts they said.

use std::collections::BTreeMap;

use agon_core::format::Fixture;
use agon_core::{Effect, Outcome, PlayerFact, Seat, Verdict};
use agon_proto::message::stated_move;
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{AgentId, Answer, AsPayload, ConversationId, MatchId, Payload, PlayerId};

use super::books::{Attempt, Choice};
use super::{Books, Finding, FindingKind, Kept, Sight, all_wrong, hold, wrong};

/// No player ever hears two results of one attempt, and what it hears is what the journal says.
pub(super) fn one_story(sight: &Sight<'_>, books: &Books) -> Kept {
    if let Sight::Paused = sight {
        return all_wrong(told_otherwise(books));
    }
    let Sight::PlayerWrote(node, fact) = sight else { return Ok(()) };
    let book = books.players.get(node).and_then(|book| Some((book.id?, book)));
    if let PlayerFact::Agent(fact) = fact
        && let Some(AgentId::Player(id)) = fact.admitted_as()
        && let Some((before, _)) = book
    {
        hold(before == id, || format!("{before} came back as {id}"))?;
    }
    let PlayerFact::Over(played) = fact else { return Ok(()) };
    let id = played.match_id;
    let Some((player, book)) = book else {
        return wrong(format!("node {node} heard of {id} before it was let in"));
    };
    if let Some(before) = book.heard_otherwise(played) {
        let what = format!("{player} heard {before:?}, and then {played:?}");
        return wrong(Finding::about(FindingKind::Duplicated, id, what));
    }
    hold(books.season.accepted(id, played.attempt).is_some(), || {
        let what = format!("{player} heard {played:?}, and it has no result");
        Finding::about(FindingKind::Lost, id, what)
    })
}

/// What players heard that does not count. If the other player heard what counts, then one match
/// was told in two ways; if not, what was told is lost.
fn told_otherwise(books: &Books) -> Vec<Finding> {
    let mut heard: BTreeMap<MatchId, Vec<_>> = BTreeMap::new();
    let known = books.players.values().filter_map(|book| Some((book.id?, book)));
    for (player, book) in known {
        for played in &book.heard {
            heard.entry(played.match_id).or_default().push((player, played));
        }
    }
    let mut found = Vec::new();
    for (id, stories) in heard {
        let (right, wrong): (Vec<_>, Vec<_>) =
            stories.into_iter().partition(|(player, played)| is_right(*player, played, books));
        let fault = if right.is_empty() { FindingKind::Lost } else { FindingKind::Duplicated };
        for (player, played) in wrong {
            let kept = books.season.accepted.get(&(id, played.attempt));
            let what = format!("{player} heard {played:?}, the manager's journal has {kept:?}");
            found.push(Finding::about(fault, id, what));
        }
    }
    found
}

/// Whether that is the verdict, seen by that player.
fn is_right(player: PlayerId, played: &PlayedMatch, books: &Books) -> bool {
    let (id, attempt) = (played.match_id, played.attempt);
    let kept = books.fixture(id).zip(books.season.accepted(id, attempt));
    let Some((Fixture { a, b }, verdict)) = kept else { return false };
    let (seat, opponent) = match player {
        player if player == a => (Seat::A, b),
        player if player == b => (Seat::B, a),
        _ => return false,
    };
    let details = books.played(id, attempt);
    let counts = PlayedMatch {
        result: result_of(&verdict, seat),
        drawn_number: details.drawn_number,
        my_choice: details.choices.get(player),
        opponent_choice: details.choices.get(opponent),
        ..*played
    };
    is_same(played, &counts)
}

/// Whether both tell the same: result, both choices and number, from one player's side.
pub(super) fn is_same(one: &PlayedMatch, other: &PlayedMatch) -> bool {
    let PlayedMatch { opponent_id, timestamp, .. } = *other;
    PlayedMatch { opponent_id, timestamp, ..*one } == *other
}

/// What a verdict is to the player in that seat.
pub(super) fn result_of(verdict: &Verdict, seat: Seat) -> PlayedResult {
    match verdict.outcome {
        Outcome::Cancelled | Outcome::Void => PlayedResult::Cancelled,
        Outcome::Drawn => PlayedResult::Draw,
        Outcome::Won(winner) if winner == seat => PlayedResult::Win,
        Outcome::Forfeited(loser) if loser != seat => PlayedResult::Win,
        Outcome::Won(_) | Outcome::Forfeited(_) | Outcome::BothForfeited => PlayedResult::Loss,
    }
}

/// A player says one thing in one attempt, also after a restart if it keeps a journal, and what
/// counts for it is what it said.
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
    if let Sight::Leaves(node, effect) = sight
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
                let counts = counts.as_str();
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
