//! How letters spell a match: the questions of a referee, what a player answers, what it was worth.
//!
//! To everybody else these are payloads: what a seat may see, and its move.
//!
//! Spec: docs/protocol/q21.md

use super::{
    AnswersBatch, AsPayload, Assessment, Body, GameId, GuessSubmission, Kind, PublicBook,
    QUESTIONS, QuestionsBatch, RoundStart, Said, ScoreFeedback, Seen, WarmupCall, WarmupResponse,
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

/// What a player sees in a letter that puts a question, and what stands beside it.
pub fn asks(body: &Body) -> Option<(Payload, GameLetter)> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three of forty ask a player")]
    let (seen, game, deadline, token) = match body {
        Body::WarmupCall(said) => {
            let warmup_question = Some(said.question.clone());
            let seen = Seen { warmup_question, ..Seen::default() };
            (seen, &said.game, said.deadline, &said.token)
        }
        Body::RoundStart(said) => {
            let book = Some(PublicBook {
                name: said.book_name.clone(),
                hint: said.book_hint.clone(),
                association_word: said.association_word.clone(),
            });
            (Seen { book, ..Seen::default() }, &said.game, said.deadline, &said.token)
        }
        Body::AnswersBatch(said) => {
            let answers = Some(said.answers.clone());
            (Seen { answers, ..Seen::default() }, &said.game, said.deadline, &said.token)
        }
        _ => return None,
    };
    Some((seen.payload(), GameLetter { game: game.clone(), deadline, token: token.clone() }))
}

/// All that these letters show together.
pub fn shown(views: &[&Payload]) -> Seen {
    let seen = views.iter().filter_map(|view| Seen::of(view).ok());
    seen.fold(Seen::default(), |all, one| Seen {
        warmup_question: one.warmup_question.or(all.warmup_question),
        book: one.book.or(all.book),
        answers: one.answers.or(all.answers),
        score: one.score.or(all.score),
    })
}

/// What a player sees when its score is there.
pub fn seen_score(said: &ScoreFeedback) -> Payload {
    let feedback = said.feedback.clone().unwrap_or_default();
    let ScoreFeedback { private_score, breakdown, .. } = *said;
    let score = Some(Assessment { private_score, breakdown, feedback });
    Seen { score, ..Seen::default() }.payload()
}

/// The letter in which that move goes back; `None` if it is no move.
pub fn reply(game: GameId, token: Option<Box<str>>, said: &Payload) -> Option<Body> {
    Some(match Said::of(said).ok()? {
        Said::Warmup(answer) => Body::WarmupResponse(WarmupResponse { game, answer, token }),
        Said::Questions(questions) => {
            Body::QuestionsBatch(QuestionsBatch { game, questions, token })
        }
        Said::Guess(guess) => Body::GuessSubmission(GuessSubmission { game, guess, token }),
    })
}
