//! How letters spell a match: its questions, the moves, and what it was worth. What is shown and
//! moved are payloads of the game to everybody else; here is what stands in them.
//!
//! The game and its token stand in every letter; see [`super::Context`] for the game.
//!
//! Spec: docs/protocol/q21.md

use agon_games::q21::{
    Q21Answer, Q21Assessment, Q21Breakdown, Q21Choice, Q21Feedback, Q21Guess, Q21Move,
    Q21PublicBook, Q21Question, Q21View,
};
use serde_json::{Map, Value};

use super::codec::{
    Fields, KEYS, Put, Reading, Row, Unreadable, Wire, Writing, fraction, lettered, spelling,
};
use super::{ActKind, AsPayload, Asked, Context, GameId, Moved, Score, Worth};
use crate::Payload;

/// How many questions a player asks.
pub const QUESTIONS: usize = 20;
/// The keys of a question's options.
pub const OPTIONS: [char; 4] = ['A', 'B', 'C', 'D'];

/// The game.
pub(super) const GAME: [&str; 2] = ["match_id", "game_id"];
const TOKEN: [&str; 1] = ["auth_token"];
const NUMBER: [&str; 3] = ["question_number", "number", "question_id"];
const HINT: [&str; 4] = ["book_hint", "description", "book_description", "general_description"];
const DOMAIN: [&str; 3] = ["association_word", "associative_domain", "association_topic"];
/// What a game is worth in the league.
pub(super) const POINTS: [&str; 2] = ["league_points", "league_score"];

/// Q21WARMUPCALL, Q21ROUNDSTART and Q21ANSWERSBATCH, by the number of the question.
impl Wire for Asked {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        let game = from.needed_game(&GAME)?;
        let mut seen = Q21View::default();
        let mut deadline = ["deadline", "response_deadline", "guess_deadline"];
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is read as this")]
        let number = match from.kind {
            ActKind::Ask(0) => {
                let question = from.text(&["warmup_question", "question"]);
                seen.warmup_question = Some(question.unwrap_or_default());
                0
            }
            ActKind::Ask(1) => {
                seen.book = Some(Q21PublicBook::read(from)?);
                1
            }
            _ => {
                seen.answers = Some(from.needed_rows(&["answers", "opponent_answers"])?);
                // That for the guess goes before any other.
                deadline.rotate_right(1);
                2
            }
        };
        let (deadline, token) = (from.time(&deadline), from.word(&TOKEN));
        Ok(Self { game, number, view: bounded(&seen)?, deadline, token })
    }

    fn write(&self, to: &mut Writing<'_>) {
        to.put(GAME[0], &self.game);
        let seen = Q21View::of(&self.view).unwrap_or_default();
        let deadlines: &[&str] = match self.number {
            0 => {
                to.put("warmup_question", &seen.warmup_question.unwrap_or_default());
                &["deadline", "response_deadline"]
            }
            1 => {
                seen.book.unwrap_or_default().write(to);
                &["deadline", "response_deadline"]
            }
            _ => {
                to.put("answers", &seen.answers.unwrap_or_default());
                &["deadline", "guess_deadline", "response_deadline"]
            }
        };
        deadlines.iter().for_each(|name| to.put(name, &self.deadline));
        to.put(TOKEN[0], &self.token);
    }

    fn tell(&self, context: &mut Context) {
        self.game.tell(context);
    }
}

