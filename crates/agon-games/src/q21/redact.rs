//! Keeps a secret out of what players are told: wherever it stands in a text, dots stand instead.
//!
//! One player may have its feedback while the other is still guessing, and a program that writes
//! feedback is quickly tempted to name the answer.

use super::{Q21Book, Q21Feedback};

/// What stands in place of a secret.
const DOTS: &str = "…";

/// The feedback without the secrets of that book.
pub(super) fn without_secrets(feedback: &Q21Feedback, book: Option<&Q21Book>) -> Q21Feedback {
    let secrets = book.map(|book| [&book.opening_sentence, &book.associative_word]);
    let hide = |text: &str| {
        let secrets = secrets.into_iter().flatten().flatten();
        secrets.fold(text.to_owned(), |text, secret| without(&text, secret)).into()
    };
    Q21Feedback {
        opening_sentence: hide(&feedback.opening_sentence),
        associative_word: hide(&feedback.associative_word),
    }
}

/// The text without that secret, in whatever case it is written; only whole words count.
fn without(text: &str, secret: &str) -> String {
    let secret: Vec<char> = secret.trim().chars().collect();
    let chars: Vec<char> = text.chars().collect();
    if secret.is_empty() {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = at + secret.len();
        if stands_at(&chars, at, &secret) {
            kept.push_str(DOTS);
            at = end;
        } else {
            kept.push(chars[at]);
            at += 1;
        }
    }
    kept
}

fn stands_at(text: &[char], at: usize, secret: &[char]) -> bool {
    let end = at + secret.len();
    let Some(part) = text.get(at..end) else {
        return false;
    };
    let same = |(a, b): (&char, &char)| a == b || a.to_lowercase().eq(b.to_lowercase());
    let word = |place: Option<&char>| place.is_some_and(|char| char.is_alphanumeric());
    let begins = at == 0 || !word(text.get(at - 1)) || !word(secret.first());
    let ends = !word(text.get(end)) || !word(secret.last());
    begins && ends && part.iter().zip(secret).all(same)
}

#[cfg(test)]
mod tests;
