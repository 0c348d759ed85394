//! A secret is found whatever its case, and nothing else is touched.

use super::*;

#[test]
fn a_secret_is_masked_wherever_it_stands_as_a_word() {
    assert_eq!(mask("Green, not evergreen: GREEN.", "green").unwrap(), "***, not evergreen: ***.");
    assert_eq!(mask("It began: The bell rang!", "the bell rang").unwrap(), "It began: ***!");
}

#[test]
fn a_text_without_the_secret_stays_as_it_is() {
    assert_eq!(mask("a fine guess", "green"), None);
    assert_eq!(mask("a fine guess", ""), None);
    assert_eq!(mask("", "green"), None);
    assert_eq!(mask("gree", "green"), None);
}
