//! What referee and players say to each other in one game: warm-up, questions, answers, guess,
//! score.
//!
//! The game and its token stand in every one of them; see [`super::Context`] for the game.

use serde::{Deserialize, Serialize};

use super::codec::{fraction, lettered, wire};
use super::{Breakdown, GameId, Score};
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

    /// One question, with its four options.
    pub struct QuestionRow {
        /// Its number, counted from 1.
        pub number: u32 = numbered(NUMBER) => ["question_number", "number"],
        /// The question.
        pub text: Box<str> = text(["question_text", "text", "question"])
            => ["question_text", "text"],
        /// What A, B, C and D mean.
        pub options: [Box<str>; 4] = options(["options", "choices"])
            => lettered ["options", "choices"],
    }

    /// Q21QUESTIONSBATCH.
    pub(super) struct QuestionsBatch {
        /// The game.
        pub game: GameId = game(GAME) or "the game's id",
        + "total_questions" = |said, _| Some(said.questions.len()),
        /// All of them.
        pub questions: Vec<QuestionRow> = needed_rows(["questions"]),
        /// The game's token.
        pub token: Option<Box<str>> = word(["auth_token"]),
    }
}

/// What a referee chose among the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Choice {
    /// The first.
    A,
    /// The second.
    B,
    /// The third.
    C,
    /// The fourth.
    D,
    /// None of them.
    #[default]
    NotRelevant,
}

impl Choice {
    /// As it is sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
            Self::NotRelevant => "Not Relevant",
        }
    }
}

wire! {
    /// The answer to one question.
    #[derive(Copy)]
    pub struct Answered {
        /// Which question.
        pub number: u32 = numbered(NUMBER),
        /// What it is.
        pub choice: Choice = choice(["answer", "selected_option", "choice", "selected"]),
    }

    /// Q21ANSWERSBATCH.
    pub(super) struct AnswersBatch {
        /// The game.
        pub game: GameId = game(GAME) or "the game's id",
        /// One for each question, as far as there are any.
        pub answers: Vec<Answered> = needed_rows(["answers", "opponent_answers"]),
        /// Until when a guess is awaited.
        pub deadline: Option<Timestamp> = time(["guess_deadline", "deadline", "response_deadline"])
            => ["deadline", "guess_deadline", "response_deadline"],
        /// The game's token.
        pub token: Option<Box<str>> = word(["auth_token"]),
    }

    /// What a player believes the secret to be.
    #[derive(Default)]
    pub struct Guess {
        /// The sentence.
        pub opening_sentence: Box<str> = text(["opening_sentence", "opening_sentence_guess"]),
        /// Why, in 30 to 50 words.
        pub sentence_justification: Box<str> = text(["sentence_justification"]),
        /// The word.
        pub associative_word: Box<str> = text(["associative_word", "associative_word_guess"]),
        /// Why, in 20 to 30 words.
        pub word_justification: Box<str> = text(["word_justification"]),
        /// How sure it is, 0 to 1, in hundredths of one.
        pub confidence: u32 = confidence(["confidence"]) => fraction ["confidence"],
    }
}

/// Q21GUESSSUBMISSION.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GuessSubmission {
    /// The game.
    pub game: GameId,
    /// The guess.
    pub guess: Guess,
    /// The game's token.
    pub token: Option<Box<str>>,
}

wire! {
    /// What a referee says about a guess.
    #[derive(Default)]
    pub struct Feedback {
        /// About the sentence.
        pub opening_sentence: Box<str> = text(["opening_sentence"]),
        /// About the word.
        pub associative_word: Box<str> = text(["associative_word"]),
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
        pub breakdown: Breakdown = nested::<Breakdown>(["breakdown"]),
        /// In words.
        pub feedback: Option<Feedback> = feedback(["feedback"]),
        /// The game's token.
        pub token: Option<Box<str>> = word(["auth_token"]),
    }
}
