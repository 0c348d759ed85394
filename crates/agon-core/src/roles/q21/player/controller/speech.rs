//! What a game makes us ask our program, and what it makes us say to the referee.
//!
//! Spec: docs/protocol/q21.md

use std::borrow::Cow;

use agon_proto::dialect::q21::{
    AsPayload, Body, GuessSubmission, QuestionsBatch, Said, Seen, WarmupResponse,
};
use agon_proto::{MessageId, Timestamp};

use super::Controller;
use crate::roles::q21::player::thinking::Callback;
use crate::thinking::What;

/// A letter of ours to the referee, without its envelope. Built from the state, so that it can be
/// built again, the very same.
pub(in super::super) struct Reply {
    pub(in super::super) body: Body,
    pub(in super::super) answers: MessageId,
    pub(in super::super) said_at: Timestamp,
    pub(in super::super) deadline: Option<Timestamp>,
}

impl Controller {
    /// What our program is asked, and until when the referee waits if it said so.
    pub(in super::super) fn asks(&self, callback: Callback) -> Option<(What, Option<Timestamp>)> {
        let warmed_up = self.warmup.said.clone().map(|(_, answer)| Said::Warmup(answer));
        let mut said: Vec<_> = warmed_up.iter().map(AsPayload::payload).collect();
        let mut seen = self.seen();
        let deadline = match callback {
            Callback::Warmup => self.warmup.asked.as_ref()?.1.deadline,
            Callback::Questions => self.questions.asked.as_ref()?.1.deadline,
            Callback::Guess => {
                let (_, batch) = self.guess.asked.as_ref()?;
                let (_, questions) = self.questions.said.clone()?;
                said.push(Said::Questions(questions).payload());
                seen.answers = Some(batch.answers.clone());
                batch.deadline
            }
            Callback::Score => return None,
        };
        Some((What::Move { view: seen.payload(), options: Cow::default(), said }, deadline))
    }

    /// What the referee has told us.
    fn seen(&self) -> Seen {
        let warmup_question = self.warmup.asked.as_ref().map(|(_, call)| call.question.clone());
        let book = self.questions.asked.is_some().then(|| self.parameters.book.clone());
        Seen { warmup_question, book, ..Seen::default() }
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
