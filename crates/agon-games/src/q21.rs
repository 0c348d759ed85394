//! Q21, twenty-one questions: a warm-up together, then each seat at its own pace: questions, the
//! referee's answers, one guess, the referee's score.
//!
//! Who fails is out, and the other goes on to its own score. What is said in a player's place lets
//! the game go on as far as the guess, and there it counts as a failure. The secret stands in no
//! view.
//!
//! Spec: docs/protocol/q21.md

mod prepared;
mod words;

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::play::{VIEW_MAX, text};
use crate::{Failed, Gains, Game, GameInfo, Reason, Seat, Seats, Setting, Step, Turn};
pub use words::{
    Q21Answer, Q21Assessment, Q21Book, Q21Breakdown, Q21Brief, Q21Choice, Q21Feedback, Q21Guess,
    Q21Move, Q21PublicBook, Q21Question, Q21View, Q21Word, SCORE_MAX,
};

const WARMUP: u8 = 0;
const QUESTIONS: u8 = 1;
const GUESS: u8 = 2;

const WARMUP_QUESTION: u8 = 0;
const BOOK: u8 = 1;
const ANSWERS: u8 = 2;
const SCORE: u8 = 3;

/// What is wrong with a guess that nobody has made.
const STANDS_IN: &str = "the player's program failed, and nobody has guessed";

/// Its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Q21 {
    /// How many questions a player may ask.
    pub questions: u32,
}

/// Where a game stands. Boxed: it is large, and a position is copied about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    warmup_question: Option<Box<str>>,
    book: Option<Q21Book>,
    sides: [Side; 2],
}

/// What one player has said so far, and what was said to it.
#[derive(Debug, Clone, PartialEq, Default)]
struct Side {
    failed: bool,
    warmup: Option<Box<str>>,
    questions: Option<Vec<Q21Question>>,
    answers: Option<Vec<Q21Answer>>,
    guess: Option<Box<Q21Guess>>,
    score: Option<Q21Assessment>,
}

/// What one side waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaits {
    Its(u8),
    Judgement,
    Nothing,
}

impl Side {
    const fn awaits(&self) -> Awaits {
        match self {
            Self { failed: true, .. } | Self { score: Some(_), .. } => Awaits::Nothing,
            Self { warmup: None, .. } => Awaits::Its(WARMUP),
            Self { questions: None, .. } => Awaits::Its(QUESTIONS),
            Self { answers: None, .. } => Awaits::Judgement,
            Self { guess: None, .. } => Awaits::Its(GUESS),
            Self { score: None, .. } => Awaits::Judgement,
        }
    }
}

impl Game for Q21 {
    type State = Box<Table>;
    type Move = Q21Move;
    type View = Q21View;
    type Word = Q21Word;

    const INFO: GameInfo = GameInfo {
        name: "q21",
        rules: "The referee thinks of a book, and tells its name, a hint and the domain of a \
                secret word. After a warm-up question each player asks twenty questions with four \
                options each, hears the answers, and guesses the opening sentence and the secret \
                word, with reasons. The referee scores each guess from 0 to 100.",
        settings: &[Setting {
            name: "questions",
            meaning: "how many questions a player may ask",
            min: 1,
            max: 50,
        }],
        asks: &["warmup", "questions", "guess"],
        greets: true,
        failed: Failed::GoesOn,
        judgements: &["warmup_question", "book", "answers", "score"],
        ..GameInfo::USUAL
    };

    fn standard() -> Self {
        Self { questions: 20 }
    }

    /// Two words about the match; three moves of each, and two words about it.
    fn acts_max(&self) -> u32 {
        12
    }

    fn begin(&self) -> Box<Table> {
        Box::default()
    }

