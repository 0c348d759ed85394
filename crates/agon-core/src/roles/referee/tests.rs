//! A referee under test, by call and by letter.

mod by_call;
mod by_letter;
