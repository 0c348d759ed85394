//! No player ever hears two results of one attempt, and what it hears is what the journal says.

use std::collections::BTreeMap;

use agon_core::{Outcome, PlayerFact, Seat, Verdict};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{AgentId, MatchId, PlayerId};

use super::{Invariant, Sight};
use crate::ledger::Ledger;

/// Result, own choice and number, from one player's side.
type Story = (PlayedResult, Option<agon_proto::message::Parity>, Option<u32>);

#[derive(Default)]
pub(super) struct OneStory {
    /// Who sits at which node.
    players: BTreeMap<usize, PlayerId>,
    /// What each node heard, in all its lives.
    heard: BTreeMap<(usize, MatchId, u32), Story>,
}

impl Invariant for OneStory {
    fn name(&self) -> &'static str {
        "one-story"
    }

    fn see(&mut self, sight: &Sight<'_>, ledger: &Ledger) -> Result<(), String> {
        let Sight::PlayerWrote(node, fact) = sight else {
            return Ok(());
        };
        match fact {
            PlayerFact::Registered(credentials) => {
                if let AgentId::Player(id) = credentials.agent {
                    let before = self.players.insert(*node, id);
                    if let Some(before) = before.filter(|before| *before != id) {
                        return Err(format!("{before} came back as {id}"));
                    }
                }
                Ok(())
            }
            PlayerFact::Asked { .. } | PlayerFact::Chosen { .. } => Ok(()),
            PlayerFact::Over(played) => self.compare(*node, played, ledger),
        }
    }
}

impl OneStory {
    fn compare(&mut self, node: usize, heard: &PlayedMatch, ledger: &Ledger) -> Result<(), String> {
        let (id, attempt) = (heard.match_id, heard.attempt);
        let story = (heard.result, heard.my_choice, heard.drawn_number);
        let before = self.heard.insert((node, id, attempt), story);
        if let Some(before) = before.filter(|before| *before != story) {
            return Err(format!("node {node} heard {before:?} and {story:?} of {id}"));
        }
        let Some(player) = self.players.get(&node) else {
            return Err(format!("node {node} heard of {id} before it was let in"));
        };
        let verdict = ledger.accepted(id, attempt);
        let (Some(fixture), Some(verdict)) = (ledger.paper.fixture(id), verdict) else {
            return Err(format!("{player} heard a result of {id}, which has none"));
        };
        let seat = match *player {
            player if player == fixture.a => Seat::A,
            player if player == fixture.b => Seat::B,
            _ => return Err(format!("{player} heard of {id}, which is not its match")),
        };
        let played = ledger.played(id, attempt);
        let own = played.choices.get(*player);
        let written = (result_of(&verdict, seat), own, played.drawn_number);
        if written == story {
            Ok(())
        } else {
            Err(format!("{player} heard {story:?} of {id}; the journal says {written:?}"))
        }
    }
}

fn result_of(verdict: &Verdict, seat: Seat) -> PlayedResult {
    match verdict.outcome {
        Outcome::Cancelled | Outcome::Void => PlayedResult::Cancelled,
        Outcome::Drawn => PlayedResult::Draw,
        Outcome::Won(winner) if winner == seat => PlayedResult::Win,
        Outcome::Forfeited(loser) if loser != seat => PlayedResult::Win,
        Outcome::Won(_) | Outcome::Forfeited(_) | Outcome::BothForfeited => PlayedResult::Loss,
    }
}