    fn turn(&self, table: &Box<Table>) -> Turn {
        let sides = &table.sides;
        let which =
            |awaits: fn(Awaits) -> bool| Seats::which(|seat| awaits(sides[seat.index()].awaits()));
        let warming = which(|awaits| awaits == Awaits::Its(WARMUP));
        let asked = which(|awaits| matches!(awaits, Awaits::Its(_)));
        let judged = which(|awaits| awaits == Awaits::Judgement);
        if asked.is_empty() && judged.is_empty() {
            Turn::Over
        } else if table.warmup_question.is_none() {
            Turn::Oracle
        } else if !warming.is_empty() {
            Turn::Together(warming)
        } else if table.book.is_none() {
            Turn::Oracle
        } else {
            Turn::Apart { asked, judged }
        }
    }

    fn kind(&self, table: &Box<Table>, seat: Seat) -> u8 {
        match table.sides[seat.index()].awaits() {
            Awaits::Its(kind) => kind,
            Awaits::Judgement | Awaits::Nothing => GUESS,
        }
    }

    fn legal(&self, table: &Box<Table>, seat: Seat, it: &Q21Move) -> Result<(), Reason> {
        let (kind, wanted) = (it.kind(), self.kind(table, seat));
        if kind != wanted {
            let asks = Self::INFO.asks;
            let (sent, wanted) = (asks[usize::from(kind)], asks[usize::from(wanted)]);
            return Err(format!("it is a {sent}; a {wanted} is expected").into());
        }
        match it {
            Q21Move::Questions(asked) if asked.is_empty() => Err("it asks nothing".into()),
            // Whoever does not guess must not beat whoever guesses wrong.
            Q21Move::Guess(guess) if guess.stand_in => Err(STANDS_IN.into()),
            Q21Move::Warmup(_) | Q21Move::Questions(_) | Q21Move::Guess(_) => Ok(()),
        }
    }

    fn legal_word(
        &self,
        table: &Box<Table>,
        about: Option<Seat>,
        word: &Q21Word,
    ) -> Result<(), Reason> {
        let side = about.map(|seat| &table.sides[seat.index()]);
        let wanted = match (word, side) {
            (Q21Word::WarmupQuestion(_), None) => table.warmup_question.is_none(),
            (Q21Word::Book(_), None) => table.warmup_question.is_some(),
            (Q21Word::Answers(_), Some(side)) => side.answers.is_none(),
            (Q21Word::Score(_), Some(side)) => side.guess.is_some(),
            (Q21Word::WarmupQuestion(_) | Q21Word::Book(_), Some(_))
            | (Q21Word::Answers(_) | Q21Word::Score(_), None) => false,
        };
        if !wanted {
            return Err("it answers another question".into());
        }
        // What is longer than we show is cut; what would fill a view by itself is no answer.
        if word.clone().shown().iter().any(|(text, _)| text.len() >= VIEW_MAX) {
            return Err(format!("a text has {VIEW_MAX} bytes or more").into());
        }
        match word {
            Q21Word::Answers(answers) if answers.len() > self.questions as usize => {
                Err("there are more answers than questions".into())
            }
            Q21Word::Score(given) if given.beyond_bounds() => Err("a score is 0 to 100".into()),
            Q21Word::WarmupQuestion(_)
            | Q21Word::Book(_)
            | Q21Word::Answers(_)
            | Q21Word::Score(_) => Ok(()),
        }
    }

    fn judgement(&self, table: &Box<Table>, about: Option<Seat>) -> u8 {
        match about {
            None if table.warmup_question.is_none() => WARMUP_QUESTION,
            None => BOOK,
            Some(seat) if table.sides[seat.index()].answers.is_none() => ANSWERS,
            Some(_) => SCORE,
        }
    }

    /// A warm-up needs no judgement: it is not judged.
    fn word_instead(&self, table: &Box<Table>, about: Option<Seat>, seed: u64) -> Option<Q21Word> {
        let warms_up = self.judgement(table, about) == WARMUP_QUESTION;
        let [a, b, ..] = seed.to_le_bytes().map(|byte| byte % 9 + 1);
        warms_up.then(|| Q21Word::WarmupQuestion(format!("What is {a} + {b}?").into()))
    }

