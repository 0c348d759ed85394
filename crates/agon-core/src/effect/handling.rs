//! What comes of events while they are handled: facts, and effects in order.

use std::ops::{Deref, DerefMut};

use agon_proto::{Answer, Receipt, ReceiptStatus, Timestamp};

use super::{Effect, RequestId};
use crate::Refusal;

/// "Got it."
pub(crate) const GOT_IT: Answer =
    Answer::Receipt(Receipt { status: ReceiptStatus::Acknowledged, match_id: None, played: None });

/// What one or more events led to: facts to make durable first, then effects to carry out.
#[derive(Debug)]
pub struct Effects<F> {
    /// What became true. Applied already.
    pub facts: Vec<F>,
    /// What must be done, in order.
    pub effects: Vec<Effect>,
}

impl<F> Default for Effects<F> {
    fn default() -> Self {
        Self { facts: Vec::new(), effects: Vec::new() }
    }
}

impl<F> Effects<F> {
    pub(crate) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(crate) fn reply(&mut self, request: RequestId, answer: Answer) {
        self.push(Effect::Reply { request, answer });
    }

    /// All that a notification is answered with.
    pub(crate) fn acknowledge(&mut self, request: RequestId) {
        self.reply(request, GOT_IT);
    }

    /// Answers with that, or says why not.
    pub(crate) fn settle(&mut self, request: RequestId, said: Result<Answer, Refusal>) {
        match said {
            Ok(answer) => self.reply(request, answer),
            Err(refusal) => self.refuse(request, refusal),
        }
    }

    pub(crate) fn refuse(&mut self, request: RequestId, refusal: Refusal) {
        self.push(Effect::Refuse { request, refusal });
    }
}

/// One event of an agent's, while it is handled: when that is, and what has come of it so far.
pub(crate) struct Handling<'a, F> {
    pub(crate) now: Timestamp,
    pub(crate) out: &'a mut Effects<F>,
}

impl<F> Deref for Handling<'_, F> {
    type Target = Effects<F>;

    fn deref(&self) -> &Effects<F> {
        self.out
    }
}

impl<F> DerefMut for Handling<'_, F> {
    fn deref_mut(&mut self) -> &mut Effects<F> {
        self.out
    }
}
