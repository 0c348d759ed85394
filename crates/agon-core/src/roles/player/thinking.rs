//! What whoever thinks for us is thinking about. Of this process only: after a restart it is asked
//! again for whatever is still owed.
//!
//! Spec: docs/protocol/match.md

use agon_proto::MatchId;

/// One thing that is being thought about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Thought {
    number: u64,
    pub(super) match_id: MatchId,
    pub(super) attempt: u32,
    /// Which question of the match.
    pub(super) turn: u32,
    /// Whether it was asked before and nothing came of it.
    pub(super) second_try: bool,
}

/// Everything that is being thought about.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    last: u64,
    open: Vec<Thought>,
}

impl Thinking {
    /// Whether that question is being thought about already.
    pub(super) fn is_about(&self, match_id: MatchId, turn: u32) -> bool {
        self.open.iter().any(|thought| thought.match_id == match_id && thought.turn == turn)
    }

    /// Begins a thought, and says under which number.
    pub(super) fn begin(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        turn: u32,
        second_try: bool,
    ) -> u64 {
        self.last += 1;
        self.open.push(Thought { number: self.last, match_id, attempt, turn, second_try });
        self.last
    }

    /// The thought of that number has come to its end.
    pub(super) fn end(&mut self, number: u64) -> Option<Thought> {
        let place = self.open.iter().position(|thought| thought.number == number)?;
        Some(self.open.swap_remove(place))
    }
}
