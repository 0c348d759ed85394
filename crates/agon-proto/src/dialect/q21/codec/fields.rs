//! The fields of one JSON object, under any of the names that they go by, bounded at the door.
//!
//! Spec: docs/protocol/q21.md

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::dialect::q21::Score;
use crate::dialect::q21::body::same;
use crate::text::{printable, readable};
use crate::{Address, AuthToken, DisplayName, GroupId, Timestamp};

/// Longest word that is kept: an id, a state, a reason in one word.
const WORD_MAX: usize = 254;
/// Longest text that is kept: a hint, a question, reasons, feedback.
const TEXT_MAX: usize = 4000;
/// Longest token that is kept.
const TOKEN_MAX: usize = 256;

/// Fields, each asked for by all its names, the preferred one first. The spelling of a name is
/// tolerant as that of a message is: `match_id`, `matchid` and `matchId` are one name.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(pub(crate) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// Everything that stands under one of the names and is not `null`.
    pub(super) fn all(self, names: &[&str]) -> impl Iterator<Item = &'a Value> {
        names.iter().filter_map(move |name| {
            let similar = || self.0.iter().find(|(key, _)| same(key, name)).map(|(_, value)| value);
            self.0.get(*name).or_else(similar).filter(|value| !value.is_null())
        })
    }

    /// Free text: the first that says anything, or else nothing in so many words.
    pub(crate) fn text(self, names: &[&str]) -> Option<Box<str>> {
        let mut texts = self.all(names).filter_map(plain).map(|text| readable(&text, TEXT_MAX));
        let first = texts.next()?;
        if !first.trim().is_empty() {
            return Some(first.into());
        }
        Some(texts.find(|text| !text.trim().is_empty()).unwrap_or(first).into())
    }

    /// One word, which is there only if it says something.
    pub(crate) fn word(self, names: &[&str]) -> Option<Box<str>> {
        let words = self.all(names).filter_map(plain);
        let mut words = words.map(|word| printable(word.trim(), WORD_MAX));
        words.find(|word| !word.trim().is_empty()).map(|word| word.trim().into())
    }

    /// A word that is a name of its own type.
    pub(crate) fn id<T: DeserializeOwned>(self, names: &[&str]) -> Option<T> {
        serde_json::from_value(Value::String(self.word(names)?.into())).ok()
    }

    /// A word of a closed set, as it is sent; `None` if it is no such word.
    pub(crate) fn one_of<T: DeserializeOwned>(self, names: &[&str]) -> Option<T> {
        serde_json::from_value(Value::String(self.word(names)?.to_ascii_uppercase())).ok()
    }

    pub(crate) fn group(self, names: &[&str]) -> Option<GroupId> {
        self.id(names)
    }

    pub(crate) fn address(self, names: &[&str]) -> Option<Address> {
        self.id(names)
    }

    pub(crate) fn name(self, names: &[&str]) -> Option<DisplayName> {
        self.word(names).map(|word| display_name(&word))
    }

    /// A token as it stands there. What is too long can never be right, so its end does not matter.
    pub(crate) fn token(self, names: &[&str]) -> Option<AuthToken> {
        let text = self.all(names).next()?.as_str()?;
        let text: String = text.chars().take(TOKEN_MAX).collect();
        (!text.is_empty()).then(|| AuthToken::from(text.as_str()))
    }

    /// A whole number that is not negative, as a number or in digits.
    pub(crate) fn number(self, names: &[&str]) -> Option<u32> {
        self.all(names).filter_map(real).find(|number| *number >= 0.0).map(|number| number as u32)
    }

    /// A number of any kind.
    pub(crate) fn real(self, names: &[&str]) -> Option<f64> {
        self.all(names).find_map(real)
    }

    pub(crate) fn score(self, names: &[&str]) -> Option<Score> {
        self.real(names).map(Score::from_points)
    }

    pub(crate) fn flag(self, names: &[&str]) -> Option<bool> {
        let mut words = self.all(names).filter_map(plain);
        words.find_map(|word| word.to_ascii_lowercase().parse().ok())
    }

    /// A time as we would print it: in whole seconds, so that it is the same when it comes again.
    pub(crate) fn time(self, names: &[&str]) -> Option<Timestamp> {
        let time = self.all(names).find_map(|value| time(value.as_str()?.trim()))?;
        time.to_string().parse().ok()
    }

    pub(crate) fn object(self, names: &[&str]) -> Option<Fields<'a>> {
        self.all(names).find_map(|value| value.as_object().map(Fields))
    }

    pub(crate) fn list(self, names: &[&str]) -> Option<&'a [Value]> {
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
