//! A player says one thing in one attempt, also after a restart if it keeps a journal, and what
//! counts for it is what it said.

use std::collections::BTreeMap;

use agon_core::{Effect, PlayerFact};
use agon_proto::message::{Parity, StatedParity};
use agon_proto::{Answer, ConversationId, MatchId, Message};

use super::{Books, Finding, Promise, Sight};

#[derive(Default)]
pub(super) struct SameAnswer {
    /// As long as it remembers.
    chosen: BTreeMap<(usize, MatchId, u32), Parity>,
    /// All that it wrote down in any life.
    written: BTreeMap<(usize, MatchId, u32), Vec<Parity>>,
}

impl Promise for SameAnswer {
    fn name(&self) -> &'static str {
        "same-answer"
    }

    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, keeps_journal: false } = sight {
            self.chosen.retain(|(chooser, ..), _| chooser != node);
        }
        if let Sight::PlayerWrote(node, PlayerFact::Chosen { match_id, attempt, choice, .. }) =
            sight
            && let Some(choice) = Parity::of_move(choice)
        {
            let key = (*node, *match_id, *attempt);
            self.written.entry(key).or_default().push(choice);
            return self.say(key, choice);
        }
        if let Sight::Leaves { node, effect } = sight
            && let Effect::Reply { answer: Answer::Letter(letter), .. } = effect
            && let Message::ChooseParityResponse(said) = &letter.message
            && let StatedParity::Valid(choice) = said.parity_choice
            && let ConversationId::Match { match_id, attempt } = letter.conversation_id
        {
            return self.say((*node, match_id, attempt), choice);
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
                    && !written.is_some_and(|all| all.contains(&counts))
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
    fn say(&mut self, key: (usize, MatchId, u32), choice: Parity) -> Result<(), Finding> {
        let first = *self.chosen.entry(key).or_insert(choice);
        if first == choice {
            return Ok(());
        }
        let (node, match_id, attempt) = key;
        let what = format!("node {node} said {first} and {choice} in attempt {attempt} of");
        Err(format!("{what} {match_id}").into())
    }
}
