//! A strategy as a node's mind.

use agon_core::{Player, Question};
use agon_node::{Mind, Thought};

use crate::{Decision, Situation, Strategy};

/// Thinks for a player by asking a strategy.
pub struct Thinker(Box<dyn Strategy>);

impl Thinker {
    pub fn new(strategy: Box<dyn Strategy>) -> Self {
        Self(strategy)
    }
}

impl Mind<Player> for Thinker {
    fn think(&mut self, player: &Player, question: &Question) -> Thought {
        let situation = Situation {
            question,
            history: player.history().matches(),
            standings: player.standings(),
        };
        match self.0.choose(&situation) {
            Decision::Now(choice) => Thought::Now(Some(choice)),
            Decision::Later(thought) => Thought::Later(thought),
        }
    }
}

#[cfg(test)]
mod tests;
