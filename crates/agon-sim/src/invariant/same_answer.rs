//! A player says one thing in one attempt, also after a restart if it keeps a journal.

use std::collections::BTreeMap;

use agon_core::{Effect, PlayerFact};
use agon_proto::message::{Parity, StatedParity};
use agon_proto::{Answer, ConversationId, MatchId, Message};

use super::{Invariant, Sight};
use crate::ledger::Ledger;

#[derive(Default)]
pub(super) struct SameAnswer {
    chosen: BTreeMap<(usize, MatchId, u32), Parity>,
}

impl Invariant for SameAnswer {
    fn name(&self) -> &'static str {
        "same-answer"
    }

    fn see(&mut self, sight: &Sight<'_>, _: &Ledger) -> Result<(), String> {
        if let Sight::Died { node, keeps_journal: false } = sight {
            self.chosen.retain(|(chooser, ..), _| chooser != node);
        }
        if let Sight::PlayerWrote(node, PlayerFact::Chosen { match_id, attempt, choice, .. }) =
            sight
        {
            let choice = Parity::of_move(choice).ok_or("a choice is no parity")?;
            return self.compare((*node, *match_id, *attempt), choice);
        }
        if let Sight::Leaves { node, effect } = sight
            && let Effect::Reply { answer: Answer::Letter(letter), .. } = effect
            && let Message::ChooseParityResponse(said) = &letter.message
            && let StatedParity::Valid(choice) = said.parity_choice
            && let ConversationId::Match { match_id, attempt } = letter.conversation_id
        {
            return self.compare((*node, match_id, attempt), choice);
        }
        Ok(())
    }
}

impl SameAnswer {
    fn compare(&mut self, key: (usize, MatchId, u32), choice: Parity) -> Result<(), String> {
        let first = *self.chosen.entry(key).or_insert(choice);
        if first == choice {
            return Ok(());
        }
        let (node, match_id, attempt) = key;
        Err(format!("node {node} said {first} and {choice} in attempt {attempt} of {match_id}"))
    }
}
