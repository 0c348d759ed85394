//! Answers follow from the words that question and text share.

use super::super::*;

fn question(number: u32, text: &str, options: [&str; 4]) -> Q21Question {
    Q21Question { number, text: text.into(), options: options.map(Into::into) }
}

/// The text about a keeper, a lamp and the sea.
fn text() -> &'static Text {
    &texts()[0]
}

#[track_caller]
fn check(asked: &str, options: [&str; 4], expected: Q21Choice) {
    assert_eq!(answer(&question(1, asked, options), text()), expected);
}

#[test]
fn the_option_that_has_most_to_do_with_the_text_is_the_answer() {
    check(
        "Where?",
        ["in a city", "by the sea, on a coast", "in a kitchen", "on the moon"],
        Q21Choice::B,
    );
    check("Who?", ["a queen", "a dog", "somebody's brother", "a crowd"], Q21Choice::C);
}

#[test]
fn yes_and_no_are_understood_wherever_they_stand() {
    let usual = ["Yes", "No", "Partly", "Unknown"];
    check("Is it about the sea?", usual, Q21Choice::A);
    check("Is it about a violin?", usual, Q21Choice::B);
    check("Is it about a violin by the sea?", usual, Q21Choice::C);
    check("Is it about the sea?", ["no", "unknown", "maybe", "yes"], Q21Choice::D);
}

#[test]
fn a_question_about_nothing_in_the_text_is_not_relevant() {
    check("Which?", ["red", "blue", "purple", "orange"], Q21Choice::NotRelevant);
    check("", ["", "", "", ""], Q21Choice::NotRelevant);
}

#[test]
fn letters_of_the_secret_word_are_told() {
    let first = ["A to F", "G to M", "N to S", "T to Z"];
    check("With which letter does the word begin?", first, Q21Choice::B);
    check("How many letters has the word?", ["3", "4 or 5", "6 to 9", "10 to 20"], Q21Choice::D);
    check("With which letter does the word begin?", ["A", "B", "C", "D"], Q21Choice::NotRelevant);
}