/// Q21WARMUPRESPONSE, Q21QUESTIONSBATCH and Q21GUESSSUBMISSION, likewise.
impl Wire for Moved {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        let game = from.needed_game(&GAME)?;
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is read as this")]
        let (number, said) = match from.kind {
            ActKind::Move(0) => {
                let answer = from.text(&["answer", "warmup_answer"]);
                (0, Q21Move::Warmup(answer.ok_or_else(|| from.bad("answer", "a text"))?))
            }
            ActKind::Move(1) => (1, Q21Move::Questions(from.needed_rows(&["questions"])?)),
            _ => (2, Q21Move::Guess(Box::new(from.guess()?))),
        };
        Ok(Self { game, number, said: bounded(&said)?, token: from.word(&TOKEN) })
    }

    fn write(&self, to: &mut Writing<'_>) {
        // Whoever moves has been told before what is no move.
        let Ok(said) = Q21Move::of(&self.said) else { return };
        to.put(GAME[0], &self.game);
        match &said {
            Q21Move::Warmup(answer) => to.put("answer", answer),
            Q21Move::Questions(questions) => {
                to.put("total_questions", &questions.len());
                to.put("questions", questions);
            }
            // Flat, as referees read it, and again as an object, as the later players send it.
            Q21Move::Guess(guess) => {
                guess.write(to);
                to.put("guess", guess);
            }
        }
        to.put(TOKEN[0], &self.token);
    }

    fn tell(&self, context: &mut Context) {
        self.game.tell(context);
    }
}