    fn move_instead(&self, kind: u8, view: &Q21View) -> Option<Q21Move> {
        prepared::instead(kind, view)
    }

    fn example(&self, kind: &str, seed: u64, secret: &str) -> Option<String> {
        prepared::example(self.questions, kind, seed, secret)
    }

    fn apply(&self, table: &mut Box<Table>, step: Step<Q21Move, Q21Word>) {
        match step {
            Step::Moves(moves) => {
                for (side, it) in table.sides.iter_mut().zip(moves) {
                    match it {
                        Some(Q21Move::Warmup(answer)) => side.warmup = Some(answer),
                        Some(Q21Move::Questions(mut asked)) => {
                            // Fewer is the player's own loss, more would be its gain.
                            asked.truncate(self.questions as usize);
                            side.questions = Some(asked);
                        }
                        Some(Q21Move::Guess(guess)) => side.guess = Some(guess),
                        None => {}
                    }
                }
            }
            Step::Word(about, word) => {
                let Table { warmup_question, book, sides } = &mut **table;
                match (word.cut(), about) {
                    (Q21Word::WarmupQuestion(text), _) => *warmup_question = Some(text),
                    (Q21Word::Book(said), _) => *book = Some(said),
                    (Q21Word::Answers(said), Some(seat)) => {
                        sides[seat.index()].answers = Some(said);
                    }
                    (Q21Word::Score(mut given), Some(seat)) => {
                        given.feedback = given.feedback.without_secrets(book.as_ref());
                        sides[seat.index()].score = Some(given);
                    }
                    // `legal_word` lets no such word in.
                    (Q21Word::Answers(_) | Q21Word::Score(_), None) => {}
                }
            }
            Step::Failed(seat) => table.sides[seat.index()].failed = true,
            Step::Drawn(_) => {}
        }
    }

    fn view(&self, table: &Box<Table>, seat: Option<Seat>) -> Q21View {
        let own = seat.map(|seat| &table.sides[seat.index()]);
        let over = self.turn(table) == Turn::Over;
        let warmed_up = table.sides.iter().all(|side| side.failed || side.warmup.is_some());
        let score = own.and_then(|side| side.score.clone());
        // Whoever has its score knows the rest, and all of it together would be too long.
        let playing = score.is_none();
        let book = table.book.as_ref().filter(|_| warmed_up && playing);
        Q21View {
            warmup_question: table.warmup_question.clone().filter(|_| playing),
            book: book.map(|book| book.public.clone()),
            answers: own.and_then(|side| side.answers.clone()).filter(|_| playing),
            score,
            private_scores: over.then(|| self.gains(table)),
        }
    }

    fn prompt(&self, table: &Box<Table>, about: Option<Seat>) -> String {
        let side = about.map(|seat| &table.sides[seat.index()]);
        let told = Q21Brief {
            warmup_question: table.warmup_question.clone(),
            warmup_answers: table.sides.each_ref().map(|side| side.warmup.clone()),
            book: table.book.clone(),
            questions: side.and_then(|side| side.questions.clone()),
            answers: side.and_then(|side| side.answers.clone()),
            guess: side.and_then(|side| side.guess.clone()),
        };
        text(&told)
    }

    /// The private score of whoever is scored.
    fn gains(&self, table: &Box<Table>) -> Gains {
        table.sides.each_ref().map(|side| side.score.as_ref().map(|given| given.private_score))
    }

    fn tell(&self, table: &Box<Table>, names: [&dyn Display; 2]) -> String {
        let part = |seat: Seat| {
            let (name, score) = (names[seat.index()], self.gains(table)[seat.index()]);
            score.map_or(format!("{name} was not scored"), |score| {
                format!("{name} scored {}.{:02}", score / 100, score % 100)
            })
        };
        format!("{}, {}", part(Seat::A), part(Seat::B))
    }
}
