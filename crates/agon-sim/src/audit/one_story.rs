//! No player ever hears two results of one attempt, and what it hears is what the journal says.

use std::collections::BTreeMap;

use agon_core::format::Fixture;
use agon_core::{Outcome, PlayerFact, Seat, Verdict};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{AgentId, MatchId, PlayerId};

use super::{Books, Finding, FindingKind, Promise, Sight, hold};

#[derive(Default)]
pub(super) struct OneStory {
    /// What each node heard, in all its lives.
    heard: BTreeMap<MatchId, Vec<Story>>,
}

struct Story {
    node: usize,
    player: PlayerId,
    played: PlayedMatch,
    /// It lost its memory since, and may hear it once more.
    forgotten: bool,
}

impl Promise for OneStory {
    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, keeps_journal: false } = sight {
            let all = self.heard.values_mut().flatten();
            all.filter(|story| story.node == *node).for_each(|story| story.forgotten = true);
        }
        if let Sight::PlayerWrote(node, PlayerFact::Agent(fact)) = sight
            && let Some(AgentId::Player(id)) = fact.admitted_as()
            && let Some(before) = books.players.get(node).filter(|before| **before != id)
        {
            return Err(format!("{before} came back as {id}").into());
        }
        if let Sight::PlayerWrote(node, PlayerFact::Over(played)) = sight {
            return self.hear(*node, played, books);
        }
        Ok(())
    }

    /// If the other player heard what counts, then one match was told in two ways; if not, what was
    /// told is lost.
    fn compare(&self, books: &Books) -> Vec<Finding> {
        let mut found = Vec::new();
        for (&id, stories) in &self.heard {
            let (right, wrong): (Vec<_>, Vec<_>) =
                stories.iter().partition(|story| story.is_right(books));
            let fault = if right.is_empty() { FindingKind::Lost } else { FindingKind::Duplicated };
            for Story { player, played, .. } in wrong {
                let kept = books.season.accepted.get(&(id, played.attempt));
                let what = format!("{player} heard {played:?}, the manager's journal has {kept:?}");
                found.push(Finding::about(fault, id, what));
            }
        }
        found
    }
}

impl OneStory {
    fn hear(&mut self, node: usize, played: &PlayedMatch, books: &Books) -> Result<(), Finding> {
        let id = played.match_id;
        let Some(&player) = books.players.get(&node) else {
            return Err(format!("node {node} heard of {id} before it was let in").into());
        };
        let stories = self.heard.entry(id).or_default();
        let before = stories
            .iter()
            .filter(|it| it.node == node && it.played.attempt == played.attempt)
            .find(|it| !it.forgotten || !is_same(&it.played, played));
        let twice = before.map(|before| {
            let what = format!("{player} heard {:?}, and then {played:?}", before.played);
            Finding::about(FindingKind::Duplicated, id, what)
        });
        stories.push(Story { node, player, played: *played, forgotten: false });
        twice.map_or(Ok(()), Err)?;
        hold(books.season.accepted(id, played.attempt).is_some(), || {
            let what = format!("{player} heard {played:?}, and it has no result");
            Finding::about(FindingKind::Lost, id, what)
        })
    }
}

impl Story {
    /// Whether that is the verdict, seen by that player.
    fn is_right(&self, books: &Books) -> bool {
        let Self { player, played, .. } = self;
        let (id, attempt) = (played.match_id, played.attempt);
        let kept = books.fixture(id).zip(books.season.accepted(id, attempt));
        let Some((Fixture { a, b }, verdict)) = kept else { return false };
        let (seat, opponent) = match *player {
            player if player == a => (Seat::A, b),
            player if player == b => (Seat::B, a),
            _ => return false,
        };
        let details = books.played(id, attempt);
        played.result == result_of(&verdict, seat)
            && played.drawn_number == details.drawn_number
            && played.my_choice == details.choices.get(*player)
            && played.opponent_choice == details.choices.get(opponent)
    }
}

/// Whether both tell the same: result, both choices and number, from one player's side.
fn is_same(one: &PlayedMatch, other: &PlayedMatch) -> bool {
    one.result == other.result
        && one.my_choice == other.my_choice
        && one.opponent_choice == other.opponent_choice
        && one.drawn_number == other.drawn_number
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
