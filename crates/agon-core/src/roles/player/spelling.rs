//! How a game by letters is spelled: which letter asks which question, what it shows, and in which
//! letter a move goes back.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{
    AsPayload, Assessment, Body, GameId, GuessSubmission, Kind, PlayerPhase, PublicBook,
    QuestionsBatch, Said, ScoreFeedback, Seen, WarmupResponse,
};
use agon_proto::{Payload, Timestamp};
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
    #[expect(clippy::wildcard_enum_match_arm, reason = "four of 40 letters are a referee's")]
    pub(super) fn of(body: &Body) -> Option<Self> {
        match body {
            Body::WarmupCall(said) => {
                let warmup_question = Some(said.question.clone());
                let seen = Seen { warmup_question, ..Seen::default() };
                Some(asks(Callback::Warmup, &seen, said.deadline, said.token.clone()))
            }
            Body::RoundStart(said) => {
                let book = Some(PublicBook {
                    name: said.book_name.clone(),
                    hint: said.book_hint.clone(),
                    association_word: said.association_word.clone(),
                });
                let seen = Seen { book, ..Seen::default() };
                Some(asks(Callback::Questions, &seen, said.deadline, said.token.clone()))
            }
            Body::AnswersBatch(said) => {
                let seen = Seen { answers: Some(said.answers.clone()), ..Seen::default() };
                Some(asks(Callback::Guess, &seen, said.deadline, said.token.clone()))
            }
            Body::ScoreFeedback(said) => Some(Self::Score(Box::new(said.clone()))),
            _ => None,
        }
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

fn asks(
    callback: Callback,
    seen: &Seen,
    deadline: Option<Timestamp>,
    token: Option<Box<str>>,
) -> Heard {
    Heard::Asks(AskedInLetter {
        number: callback.number(),
        kind: callback.kind().into(),
        view: seen.payload(),
        deadline,
        // Answers say nothing to whoever has not asked.
        after: (callback == Callback::Guess).then_some(Callback::Questions.number()),
        token,
    })
}

/// All that these letters show together.
pub(super) fn shown(views: &[&Payload]) -> Seen {
    let seen = views.iter().filter_map(|view| Seen::of(view).ok());
    seen.fold(Seen::default(), |all, one| Seen {
        warmup_question: one.warmup_question.or(all.warmup_question),
        book: one.book.or(all.book),
        answers: one.answers.or(all.answers),
        score: one.score.or(all.score),
    })
}

/// What a player sees when its score is there.
pub(super) fn scored(said: &ScoreFeedback) -> Payload {
    let feedback = said.feedback.clone().unwrap_or_default();
    let ScoreFeedback { private_score, breakdown, .. } = *said;
    let score = Some(Assessment { private_score, breakdown, feedback });
    Seen { score, ..Seen::default() }.payload()
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

/// The letter in which that move goes back.
pub(super) fn body(game: GameId, token: Option<Box<str>>, said: &Payload) -> Option<Body> {
    Some(match Said::of(said).ok()? {
        Said::Warmup(answer) => Body::WarmupResponse(WarmupResponse { game, answer, token }),
        Said::Questions(questions) => {
            Body::QuestionsBatch(QuestionsBatch { game, questions, token })
        }
        Said::Guess(guess) => Body::GuessSubmission(GuessSubmission { game, guess, token }),
    })
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
    (1..=3).find(|number| said_kind(*number) == Some(kind))
}
