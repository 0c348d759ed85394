//! What our program is thinking about. Of this process only: after a restart it is asked again for
//! whatever is still owed.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::GameId;

/// What a player's program can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Callback {
    Warmup,
    Questions,
    Guess,
    Score,
}

impl Callback {
    /// What the game calls it.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Warmup => "warmup",
            Self::Questions => "questions",
            Self::Guess => "guess",
            Self::Score => "score",
        }
    }
}

/// One thing that is being thought about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Thought {
    number: u64,
    pub(super) game: GameId,
    pub(super) callback: Callback,
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
    /// Whether the program is thinking about that already.
    pub(super) fn is_about(&self, game: &GameId, callback: Callback) -> bool {
        self.open.iter().any(|thought| thought.game == *game && thought.callback == callback)
    }

    /// Begins a thought, and says under which number.
    pub(super) fn begin(&mut self, game: GameId, callback: Callback, second_try: bool) -> u64 {
        self.last += 1;
        self.open.push(Thought { number: self.last, game, callback, second_try });
        self.last
    }

    /// What the thought of that number is about.
    pub(super) fn game(&self, number: u64) -> Option<&GameId> {
        self.open.iter().find(|thought| thought.number == number).map(|thought| &thought.game)
    }

    /// The thought of that number has come to its end.
    pub(super) fn end(&mut self, number: u64) -> Option<Thought> {
        let place = self.open.iter().position(|thought| thought.number == number)?;
        Some(self.open.swap_remove(place))
    }
}
