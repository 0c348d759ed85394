//! What the table cannot say of a game.

use serde_json::{Map, Value};

use super::fields::Fields;
use super::put::KEYS;
use super::read::{Reading, Row};
use super::unreadable::Unreadable;
use super::wire::Wire;
use crate::Payload;
use crate::dialect::q21::game::{bounded, in_hundredths, seen_score};
use crate::dialect::q21::{GameId, OPTIONS};
use agon_games::q21::{Q21Answer, Q21Assessment, Q21Choice, Q21Feedback, Q21Guess, Q21Question};

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
