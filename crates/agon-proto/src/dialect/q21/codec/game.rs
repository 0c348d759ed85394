//! What the table cannot say of a game.

use serde_json::{Map, Value};

use super::fields::Fields;
use super::put::{KEYS, Put};
use super::read::{Reading, Row};
use super::unreadable::Unreadable;
use super::wire::Wire;
use super::write::Writing;
use crate::dialect::q21::game::in_hundredths;
use crate::dialect::q21::{Context, GuessSubmission, OPTIONS, QUESTIONS};
use agon_games::q21::{Q21Answer, Q21Choice, Q21Feedback, Q21Guess, Q21Question};

/// More questions than any game asks for, and than anybody answers.
const QUESTIONS_MAX: usize = 100;
/// How sure a player is who does not say it.
const CONFIDENCE: f64 = 0.5;
/// One of these makes a guess.
const GUESSED: [&str; 4] =
    ["opening_sentence", "opening_sentence_guess", "associative_word", "associative_word_guess"];

impl Reading<'_> {
    /// How many questions are wanted.
    pub(crate) fn wanted(&self, names: &[&str]) -> Option<u32> {
        self.number(names).or(Some(QUESTIONS as u32))
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

/// Flat, as referees read it, and again as an object, as the later players send it.
impl Wire for GuessSubmission {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        let game = from.game(&["match_id", "game_id"]);
        let game = game.ok_or_else(|| from.bad("match_id", "the game's id"))?;
        // Flat goes before nested: whoever sends both means the same.
        let nested = from.object(&["guess"]).map(|guess| from.within(guess));
        let mut pages = [Some(*from), nested].into_iter().flatten();
        let page = pages.find(|page| page.text(&GUESSED).is_some());
        let page = page.ok_or_else(|| from.bad("opening_sentence", "a text"))?;
        Ok(Self { game, guess: Q21Guess::read(&page)?, token: from.word(&["auth_token"]) })
    }

    fn write(&self, to: &mut Writing<'_>) {
        to.put("match_id", &self.game);
        self.guess.write(to);
        to.put("guess", &self.guess);
        to.put("auth_token", &self.token);
    }

    fn tell(&self, context: &mut Context) {
        self.game.tell(context);
    }
}
