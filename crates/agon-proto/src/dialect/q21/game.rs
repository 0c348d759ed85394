//! What referee and players say to each other in one game: warm-up, questions, answers, guess,
//! score.
//!
//! The game and its token stand in every one of them; see [`super::Context`] for the game.

use agon_games::q21::{Q21Answer, Q21Breakdown, Q21Feedback, Q21Guess, Q21Question};
use serde::{Deserialize, Serialize};

use super::codec::{fraction, lettered, spelling, wire};
use super::{GameId, Score};
use crate::Timestamp;

/// How many questions a player asks.
pub const QUESTIONS: usize = 20;
/// The keys of a question's options.
pub const OPTIONS: [char; 4] = ['A', 'B', 'C', 'D'];

/// The game.
pub(super) const GAME: [&str; 2] = ["match_id", "game_id"];
const DEADLINE: [&str; 3] = ["deadline", "response_deadline", "guess_deadline"];
const NUMBER: [&str; 3] = ["question_number", "number", "question_id"];
const HINT: [&str; 4] = ["book_hint", "description", "book_description", "general_description"];
const DOMAIN: [&str; 3] = ["association_word", "associative_domain", "association_topic"];
/// What a game is worth in the league.
pub(super) const POINTS: [&str; 2] = ["league_points", "league_score"];

wire! {
    /// Q21WARMUPCALL: are you there?
    pub(super) struct WarmupCall {
        /// The game.
        pub game: GameId = game(GAME) or "the game's id",
        /// Something easy.
        pub question: Box<str> = text(["warmup_question", "question"]),
        /// Until when.
        pub deadline: Option<Timestamp> = time(DEADLINE) => ["deadline", "response_deadline"],
        /// What every further letter of this game carries.
        pub token: Option<Box<str>> = word(["auth_token"]),
    }

    /// Q21WARMUPRESPONSE. Not judged.
    pub(super) struct WarmupResponse {
        /// The game.
        pub game: GameId = game(GAME) or "the game's id",
        /// The answer.
        pub answer: Box<str> = text(["answer", "warmup_answer"]) or "a text",
        /// The game's token, if the player echoes it.
        pub token: Option<Box<str>> = word(["auth_token"]),
    }

    /// Q21ROUNDSTART: what is to be found out.
    pub(super) struct RoundStart {
        /// The game.
        pub game: GameId = game(GAME) or "the game's id",
        /// The book.
        pub book_name: Box<str> = text(["book_name"]),
        /// A dozen words about it.
        pub book_hint: Box<str> = text(HINT) => ["book_hint", "description", "book_description"],
        /// The domain of the secret word, not the word.
        pub association_word: Box<str> = text(DOMAIN) => ["association_word", "associative_domain"],
        /// How many questions are wanted.
        pub questions_required: u32 = wanted(["questions_required", "question_count"])
            => ["questions_required", "question_count"],
        /// Until when.
        pub deadline: Option<Timestamp> = time(DEADLINE) => ["deadline", "response_deadline"],
        /// The game's token.
        pub token: Option<Box<str>> = word(["auth_token"]),
    }

    /// Q21QUESTIONSBATCH.
    pub(super) struct QuestionsBatch {
        /// The game.
        pub game: GameId = game(GAME) or "the game's id",
        + "total_questions" = |said, _| Some(said.questions.len()),
        /// All of them.
        pub questions: Vec<Q21Question> = needed_rows(["questions"]),
        /// The game's token.
        pub token: Option<Box<str>> = word(["auth_token"]),
    }

    /// Q21ANSWERSBATCH.
    pub(super) struct AnswersBatch {
        /// The game.
        pub game: GameId = game(GAME) or "the game's id",
        /// One for each question, as far as there are any.
        pub answers: Vec<Q21Answer> = needed_rows(["answers", "opponent_answers"]),
        /// Until when a guess is awaited.
        pub deadline: Option<Timestamp> = time(["guess_deadline", "deadline", "response_deadline"])
            => ["deadline", "guess_deadline", "response_deadline"],
        /// The game's token.
        pub token: Option<Box<str>> = word(["auth_token"]),
    }

    /// Q21SCOREFEEDBACK: the end of a game, for one player.
    pub(super) struct ScoreFeedback {
        /// The game.
        pub game: GameId = game(GAME) or "the game's id",
        /// 0 to 3.
        pub league_points: u32 = number(POINTS) or "a whole number"
            => ["league_points", "league_score"],
        /// 0 to 100.
        pub private_score: Score = score(["private_score"]),
        /// Its parts.
        pub breakdown: Q21Breakdown = nested::<Q21Breakdown>(["breakdown"]),
        /// In words.
        pub feedback: Option<Q21Feedback> = feedback(["feedback"]),
        /// The game's token.
        pub token: Option<Box<str>> = word(["auth_token"]),
    }
}

/// Q21GUESSSUBMISSION.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GuessSubmission {
    /// The game.
    pub game: GameId,
    /// The guess.
    pub guess: Q21Guess,
    /// The game's token.
    pub token: Option<Box<str>>,
}

spelling! {
    Q21Question {
        number = numbered(NUMBER) => ["question_number", "number"],
        text = text(["question_text", "text", "question"])
            => ["question_text", "text"],
        options = options(["options", "choices"])
            => lettered ["options", "choices"],
    }

    Q21Answer {
        number = numbered(NUMBER),
        choice = choice(["answer", "selected_option", "choice", "selected"]),
    }

    Q21Guess {
        opening_sentence = text(["opening_sentence", "opening_sentence_guess"]),
        sentence_justification = text(["sentence_justification"]),
        associative_word = text(["associative_word", "associative_word_guess"]),
        word_justification = text(["word_justification"]),
        confidence = confidence(["confidence"]) => fraction ["confidence"],
    }

    Q21Feedback {
        opening_sentence = text(["opening_sentence"]),
        associative_word = text(["associative_word"]),
    }

    Q21Breakdown {
        opening_sentence = hundredths(["opening_sentence_score", "opening_sentence"])
            => in_points ["opening_sentence_score"],
        sentence_justification =
            hundredths(["sentence_justification_score", "sentence_justification"])
            => in_points ["sentence_justification_score"],
        associative_word = hundredths(["associative_word_score", "associative_word"])
            => in_points ["associative_word_score"],
        word_justification = hundredths(["word_justification_score", "word_justification"])
            => in_points ["word_justification_score"],
    }
}

/// A score of 0 to 100 that the game counts in hundredths.
pub(super) fn in_points(hundredths: &i32) -> Score {
    Score::from_hundredths(u32::try_from(*hundredths).unwrap_or(0))
}

/// The same, as the game counts it.
pub(super) fn in_hundredths(score: Score) -> i32 {
    i32::try_from(score.hundredths()).unwrap_or(i32::MAX)
}
