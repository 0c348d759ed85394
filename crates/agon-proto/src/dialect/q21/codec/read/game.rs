//! What referee and players say to each other in a game, in everybody's spelling.

use serde_json::Value;

use super::Reading;
use crate::dialect::q21::codec::fields::Fields;
use crate::dialect::q21::codec::unreadable::Unreadable;
use crate::dialect::q21::{
    Answered, AnswersBatch, Breakdown, Choice, Feedback, GameId, Guess, GuessSubmission, OPTIONS,
    QUESTIONS, Question, QuestionsBatch, RoundStart, ScoreFeedback, WarmupCall, WarmupResponse,
};

/// More questions than any game asks for, and than anybody answers.
const QUESTIONS_MAX: usize = 100;
/// How sure a player is who does not say it, in hundredths.
const CONFIDENCE: f64 = 0.5;

const DEADLINE: &[&str] = &["deadline", "response_deadline", "guess_deadline"];
const NUMBER: &[&str] = &["question_number", "number", "question_id"];

impl<'a> Reading<'a> {
    /// The game: the payload says it, else whatever else does.
    pub(super) fn game(&self) -> Result<GameId, Unreadable> {
        let within = self.payload.word(&["match_id", "game_id"]).map(|id| GameId::new(&id));
        let game = within.or_else(|| self.context.game.clone());
        game.ok_or_else(|| self.bad("match_id", "the game's id"))
    }

    fn token(&self) -> Option<Box<str>> {
        self.payload.boxed(&["auth_token"])
    }

    pub(super) fn warmup_call(&self) -> Result<WarmupCall, Unreadable> {
        Ok(WarmupCall {
            game: self.game()?,
            question: self.payload.text_or_empty(&["warmup_question", "question"]),
            deadline: self.payload.time(DEADLINE),
            token: self.token(),
        })
    }

    pub(super) fn warmup_response(&self) -> Result<WarmupResponse, Unreadable> {
        let answer = self.payload.text(&["answer", "warmup_answer"]);
        Ok(WarmupResponse {
            game: self.game()?,
            answer: answer.ok_or_else(|| self.bad("answer", "a text"))?,
            token: self.token(),
        })
    }

    pub(super) fn round_start(&self) -> Result<RoundStart, Unreadable> {
        let hint = &["book_hint", "description", "book_description", "general_description"];
        let domain = &["association_word", "associative_domain", "association_topic"];
        let required = self.payload.number(&["questions_required", "question_count"]);
        Ok(RoundStart {
            game: self.game()?,
            book_name: self.payload.text_or_empty(&["book_name"]),
            book_hint: self.payload.text_or_empty(hint),
            association_word: self.payload.text_or_empty(domain),
            questions_required: required.unwrap_or(QUESTIONS as u32),
            deadline: self.payload.time(DEADLINE),
            token: self.token(),
        })
    }

    pub(super) fn questions(&self) -> Result<QuestionsBatch, Unreadable> {
        let game = self.game()?;
        let list = self.payload.list(&["questions"]);
        let list = list.ok_or_else(|| self.bad("questions", "a list"))?;
        let list = self.bounded(list, "questions", QUESTIONS_MAX)?;
        let questions = list.iter().zip(1..).map(|(value, place)| {
            question(value, place).ok_or_else(|| {
                let field = format!("questions[{}]", place - 1);
                self.bad(&field, "an object with question_number, question_text and options")
            })
        });
        Ok(QuestionsBatch {
            game,
            questions: questions.collect::<Result<_, _>>()?,
            token: self.token(),
        })
    }

    pub(super) fn answers(&self) -> Result<AnswersBatch, Unreadable> {
        let game = self.game()?;
        let list = self.payload.list(&["answers", "opponent_answers"]);
        let list = list.ok_or_else(|| self.bad("answers", "a list"))?;
        let list = self.bounded(list, "answers", QUESTIONS_MAX)?;
        let answers = list.iter().zip(1..).map(|(value, place)| answered(value, place)).collect();
        Ok(AnswersBatch {
            game,
            answers,
            deadline: self.payload.time(&["guess_deadline", "deadline", "response_deadline"]),
            token: self.token(),
        })
    }

