//! A player says one thing in one attempt, also after a restart if it keeps a journal, and what
//! counts for it is what it said.

use std::collections::BTreeMap;

use agon_core::{Effect, PlayerFact};
use agon_proto::message::stated_move;
use agon_proto::{Answer, ConversationId, MatchId, Payload};

use super::{Books, Finding, Promise, Sight};

/// Whose attempt it is at which match, and which one.
type Attempt = (usize, MatchId, u32);

#[derive(Default)]
pub(super) struct SameAnswer {
    /// What it said to each question, as long as it remembers.
    chosen: BTreeMap<Attempt, Vec<(u32, Payload)>>,
    /// All that it wrote down in any life.
    written: BTreeMap<Attempt, Vec<Payload>>,
}

impl Promise for SameAnswer {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, keeps_journal: false } = sight {
            self.chosen.retain(|(chooser, ..), _| chooser != node);
        }
        if let Sight::PlayerWrote(
            node,
            PlayerFact::Chosen { match_id, attempt, step, choice, .. },
        ) = sight
        {
            let key = (*node, *match_id, *attempt);
            self.written.entry(key).or_default().push(choice.clone());
            return self.choose(key, *step, choice);
        }
        if let Sight::Leaves { node, effect } = sight
            && let Effect::Reply { answer: Answer::Message(letter), .. } = effect
            && let Some((_, Ok(choice))) = stated_move(&letter.message)
            && let ConversationId::Match { match_id, attempt } = letter.conversation_id
        {
            return self.say((*node, match_id, attempt), &choice);
        }
        Ok(())
    }

    fn compare(&self, books: &Books) -> Vec<Finding> {
        let mut found = Vec::new();
        for &(id, attempt) in books.season.accepted.keys() {
            let counted = books.played(id, attempt).choices;
            for (&node, &player) in &books.players {
                let written = self.written.get(&(node, id, attempt));
                if let Some(counts) = counted.get(player)
                    && !written.is_some_and(|all| all.contains(&counts.payload()))
                {
                    let what = format!("{counts} counts for {player} in attempt {attempt} of {id}");
                    found.push(format!("{what}, which wrote down {written:?}").into());
                }
            }
        }
        found
    }
}

impl SameAnswer {
    /// To one question there is one answer.
    fn choose(&mut self, key: Attempt, step: u32, choice: &Payload) -> Result<(), Finding> {
        let chosen = self.chosen.entry(key).or_default();
        match chosen.iter().find(|(asked, _)| *asked == step) {
            None => chosen.push((step, choice.clone())),
            Some((_, first)) if first == choice => {}
            Some((_, first)) => return Err(two_answers(key, first, choice)),
        }
        Ok(())
    }

    /// What is said was chosen. To which question it answers, an answer does not tell.
    fn say(&self, key: Attempt, choice: &Payload) -> Result<(), Finding> {
        match self.chosen.get(&key).map_or(&[][..], Vec::as_slice) {
            [] => Ok(()),
            chosen if chosen.iter().any(|(_, it)| it == choice) => Ok(()),
            [(_, first), ..] => Err(two_answers(key, first, choice)),
        }
    }
}

fn two_answers((node, match_id, attempt): Attempt, one: &Payload, other: &Payload) -> Finding {
    let (one, other) = (one.as_str(), other.as_str());
    format!("node {node} said {one} and {other} in attempt {attempt} of {match_id}").into()
}
