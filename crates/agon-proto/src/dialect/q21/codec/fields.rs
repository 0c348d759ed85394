//! The fields of one JSON object, under any of the names that they go by, bounded at the door.

use serde_json::{Map, Value};

use super::kinds::same;
use crate::dialect::q21::Score;
use crate::text::{printable, readable};
use crate::{Address, DisplayName, Timestamp};

/// Longest word that is kept: an id, a state, a reason in one word.
const WORD_MAX: usize = 254;
/// Longest text that is kept: a hint, a question, reasons, feedback.
const TEXT_MAX: usize = 4000;

/// Fields, each asked for by all its names, the preferred one first. The spelling of a name is
/// tolerant as that of a message is: `match_id`, `matchid` and `matchId` are one name.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// Everything that stands under one of the names and is not `null`.
    fn all(self, names: &'a [&'a str]) -> impl Iterator<Item = &'a Value> {
        names.iter().filter_map(move |name| self.exact_or_similar(name))
    }

    fn exact_or_similar(self, name: &str) -> Option<&'a Value> {
        let similar = || self.0.iter().find(|(key, _)| same(key, name)).map(|(_, value)| value);
        self.0.get(name).or_else(similar).filter(|value| !value.is_null())
    }

    /// Whatever stands there.
    pub(super) fn value(self, names: &'a [&'a str]) -> Option<&'a Value> {
        self.all(names).next()
    }

    /// Free text: the first that says anything, or else nothing in so many words.
    pub(super) fn text(self, names: &'a [&'a str]) -> Option<Box<str>> {
        let mut texts = self.all(names).filter_map(plain).map(|text| readable(&text, TEXT_MAX));
        let first = texts.next()?;
        if !first.trim().is_empty() {
            return Some(first.into());
        }
        Some(texts.find(|text| !text.trim().is_empty()).unwrap_or(first).into())
    }

    /// Free text; nothing if it is missing.
    pub(super) fn text_or_empty(self, names: &'a [&'a str]) -> Box<str> {
        self.text(names).unwrap_or_default()
    }

    /// One word, which is there only if it says something.
    pub(super) fn word(self, names: &'a [&'a str]) -> Option<String> {
        let words = self.all(names).filter_map(plain);
        let mut words = words.map(|word| printable(word.trim(), WORD_MAX));
        words.find(|word| !word.trim().is_empty()).map(|word| word.trim().to_owned())
    }

    /// One word that stays text.
    pub(super) fn boxed(self, names: &'a [&'a str]) -> Option<Box<str>> {
        self.word(names).map(Into::into)
    }

    pub(super) fn name(self, names: &'a [&'a str]) -> Option<DisplayName> {
        self.word(names).map(|word| display_name(&word))
    }

    pub(super) fn address(self, names: &'a [&'a str]) -> Option<Address> {
        self.word(names).map(|word| Address::new(&word)).filter(|address| !address.is_empty())
    }

    /// A whole number that is not negative, as a number or in digits.
    pub(super) fn number(self, names: &'a [&'a str]) -> Option<u32> {
        self.all(names).filter_map(real).find(|number| *number >= 0.0).map(|number| number as u32)
    }

    /// A number of any kind.
    pub(super) fn real(self, names: &'a [&'a str]) -> Option<f64> {
        self.all(names).find_map(real)
    }

    pub(super) fn score(self, names: &'a [&'a str]) -> Option<Score> {
        self.real(names).map(Score::from_points)
    }

    pub(super) fn flag(self, names: &'a [&'a str]) -> Option<bool> {
        self.all(names).find_map(|value| match value {
            Value::Bool(flag) => Some(*flag),
            Value::String(word) if word.eq_ignore_ascii_case("true") => Some(true),
            Value::String(word) if word.eq_ignore_ascii_case("false") => Some(false),
            Value::Null
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        })
    }

    pub(super) fn time(self, names: &'a [&'a str]) -> Option<Timestamp> {
        self.all(names).find_map(|value| time(value.as_str()?.trim()))
    }

    pub(super) fn object(self, names: &'a [&'a str]) -> Option<Fields<'a>> {
        self.all(names).find_map(|value| value.as_object().map(Fields))
    }

    pub(super) fn list(self, names: &'a [&'a str]) -> Option<&'a [Value]> {
        self.all(names).find_map(|value| value.as_array().map(Vec::as_slice))
    }
}

/// A name. Cut between two words it would end with a blank, and be another one when it comes again.
pub(super) fn display_name(word: &str) -> DisplayName {
    DisplayName::new(DisplayName::new(word).as_str().trim_end())
}

/// A text, or what a program wrote where it should have written one.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(digits) => digits.trim().parse().ok().filter(|number: &f64| !number.is_nan()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A time in UTC. One that names no zone is taken for UTC, which is what all known agents mean; one
/// with an offset says exactly what it means.
fn time(text: &str) -> Option<Timestamp> {
    let utc = text.parse().or_else(|_| format!("{text}Z").parse());
    utc.ok().or_else(|| {
        let micros = text.parse::<jiff::Timestamp>().ok()?.as_microsecond();
        (micros >= 0).then(|| Timestamp::from_micros(micros))
    })
}
