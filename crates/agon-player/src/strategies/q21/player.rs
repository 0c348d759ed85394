//! The player that needs no program: it knows the books, asks twenty questions of its own, finds
//! the text that would have been answered so, and remembers its beginning more or less well.
//!
//! Whatever it is asked, the answer follows from seed, game and question alone. After a crash the
//! same advice comes again.

use agon_games::q21::{Q21, Q21Answer, Q21Choice, Q21Guess, Q21Move, Q21PublicBook, Q21Question};
use agon_proto::AsPayload;
use agon_proto::dialect::q21::QUESTIONS;
use agon_proto::known::PlayerContext;
use serde::Deserialize;

use super::library::{Text, about_the_word, answer, stems, texts, tokens};
use super::{Dice, named};
use crate::{Decision, Situation, Strategy};

/// What it says to a question that is no sum.
const READY: &str = "I am ready.";
/// What the right book is worth beside answers that agree.
const BOOK_WEIGHT: usize = 10;
/// What the right domain is worth.
const DOMAIN_WEIGHT: usize = 3;
/// Beyond this a player remembers the whole sentence.
const PERFECT_MEMORY: usize = 80;
/// The worst memory keeps so many of a hundred words.
const MEMORY_MIN: usize = 55;
/// So many words of a hint are repeated in the reasons.
const HINT_WORDS_MAX: usize = 8;
/// How sure a player is of a text that it knows, and of one that it does not, in hundredths.
const SURE: u32 = 80;
const UNSURE: u32 = 20;

/// A deterministic player.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinPlayer {
    /// Two players with different seeds ask and remember differently.
    pub seed: u64,
}

impl BuiltinPlayer {
    fn think(&self, game: &str, now: &Situation<'_, Q21>) -> Option<Q21Move> {
        let view = &now.view;
        Some(match &*now.question.kind {
            "warmup" => Q21Move::Warmup(warmup(view.warmup_question.as_deref()?)),
            "questions" => Q21Move::Questions(questions(self.seed, game)),
            "guess" => {
                let questions = now.said.iter().find_map(|said| match said {
                    Q21Move::Questions(questions) => Some(&**questions),
                    Q21Move::Warmup(_) | Q21Move::Guess(_) => None,
                });
                let (book, answers) = (view.book.as_ref()?, view.answers.as_deref()?);
                let clues = Clues { book, answers, questions: questions? };
                Q21Move::Guess(Box::new(guess(self.seed, game, &clues)))
            }
            _ => return None,
        })
    }
}

impl Strategy<Q21> for BuiltinPlayer {
    fn choose(&mut self, now: &Situation<'_, Q21>) -> Decision<Q21Move> {
        let told = PlayerContext::of(&now.known.context).map(|told| told.game);
        let made = self.think(&named(told.ok(), now.question), now);
        made.map_or_else(|| Decision::Later(Box::pin(async { None })), Decision::Now)
    }
}

/// A question of our own, and its options.
type Entry = (Box<str>, [Box<str>; 4]);

/// All questions that it may ask.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bank {
    /// About the secret word. They divide any domain, so everybody asks them.
    word: Vec<Entry>,
    passage: Vec<Entry>,
}

/// Twenty questions, in the player's own order.
fn questions(seed: u64, game: &str) -> Vec<Q21Question> {
    let bank = serde_json::from_str(include_str!("player/questions.json"));
    let Bank { word, mut passage } = bank.expect("a test reads the same file");
    Dice::new(seed, &["questions", game]).shuffle(&mut passage);
    passage.truncate(QUESTIONS - word.len());
    let asked = passage.into_iter().chain(word);
    let question = |(number, (text, options))| Q21Question { number, text, options };
    (1..).zip(asked).map(question).collect()
}

/// The sum, if it is one.
fn warmup(question: &str) -> Box<str> {
    let numbers: Vec<u64> = tokens(question).iter().filter_map(|n| n.parse().ok()).collect();
    match numbers.as_slice() {
        [a, b] if question.contains('+') => a.saturating_add(*b).to_string().into(),
        _ => READY.into(),
    }
}

