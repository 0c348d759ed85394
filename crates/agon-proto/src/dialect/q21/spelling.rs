//! How letters spell a match: the questions of a referee, what a player answers, what it was worth.
//!
//! To everybody else these are payloads: what a seat may see, and its move.
//!
//! Spec: docs/protocol/q21.md

use super::{
    AnswersBatch, AsPayload, Body, GameId, Kind, QUESTIONS, RoundStart, Said, ScoreFeedback, Seen,
    WarmupCall,
};
use crate::{Payload, Timestamp};

/// The warm-up, twenty questions, the guess: the questions of a match, by their numbers.
const NAMES: [&str; 3] = ["warmup", "round-start", "answers"];

/// What stands in every letter of a match.
#[derive(Debug, Clone)]
pub struct GameLetter {
    /// The game.
    pub game: GameId,
    /// Until when an answer is awaited.
    pub deadline: Option<Timestamp>,
    /// The game's token.
    pub token: Option<Box<str>>,
}

/// The letter that puts the question of that number to a player who sees that; and what its id
/// begins with.
pub fn question(number: u16, seen: &Payload, letter: GameLetter) -> (&'static str, Body) {
    let GameLetter { game, deadline, token } = letter;
    let seen = Seen::of(seen).unwrap_or_default();
    let body = match number {
        0 => {
            let question = seen.warmup_question.unwrap_or_default();
            Body::WarmupCall(WarmupCall { game, question, deadline, token })
        }
        1 => {
            let book = seen.book.unwrap_or_default();
            Body::RoundStart(RoundStart {
                game,
                book_name: book.name,
                book_hint: book.hint,
                association_word: book.association_word,
                questions_required: u32::try_from(QUESTIONS).unwrap_or(u32::MAX),
                deadline,
                token,
            })
        }
        _ => {
            let answers = seen.answers.unwrap_or_default();
            Body::AnswersBatch(AnswersBatch { game, answers, deadline, token })
        }
    };
    (NAMES[usize::from(number).min(2)], body)
}

/// The letter that tells a player who sees that what its game was worth; `None` if that is unknown.
pub fn worth(seen: &Payload, league_points: u32, letter: GameLetter) -> Option<Body> {
    let assessment = Seen::of(seen).ok()?.score?;
    Some(Body::ScoreFeedback(ScoreFeedback {
        game: letter.game,
        league_points,
        private_score: assessment.private_score,
        breakdown: assessment.breakdown,
        feedback: Some(assessment.feedback),
        token: letter.token,
    }))
}

/// What a player answers: to the question of which number, its move, and the game's token if it
/// echoes that. `None` if this is no answer.
pub fn answer(body: &Body) -> Option<(u16, Said, Option<&str>)> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three of forty are a player's answers")]
    let (said, token) = match body {
        Body::WarmupResponse(said) => (Said::Warmup(said.answer.clone()), &said.token),
        Body::QuestionsBatch(said) => (Said::Questions(said.questions.clone()), &said.token),
        Body::GuessSubmission(said) => (Said::Guess(said.guess.clone()), &said.token),
        _ => return None,
    };
    Some((answered(body.kind())?, said, token.as_deref()))
}

/// To the question of which number a letter of that kind answers.
pub fn answered(kind: Kind) -> Option<u16> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three of forty are a player's answers")]
    match kind {
        Kind::WarmupResponse => Some(0),
        Kind::QuestionsBatch => Some(1),
        Kind::GuessSubmission => Some(2),
        _ => None,
    }
}

/// The question of which number a letter of that kind puts.
pub fn asked(kind: Kind) -> Option<u16> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three of forty ask a player")]
    match kind {
        Kind::WarmupCall => Some(0),
        Kind::RoundStart => Some(1),
        Kind::AnswersBatch => Some(2),
        _ => None,
    }
}
