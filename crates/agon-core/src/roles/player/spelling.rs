//! What a player keeps of a game by letters: which letter asks which question, by its number, and
//! which answers it. How they are spelled, their dialect says.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Payload;
use agon_proto::dialect::q21::{
    self, AsPayload, Body, GameLetter, Kind, PlayerPhase, Said, ScoreFeedback,
};
use serde::{Deserialize, Serialize};

use super::controller::AskedInLetter;

/// What a referee says to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Heard {
    Asks(AskedInLetter),
    Score(Box<ScoreFeedback>),
}

/// What a player's program can be asked, by the number of the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Callback {
    Warmup = 1,
    Questions = 2,
    Guess = 3,
    Score = 4,
}

impl Callback {
    pub const ALL: [Self; 4] = [Self::Warmup, Self::Questions, Self::Guess, Self::Score];

    pub(super) fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|callback| callback.number() == number)
    }

    pub const fn number(self) -> u32 {
        self as u32
    }

    /// What the game calls it.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Warmup => "warmup",
            Self::Questions => "questions",
            Self::Guess => "guess",
            Self::Score => "score",
        }
    }

    /// How the id of our letter begins.
    pub(super) const fn tag(self) -> &'static str {
        match self {
            Self::Warmup => "warmup-answer",
            Self::Questions | Self::Guess | Self::Score => self.kind(),
        }
    }
}

impl Heard {
    /// What a referee says in that letter, if it says anything of a game.
    pub(super) fn of(body: &Body) -> Option<Self> {
        if let Body::ScoreFeedback(said) = body {
            return Some(Self::Score(Box::new(said.clone())));
        }
        let (view, GameLetter { deadline, token, .. }) = q21::asks(body)?;
        let callback = Callback::of(u32::from(q21::asked(body.kind())?) + 1)?;
        Some(Self::Asks(AskedInLetter {
            number: callback.number(),
            kind: callback.kind().into(),
            view,
            deadline,
            // Answers say nothing to whoever has not asked.
            after: (callback == Callback::Guess).then_some(Callback::Questions.number()),
            token,
        }))
    }

    pub(super) fn number(&self) -> u32 {
        match self {
            Self::Asks(asked) => asked.number,
            Self::Score(_) => Callback::Score.number(),
        }
    }

    /// The game's token, if it stands there.
    pub(super) fn token(&self) -> Option<&str> {
        match self {
            Self::Asks(asked) => asked.token.as_deref(),
            Self::Score(said) => said.token.as_deref(),
        }
    }
}

/// What is wrong with that move in answer to that question, if anything is.
pub(super) fn objection(number: u32, said: &Payload) -> Option<Box<str>> {
    let said = match Said::of(said) {
        Ok(said) => said,
        Err(text) => return Some(text),
    };
    match (Callback::of(number), &said) {
        (Some(Callback::Questions), Said::Questions(questions)) if questions.is_empty() => {
            Some("it asks no questions".into())
        }
        (Some(Callback::Warmup), Said::Warmup(_))
        | (Some(Callback::Questions), Said::Questions(_))
        | (Some(Callback::Guess), Said::Guess(_)) => None,
        (_, Said::Warmup(_) | Said::Questions(_) | Said::Guess(_)) => {
            Some("it answers something else".into())
        }
    }
}

/// How far a game has come, by the last question that we answered.
pub(super) fn phase(sent: u32) -> PlayerPhase {
    match Callback::of(sent) {
        None => PlayerPhase::Initialized,
        Some(Callback::Warmup) => PlayerPhase::WarmupComplete,
        Some(Callback::Questions) => PlayerPhase::QuestionsSent,
        Some(Callback::Guess) => PlayerPhase::GuessSubmitted,
        Some(Callback::Score) => PlayerPhase::Completed,
    }
}

/// The letter that asks that question, or tells the score.
pub(super) fn heard_kind(number: u32) -> Option<Kind> {
    Callback::of(number).map(|callback| match callback {
        Callback::Warmup => Kind::WarmupCall,
        Callback::Questions => Kind::RoundStart,
        Callback::Guess => Kind::AnswersBatch,
        Callback::Score => Kind::ScoreFeedback,
    })
}

/// The letter that answers that question.
pub(super) fn said_kind(number: u32) -> Option<Kind> {
    Callback::of(number).and_then(|callback| match callback {
        Callback::Warmup => Some(Kind::WarmupResponse),
        Callback::Questions => Some(Kind::QuestionsBatch),
        Callback::Guess => Some(Kind::GuessSubmission),
        Callback::Score => None,
    })
}

/// The question that such a letter answers.
pub(super) fn number_of(kind: Kind) -> Option<u32> {
    q21::answered(kind).map(|number| u32::from(number) + 1)
}
