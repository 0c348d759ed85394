//! Words of a text, as far as they tell something: lower case, without their endings.

use std::collections::BTreeSet;

/// Words that tell nothing about a text.
const EMPTY: &str = "\
    a about all an and any are as at be been but by can did do does for from had has have he \
    her him his how in is it its main mainly most not of on one or other our passage s she \
    some something text that the their them there they this to was we were what when where \
    which who will with would";

/// Endings that are dropped, the longest first.
const ENDINGS: &[&str] = &["ings", "ing", "ies", "ed", "es", "ly", "s", "y", "e"];

/// What must be left of a word without its ending.
const STEM_MIN: usize = 3;

/// The words in lower case, in their order.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// A word without its ending, so that `boats` and `boat` are the same.
pub(super) fn stem(word: &str) -> &str {
    let shorter = ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending));
    let mut kept = shorter.filter(|stem| stem.chars().count() >= STEM_MIN);
    kept.next().unwrap_or(word)
}

/// The stems of all words that tell something.
pub(super) fn stems(text: &str) -> BTreeSet<String> {
    let telling =
        tokens(text).into_iter().filter(|word| !EMPTY.split(' ').any(|empty| empty == word));
    telling.map(|word| stem(&word).to_owned()).collect()
}