spelling! {
    Worth {
        game = needed_game(GAME),
        league_points = number(POINTS) or "a whole number"
            => ["league_points", "league_score"],
        private_score = score(["private_score"]),
        view = assessed(["breakdown", "feedback"]) => parts ["breakdown"],
        + "feedback" = |said, _| Some(assessment(&said.view).unwrap_or_default().feedback),
        token = word(TOKEN),
    }

    Q21PublicBook {
        name = text(["book_name"]),
        hint = text(HINT) => ["book_hint", "description", "book_description"],
        association_word = text(DOMAIN) => ["association_word", "associative_domain"],
        + "questions_required" = |_, _| Some(QUESTIONS),
        + "question_count" = |_, _| Some(QUESTIONS),
    }

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
        stand_in = flag(["stand_in"]) => only_true ["stand_in"],
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

/// A mark that is not there where it does not apply.
fn only_true(said: &bool) -> Option<bool> {
    said.then_some(true)
}

/// A score of 0 to 100 that the game counts in hundredths.
pub(super) fn in_points(hundredths: &i32) -> Score {
    Score::from_hundredths(u32::try_from(*hundredths).unwrap_or(0))
}

/// The same, as the game counts it.
pub(super) fn in_hundredths(score: Score) -> i32 {
    i32::try_from(score.hundredths()).unwrap_or(i32::MAX)
}

/// The payload of what a letter brings, unless it is too long to be kept.
pub(super) fn bounded(said: &impl AsPayload) -> Result<Payload, Unreadable> {
    let payload = said.payload();
    let max = Payload::LENGTH_MAX;
    if payload.as_bytes().len() > max { Err(Unreadable::TooLarge { max }) } else { Ok(payload) }
}

pub(super) fn seen_score(score: Q21Assessment) -> Q21View {
    Q21View { score: Some(score), ..Q21View::default() }
}

fn assessment(view: &Payload) -> Option<Q21Assessment> {
    Q21View::of(view).ok()?.score
}

/// What was said about a guess, of what its player saw.
pub(super) fn feedback(view: &Option<Payload>) -> Option<Q21Feedback> {
    Some(assessment(view.as_ref()?)?.feedback)
}

/// The parts of a score that was told.
fn parts(view: &Payload) -> Q21Breakdown {
    assessment(view).unwrap_or_default().breakdown
}

/// The same, of what a player saw, if it saw any.
pub(super) fn breakdown(view: &Option<Payload>) -> Option<Q21Breakdown> {
    Some(assessment(view.as_ref()?)?.breakdown)
}

/// More questions than any game asks for, and than anybody answers.
const QUESTIONS_MAX: usize = 100;
/// How sure a player is who does not say it.
const CONFIDENCE: f64 = 0.5;
/// One of these makes a guess.
const GUESSED: [&str; 4] =
    ["opening_sentence", "opening_sentence_guess", "associative_word", "associative_word_guess"];

impl Reading<'_> {
    /// The game, which every letter of a match names.
    pub(crate) fn needed_game(&self, names: &[&str]) -> Result<GameId, Unreadable> {
        self.game(names).ok_or_else(|| self.bad(names[0], "the game's id"))
    }

    /// A guess, flat or as an object. Flat goes first: whoever sends both means the same.
    pub(crate) fn guess(&self) -> Result<Q21Guess, Unreadable> {
        let nested = self.object(&["guess"]).map(|guess| self.within(guess));
        let mut pages = [Some(*self), nested].into_iter().flatten();
        let page = pages.find(|page| page.text(&GUESSED).is_some());
        Q21Guess::read(&page.ok_or_else(|| self.bad("opening_sentence", "a text"))?)
    }

    /// A row's number, or its place.
    pub(crate) fn numbered(&self, names: &[&str]) -> Option<u32> {
        self.number(names).or(self.place())
    }

    /// What A, B, C and D mean: by their keys, or in a row.
    pub(crate) fn options(&self, names: &[&str]) -> Option<[Box<str>; 4]> {
        let row = self.list(names).map(|row| {
            KEYS.map(str::to_owned).into_iter().zip(row.iter().cloned()).collect::<Map<_, _>>()
        });
        let fields = row.as_ref().map(Fields).or_else(|| self.object(names))?;
        Some(KEYS.map(|name| fields.text(&[name]).unwrap_or_default()))
    }

    /// `B`, `b`, `B) No`; anything else is not relevant.
    pub(crate) fn choice(&self, names: &[&str]) -> Option<Q21Choice> {
        let word = self.word(names)?;
        let mut letters = word.chars();
        let letter = letters.next()?.to_ascii_uppercase();
        let ends = letters.next().is_none_or(|next| matches!(next, ')' | '.' | ':'));
        let place = OPTIONS.iter().position(|option| *option == letter && ends)?;
        Some([Q21Choice::A, Q21Choice::B, Q21Choice::C, Q21Choice::D][place])
    }

    /// A score of 0 to 100, in hundredths.
    pub(crate) fn hundredths(&self, names: &[&str]) -> Option<i32> {
        self.score(names).map(in_hundredths)
    }

    /// How sure a player is, in hundredths.
    pub(crate) fn confidence(&self, names: &[&str]) -> Option<u32> {
        let confidence = self.real(names).unwrap_or(CONFIDENCE).clamp(0.0, 1.0);
        Some((confidence * 100.0).round() as u32)
    }

    /// What is said about a guess, in two texts or in one.
    pub(crate) fn feedback(&self, names: &[&str]) -> Option<Q21Feedback> {
        let one =
            || Some(Q21Feedback { opening_sentence: self.text(names)?, ..Q21Feedback::default() });
        self.nested(names).or_else(one)
    }

    /// What a player saw of its score: the score itself, its parts, and what is said about it.
    pub(crate) fn assessed(&self, [parts, said]: &[&str; 2]) -> Result<Payload, Unreadable> {
        bounded(&seen_score(Q21Assessment {
            private_score: self.hundredths(&["private_score"]).unwrap_or_default(),
            breakdown: self.nested(&[parts]).unwrap_or_default(),
            feedback: self.feedback(&[said]).unwrap_or_default(),
        }))
    }
}

/// A program that sends only a question's text has no options.
impl Row for Q21Question {
    const MAX: usize = QUESTIONS_MAX;
    const NEEDS: &'static str = "an object with question_number, question_text and options";

    fn bare(value: &Value) -> Option<Map<String, Value>> {
        value.is_string().then(|| Map::from_iter([("text".into(), value.clone())]))
    }
}

impl Row for Q21Answer {
    const MAX: usize = QUESTIONS_MAX;
    const NEEDS: &'static str = "an object with question_number and answer";

    fn bare(value: &Value) -> Option<Map<String, Value>> {
        Some(Map::from_iter([("answer".into(), value.clone())]))
    }
}
