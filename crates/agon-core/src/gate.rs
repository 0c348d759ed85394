//! The gate: who speaks, and may they? Nothing passes into a role but what is [`Admitted`] here, or
//! said by somebody who is [`Proved`].
//!
//! A sender is a claim. By call a token proves it; by mail whoever carried the letter vouches for
//! its address. What is refused changes nothing.
//!
//! Spec: docs/protocol/errors.md

mod agent;
mod manager;

use agon_proto::act::Act;
use agon_proto::{Envelope, MessageType, PlayerId, RefereeId};

use crate::Refusal;

pub(crate) use agent::{at_agent, manager, player, referee};
pub(crate) use manager::{Writer, at_manager, has_forgotten, is_application};

/// Somebody who has proved who it is. There is no way to make one but the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proved<T>(T);

impl<T> Proved<T> {
    pub(crate) fn get(&self) -> &T {
        &self.0
    }
}

/// The league manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TheManager;

/// Who speaks, proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    Manager(Proved<TheManager>),
    Referee(Proved<RefereeId>),
    Player(Proved<PlayerId>),
    /// Somebody who wants in. Proves nothing but may say that one thing.
    Newcomer,
}

/// A letter whose speaker is known. There is no way to make one but the gate.
#[derive(Debug)]
pub(crate) struct Admitted {
    speaker: Speaker,
    /// For a referee's letter, the attempt it is about.
    attempt: Option<u32>,
    letter: Box<Envelope>,
}

impl Admitted {
    pub(crate) fn attempt(&self) -> Option<u32> {
        self.attempt
    }

    pub(crate) fn open(self) -> (Speaker, Box<Envelope>) {
        (self.speaker, self.letter)
    }
}

/// Why a letter does not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// It may pass later, when we know more.
    Early(Refusal),
    Never(Refusal),
}

/// The answer to a letter where none are written.
pub(crate) const NO_LETTERS: Refusal =
    Refusal::Unsupported("letters: agents of this league are called");

/// The answer to a message that this role does not take.
pub(crate) fn not_for_us(said: &Act) -> Refusal {
    Refusal::Unsupported(MessageType::name_of(said))
}

#[cfg(test)]
mod tests;
