//! What whoever thinks for a role is asked, what it may know, and what comes of it.
//!
//! One way for all: a strategy, a program, a language model, a player's move and a referee's own
//! judgement. Moves, views and words are the game's; here they are JSON text.

use std::borrow::Cow;
use std::time::Duration;

use agon_proto::message::StandingsRow;
use agon_proto::tool::PlayedMatch;
use agon_proto::{Listed, MatchId, Payload, PlayerId, Timestamp};

use crate::Seat;

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Comes back with the answer. Different for every question of one process.
    pub number: u64,
    pub match_id: MatchId,
    /// Which attempt at it.
    pub attempt: u32,
    /// What the game calls what it asks for.
    pub kind: Cow<'static, str>,
    pub what: What,
    /// When the answer must be there: the deadline without the time that its way takes.
    pub until: Timestamp,
}

impl Question {
    /// What may be chosen; nothing where that cannot be listed, or no move is asked for.
    pub fn options(&self) -> &[Payload] {
        if let What::Move { options, .. } = &self.what { options } else { &[] }
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A move of ours.
    Move {
        /// What we may see.
        view: Payload,
        /// What we may choose among; empty where that cannot be listed.
        options: Cow<'static, [Payload]>,
        /// Our moves so far, oldest first.
        said: Vec<Payload>,
    },
    /// The referee's own judgement, about one seat or about the match.
    Oracle { about: Option<Seat>, prompt: Payload },
    /// Nothing: this is how it stands now.
    Heard { view: Payload },
}

/// What is known besides the question.
#[derive(Debug, Clone, Default)]
pub struct Known<'a> {
    /// Who we are.
    pub player: Option<PlayerId>,
    /// Whom we meet.
    pub opponent: Option<PlayerId>,
    /// Our own matches, oldest first.
    pub history: &'a [PlayedMatch],
    /// The table, as it was last told. Read when it is looked at, so whoever does not look pays
    /// nothing for it.
    pub standings: Option<&'a Listed<StandingsRow>>,
    /// What our league tells besides, for those who know its dialect; null if nothing.
    pub context: Payload,
}

impl Known<'_> {
    /// The rows of the table; none before it was told.
    pub fn table(&self) -> &[StandingsRow] {
        self.standings.map_or(&[], |standings| standings)
    }
}

/// Why nothing came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mishap {
    pub kind: MishapKind,
    /// For the author: what came, and what was expected.
    pub text: Box<str>,
}

/// What happened to whoever was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MishapKind {
    /// It said that it could not.
    Raised,
    /// It did not come to an end in time.
    TimedOut,
    /// It said something that it must not say.
    WrongValue,
    /// It is gone, or never came up.
    Gone,
}

/// What whoever thinks for a role is thinking about. Of this process only: after a restart it is
/// asked again for whatever is still owed.
#[derive(Debug)]
pub(crate) struct Thinking<T> {
    begun: u64,
    pub(crate) open: Vec<(u64, T)>,
}

impl<T> Default for Thinking<T> {
    fn default() -> Self {
        Self { begun: 0, open: Vec::new() }
    }
}

impl<T> Thinking<T> {
    /// Begins a thought, and says under which number.
    pub(crate) fn begin(&mut self, thought: T) -> u64 {
        self.begun += 1;
        self.open.push((self.begun, thought));
        self.begun
    }

    /// What is thought about is of no use to anybody.
    pub(crate) fn clear(&mut self) {
        self.open.clear();
    }

    /// The thought of that number has come to its end.
    pub(crate) fn end(&mut self, number: u64) -> Option<T> {
        let place = self.open.iter().position(|(begun, _)| *begun == number)?;
        Some(self.open.swap_remove(place).1)
    }
}

/// How much time there is for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThinkingTime {
    /// Where nobody names a deadline.
    pub usual: Duration,
    /// What is kept back from a deadline for the way.
    pub margin: Duration,
}

impl ThinkingTime {
    /// When an answer must be there.
    ///
    /// A short step gives up half of its time at most. A deadline that has passed before the
    /// question came says more about the two clocks than about the time left, and is not believed.
    pub fn until(self, deadline: Option<Timestamp>, now: Timestamp) -> Timestamp {
        let Some(deadline) = deadline.filter(|deadline| *deadline > now) else {
            return now + self.usual;
        };
        let half = Timestamp::from_micros(now.micros().midpoint(deadline.micros()));
        half.max(deadline - self.margin)
    }
}

#[cfg(test)]
mod tests;