    pub(super) fn guess(&self) -> Result<GuessSubmission, Unreadable> {
        let game = self.game()?;
        let sentence = &["opening_sentence", "opening_sentence_guess"];
        let word = &["associative_word", "associative_word_guess"];
        // Flat goes before nested: whoever sends both means the same.
        let nested = self.payload.object(&["guess"]);
        let pages = [Some(self.payload), nested].into_iter().flatten();
        let mut pages =
            pages.filter(|page| page.text(sentence).is_some() || page.text(word).is_some());
        let page = pages.next();
        let page = page.ok_or_else(|| self.bad("opening_sentence", "a text"))?;
        let confidence = page.real(&["confidence"]).unwrap_or(CONFIDENCE).clamp(0.0, 1.0);
        let guess = Guess {
            opening_sentence: page.text_or_empty(sentence),
            sentence_justification: page.text_or_empty(&["sentence_justification"]),
            associative_word: page.text_or_empty(word),
            word_justification: page.text_or_empty(&["word_justification"]),
            confidence: (confidence * 100.0).round() as u32,
        };
        Ok(GuessSubmission { game, guess, token: self.token() })
    }

    pub(super) fn score(&self) -> Result<ScoreFeedback, Unreadable> {
        let game = self.game()?;
        let points = self.payload.number(&["league_points", "league_score"]);
        Ok(ScoreFeedback {
            game,
            league_points: points.ok_or_else(|| self.bad("league_points", "a whole number"))?,
            private_score: self.payload.score(&["private_score"]).unwrap_or_default(),
            breakdown: breakdown(self.payload).unwrap_or_default(),
            feedback: feedback(self.payload),
            token: self.token(),
        })
    }
}

/// One question. A program that sends only its text has no options.
fn question(value: &Value, place: u32) -> Option<Question> {
    if let Value::String(_) = value {
        let map = [("text".to_owned(), value.clone())].into_iter().collect();
        let text = Fields(&map).text_or_empty(&["text"]);
        return Some(Question { number: place, text, options: Default::default() });
    }
    let fields = Fields(value.as_object()?);
    Some(Question {
        number: fields.number(NUMBER).unwrap_or(place),
        text: fields.text_or_empty(&["question_text", "text", "question"]),
        options: options(fields),
    })
}

/// What A, B, C and D mean: by their keys, or in a row.
fn options(fields: Fields<'_>) -> [Box<str>; 4] {
    let names = &["options", "choices"];
    if let Some(row) = fields.list(names) {
        let map = OPTIONS.iter().map(char::to_string).zip(row.iter().cloned()).collect();
        return lettered(Fields(&map));
    }
    fields.object(names).map(lettered).unwrap_or_default()
}

fn lettered(fields: Fields<'_>) -> [Box<str>; 4] {
    [&["A"], &["B"], &["C"], &["D"]].map(|name| fields.text_or_empty(name))
}

/// One answer. What is none of the options is not relevant.
fn answered(value: &Value, place: u32) -> Answered {
    let Some(fields) = value.as_object().map(Fields) else {
        return Answered { number: place, choice: choice(value.as_str().unwrap_or_default()) };
    };
    let word = fields.word(&["answer", "selected_option", "choice", "selected"]);
    let number = fields.number(NUMBER).unwrap_or(place);
    Answered { number, choice: choice(&word.unwrap_or_default()) }
}

/// `B`, `b`, `B) No`; anything else is not relevant.
fn choice(word: &str) -> Choice {
    let mut letters = word.trim().chars();
    let letter = letters.next().map(|letter| letter.to_ascii_uppercase());
    let ends = letters.next().is_none_or(|next| matches!(next, ')' | '.' | ':'));
    match letter.filter(|_| ends) {
        Some('A') => Choice::A,
        Some('B') => Choice::B,
        Some('C') => Choice::C,
        Some('D') => Choice::D,
        Some(_) | None => Choice::NotRelevant,
    }
}

/// The parts of a private score, if they are told.
pub(super) fn breakdown(payload: Fields<'_>) -> Option<Breakdown> {
    let parts = payload.object(&["breakdown"])?;
    let part = |names: &'static [&'static str]| parts.score(names).unwrap_or_default();
    Some(Breakdown {
        opening_sentence: part(&["opening_sentence_score", "opening_sentence"]),
        sentence_justification: part(&["sentence_justification_score", "sentence_justification"]),
        associative_word: part(&["associative_word_score", "associative_word"]),
        word_justification: part(&["word_justification_score", "word_justification"]),
    })
}

/// What is said about a guess, in two texts or in one.
pub(super) fn feedback(payload: Fields<'_>) -> Option<Feedback> {
    let Some(texts) = payload.object(&["feedback"]) else {
        let opening_sentence = payload.text(&["feedback"])?;
        return Some(Feedback { opening_sentence, ..Feedback::default() });
    };
    Some(Feedback {
        opening_sentence: texts.text_or_empty(&["opening_sentence"]),
        associative_word: texts.text_or_empty(&["associative_word"]),
    })
}