/// What a player knows when it guesses.
struct Clues<'a> {
    book: &'a Q21PublicBook,
    answers: &'a [Q21Answer],
    questions: &'a [Q21Question],
}

fn guess(seed: u64, game: &str, clues: &Clues<'_>) -> Q21Guess {
    let mut dice = Dice::new(seed, &["guess", game]);
    let found = likeliest(clues);
    let opening_sentence = found.map_or_else(
        || format!("It was {}.", clues.book.hint.to_lowercase()),
        |text| remember(&text.opening, &mut dice),
    );
    let associative_word = word(clues, &mut dice);
    Q21Guess {
        sentence_justification: sentence_reasons(clues).into(),
        word_justification: word_reasons(clues, &associative_word).into(),
        opening_sentence: opening_sentence.into(),
        associative_word: associative_word.into(),
        confidence: if found.is_some() { SURE } else { UNSURE },
        stand_in: false,
    }
}

/// The text that explains most: among those of the book, the one that agrees with the answers.
fn likeliest(clues: &Clues<'_>) -> Option<&'static Text> {
    let hint = stems(&clues.book.hint);
    // How many of the answers would have been the same.
    let agreeing = |text: &Text| {
        answered(clues).filter(|(question, choice)| answer(question, text) == *choice).count()
    };
    let weigh = |text: &Text| {
        let book = BOOK_WEIGHT * usize::from(text.book == clues.book.name);
        let domain = DOMAIN_WEIGHT * usize::from(text.domain == clues.book.association_word);
        book + domain + hint.intersection(&text.themes).count() + agreeing(text)
    };
    let known = texts().iter().filter(|text| text.book == clues.book.name);
    known.max_by_key(|text| weigh(text))
}

/// Questions with their answers.
fn answered<'a>(clues: &Clues<'a>) -> impl Iterator<Item = (&'a Q21Question, Q21Choice)> {
    let questions = clues.questions;
    clues.answers.iter().filter_map(move |given| {
        let question = questions.iter().find(|question| question.number == given.number)?;
        Some((question, given.choice))
    })
}

/// A sentence as it is remembered: some of its words may be gone.
fn remember(sentence: &str, dice: &mut Dice) -> String {
    let memory = MEMORY_MIN + dice.below(100 - MEMORY_MIN);
    if memory >= PERFECT_MEMORY {
        return sentence.into();
    }
    let kept = |_: &&str| dice.below(100) < memory;
    let words: Vec<&str> = sentence.split_whitespace().filter(kept).collect();
    words.join(" ")
}

/// A word of the domain that agrees with the answers about it; the domain itself if none is known.
fn word(clues: &Clues<'_>, dice: &mut Dice) -> String {
    let domain = &clues.book.association_word;
    let of_domain = texts().iter().filter(|text| text.domain == *domain);
    let words =
        of_domain.flat_map(|text| text.decoys.iter().chain([&text.word])).map(|word| &**word);
    let agrees = |word: &&str| {
        answered(clues).all(|(question, choice)| {
            about_the_word(question, word).is_none_or(|expected| expected == choice)
        })
    };
    let mut known: Vec<&str> = words.filter(agrees).collect();
    known.sort();
    dice.pick(&known).map_or_else(|| domain.to_string(), |word| word.to_string())
}

/// 30 to 50 words.
fn sentence_reasons(clues: &Clues<'_>) -> String {
    let hint: Vec<&str> = clues.book.hint.split_whitespace().take(HINT_WORDS_MAX).collect();
    let telling =
        clues.answers.iter().filter(|given| given.choice != Q21Choice::NotRelevant).count();
    format!(
        "The hint speaks of {}, and {telling} of my questions had a telling answer. I compared \
         these answers with every passage that I know of this book, and chose the one which \
         agrees with most of them, because its place and persons fit.",
        hint.join(" ")
    )
}

/// 20 to 30 words.
fn word_reasons(clues: &Clues<'_>, word: &str) -> String {
    format!(
        "The domain is {}, and the answers about the letters leave few words of it; therefore I \
         chose {word}, which fits them all and suits the passage.",
        clues.book.association_word
    )
}

#[cfg(test)]
mod tests;
