//! What a game makes us ask our program, and what it makes us say to the referee.
//!
//! Spec: docs/protocol/q21-callbacks.md

use agon_proto::Timestamp;
use agon_proto::q21::callback::PlayerQuery;
use agon_proto::q21::{Body, GuessSubmission, MessageId, QuestionsBatch, WarmupResponse};

use super::Controller;
use crate::roles::q21::player::thinking::Callback;

/// A letter of ours to the referee, without its envelope. Built from the state, so that it can be
/// built again, the very same.
pub(in super::super) struct Reply {
    pub(in super::super) body: Body,
    pub(in super::super) answers: MessageId,
    pub(in super::super) said_at: Timestamp,
    pub(in super::super) deadline: Option<Timestamp>,
}

impl Controller {
    /// What our program is asked.
    pub(in super::super) fn query(&self, callback: Callback) -> Option<PlayerQuery> {
        let book = || self.parameters.book.clone();
        match callback {
            Callback::Warmup => {
                let (_, call) = self.warmup.asked.as_ref()?;
                Some(PlayerQuery::Warmup { question: call.question.clone() })
            }
            Callback::Questions => Some(PlayerQuery::Questions { book: book() }),
            Callback::Guess => {
                let (_, batch) = self.guess.asked.as_ref()?;
                let (_, questions) = self.questions.said.as_ref()?;
                let (answers, questions) = (batch.answers.clone(), questions.clone());
                Some(PlayerQuery::Guess { book: book(), answers, questions })
            }
            Callback::Score => None,
        }
    }

    /// Our letter about it, if there is something to say.
    pub(in super::super) fn reply(&self, callback: Callback) -> Option<Reply> {
        let game = self.parameters.assignment.game.clone();
        let token = self.parameters.token.clone();
        let (body, answers, said_at, deadline) = match callback {
            Callback::Warmup => {
                let (message, call) = self.warmup.asked.as_ref()?;
                let (at, answer) = self.warmup.said.clone()?;
                let body = Body::WarmupResponse(WarmupResponse { game, answer, token });
                (body, message, at, call.deadline)
            }
            Callback::Questions => {
                let (message, start) = self.questions.asked.as_ref()?;
                let (at, questions) = self.questions.said.clone()?;
                let body = Body::QuestionsBatch(QuestionsBatch { game, questions, token });
                (body, message, at, start.deadline)
            }
            Callback::Guess => {
                let (message, batch) = self.guess.asked.as_ref()?;
                let (at, guess) = self.guess.said.clone()?;
                let body = Body::GuessSubmission(GuessSubmission { game, guess, token });
                (body, message, at, batch.deadline)
            }
            Callback::Score => return None,
        };
        Some(Reply { body, answers: answers.clone(), said_at, deadline })
    }
}
