//! What is wrong with an answer, for its author: a sentence, and what was received.
//!
//! Everybody may read the sentence, so it repeats nothing that the author wrote; what was received
//! is for the author and the operator.
//!
//! Spec: docs/protocol/errors.md

use crate::{ErrorCode, ShortText};

/// Why an answer does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// The number of it.
    pub code: ErrorCode,
    /// What is wrong, and what would be right.
    pub problem: ShortText,
    /// What was received, where there was an answer: its beginning, without secrets.
    pub received: Option<ShortText>,
}

impl Objection {
    /// An objection to something of which nothing was received.
    pub fn new(code: ErrorCode, problem: &str) -> Self {
        Self { code, problem: ShortText::new(problem), received: None }
    }

    /// The same, with what was received, if that is anything.
    #[must_use]
    pub fn to(self, received: &[u8]) -> Self {
        Self { received: (!received.is_empty()).then(|| ShortText::received(received)), ..self }
    }
}
