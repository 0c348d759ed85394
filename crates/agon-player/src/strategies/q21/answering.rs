//! How a question about a text is answered: by the words that it shares with the text.

use agon_games::q21::{Q21Choice, Q21Question};

use super::library::Text;
use super::vocabulary::{stems, tokens};

const CHOICES: [Q21Choice; 4] = [Q21Choice::A, Q21Choice::B, Q21Choice::C, Q21Choice::D];
/// A word that the text is about weighs as much as so many that merely stand in it.
const THEME_WEIGHT: usize = 2;

/// The answer. It depends on the question and the text alone.
pub(super) fn answer(question: &Q21Question, text: &Text) -> Q21Choice {
    about_the_word(question, &text.word)
        .or_else(|| yes_or_no(question, text))
        .or_else(|| by_overlap(question, text))
        .unwrap_or(Q21Choice::NotRelevant)
}

/// How much a phrase has to do with the text.
fn weight(phrase: &str, text: &Text) -> usize {
    stems(phrase).iter().map(|stem| weight_of(stem, text)).sum()
}

fn weight_of(stem: &String, text: &Text) -> usize {
    THEME_WEIGHT * usize::from(text.themes.contains(stem)) + usize::from(text.words.contains(stem))
}

/// The option that has most to do with the text; the first of several.
fn by_overlap(question: &Q21Question, text: &Text) -> Option<Q21Choice> {
    let weights = question.options.each_ref().map(|option| weight(option, text));
    let most = weights.iter().copied().max().filter(|most| *most > 0)?;
    let index = weights.iter().position(|weight| *weight == most)?;
    Some(CHOICES[index])
}

/// Yes if all that the question names is in the text, no if nothing is, partly otherwise.
fn yes_or_no(question: &Q21Question, text: &Text) -> Option<Q21Choice> {
    let option = |wanted: &[&str]| {
        let says = |option: &str| {
            tokens(option).first().is_some_and(|first| wanted.contains(&first.as_str()))
        };
        question.options.iter().position(|option| says(option)).map(|index| CHOICES[index])
    };
    let (yes, no) = (option(&["yes", "true"])?, option(&["no", "false"])?);
    let partly = option(&["partly", "partially", "maybe", "somewhat"]).unwrap_or(yes);
    let named = stems(&question.text);
    let known = named.iter().filter(|stem| weight_of(stem, text) > 0).count();
    Some(match known {
        0 => no,
        all if all == named.len() => yes,
        _ => partly,
    })
}

/// A question about the letters of the secret word: with which it begins, or how many there are.
///
/// Nothing if it is none, or if no option fits.
pub(super) fn about_the_word(question: &Q21Question, word: &str) -> Option<Q21Choice> {
    let asked = tokens(&question.text);
    let mentions = |wanted: &[&str]| asked.iter().any(|word| wanted.contains(&word.as_str()));
    if !mentions(&["word"]) || !mentions(&["letter", "letters"]) {
        return None;
    }
    let fits = |option: &str| {
        if mentions(&["many"]) {
            let numbers = tokens(option).iter().filter_map(|n| n.parse().ok()).collect::<Vec<_>>();
            between(&numbers, &word.chars().count())
        } else {
            let letters = tokens(option).into_iter().filter(|token| token.chars().count() == 1);
            let first = word.to_lowercase().chars().take(1).collect::<String>();
            between(&letters.collect::<Vec<_>>(), &first)
        }
    };
    question.options.iter().position(|option| fits(option)).map(|index| CHOICES[index])
}

/// Whether it lies between the first and the last of them.
fn between<T: PartialOrd>(limits: &[T], value: &T) -> bool {
    let ends = limits.first().zip(limits.last());
    ends.is_some_and(|(least, most)| least <= value && value <= most)
}

#[cfg(test)]
mod tests;
