//! One kind of time: UTC, in microseconds, printed in whole seconds.
//!
//! Reads what real agents send (fractions, `+00:00`, the compact form) and refuses every other
//! offset, because an agent that is wrong about its zone is wrong about its deadlines.
//!
//! Spec: docs/protocol/README.md

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;
use std::time::Duration;

use jiff::tz::Offset;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::texts;

const MICROS_PER_SECOND: i64 = 1_000_000;

/// An instant, in microseconds since the epoch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

/// Why a text is not a time that we take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseTimeError {
    /// It names no zone, or one other than UTC.
    #[error("not in UTC")]
    NotUtc,
    /// It is no ISO 8601 time at all.
    #[error("not an ISO 8601 time")]
    NotATime,
}

impl Timestamp {
    /// From microseconds since the epoch.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the epoch.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The next whole second, or this one: what a printed deadline means.
    #[must_use]
    pub const fn rounded_up(self) -> Self {
        let below = self.0.rem_euclid(MICROS_PER_SECOND);
        if below == 0 { self } else { Self(self.0 - below + MICROS_PER_SECOND) }
    }

    /// How long after `earlier` this is; nothing if it is not after it.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Writes `YYYY-MM-DDTHH:MM:SSZ`, with six digits of fraction if `precise`.
    fn digits(self, precise: bool) -> ([u8; 27], usize) {
        let instant = jiff::Timestamp::from_microsecond(self.0).unwrap_or(jiff::Timestamp::MAX);
        let civil = Offset::UTC.to_datetime(instant);
        let mut text = *b"0000-00-00T00:00:00.000000Z";
        let mut put = |at: usize, width: usize, number: i64| {
            let mut rest = number.unsigned_abs();
            for place in (at..at + width).rev() {
                text[place] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
                rest /= 10;
            }
        };
        put(0, 4, civil.year().into());
        put(5, 2, civil.month().into());
        put(8, 2, civil.day().into());
        put(11, 2, civil.hour().into());
        put(14, 2, civil.minute().into());
        put(17, 2, civil.second().into());
        if precise {
            put(20, 6, self.0.rem_euclid(MICROS_PER_SECOND));
            return (text, 27);
        }
        text[19] = b'Z';
        (text, 20)
    }
}

/// Reads exactly the form that we write, which is nearly all that comes. The parser gets the rest.
fn our_form(text: &[u8]) -> Option<Timestamp> {
    let text: &[u8; 20] = text.try_into().ok()?;
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'Z')];
    if marks.iter().any(|(at, mark)| text[*at] != *mark) {
        return None;
    }
    let number = |from: usize, to: usize| {
        text[from..to].iter().try_fold(0_i16, |number, digit| {
            let digit = digit.is_ascii_digit().then(|| i16::from(digit - b'0'))?;
            Some(number * 10 + digit)
        })
    };
    let small = |from: usize| number(from, from + 2).and_then(|number| i8::try_from(number).ok());
    let date = jiff::civil::Date::new(number(0, 4)?, small(5)?, small(8)?).ok()?;
    let time = jiff::civil::Time::new(small(11)?, small(14)?, small(17)?, 0).ok()?;
    let instant = Offset::UTC.to_timestamp(date.to_datetime(time)).ok()?;
    Some(Timestamp(instant.as_microsecond()))
}

fn as_text(digits: &([u8; 27], usize)) -> &str {
    std::str::from_utf8(&digits.0[..digits.1]).expect("only ASCII digits were written")
}

/// Without the 128 bits that `as_micros` counts in: every deadline is made here.
fn micros_of(wait: Duration) -> i64 {
    let seconds = wait.as_secs().saturating_mul(1_000_000);
    let micros = seconds.saturating_add(wait.subsec_micros().into());
    i64::try_from(micros).unwrap_or(i64::MAX)
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(micros_of(wait)))
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Self;

    fn sub(self, wait: Duration) -> Self {
        Self(self.0.saturating_sub(micros_of(wait)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(as_text(&self.digits(false)))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(as_text(&self.digits(true)))
    }
}

impl FromStr for Timestamp {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Self, ParseTimeError> {
        if let Some(time) = our_form(text.as_bytes()) {
            return Ok(time);
        }
        let utc = ["Z", "z", "+00:00", "-00:00", "+0000", "+00"];
        let Some(civil) = utc.iter().find_map(|zone| text.strip_suffix(zone)) else {
            let time = text.parse::<jiff::Timestamp>().is_ok();
            let civil = text.parse::<jiff::civil::DateTime>().is_ok();
            return Err(if time || civil {
                ParseTimeError::NotUtc
            } else {
                ParseTimeError::NotATime
            });
        };
        // A second offset or a zone in brackets would be skipped by the parser, and is a lie.
        let clock = civil.find(['T', 't', ' ']).map_or("", |at| &civil[at..]);
        if clock.contains(['+', '-']) || civil.contains('[') {
            return Err(ParseTimeError::NotUtc);
        }
        let civil: jiff::civil::DateTime = civil.parse().map_err(|_| ParseTimeError::NotATime)?;
        // We print four digits and no sign: a year before 0 would be read as another one.
        if civil.year() < 0 {
            return Err(ParseTimeError::NotATime);
        }
        let instant = Offset::UTC.to_timestamp(civil).map_err(|_| ParseTimeError::NotATime)?;
        Ok(Self(instant.as_microsecond()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(as_text(&self.digits(false)))
    }
}

texts! {
    Timestamp: "a time in UTC such as 2026-01-15T10:30:00Z",
        |text| text.parse().ok(),
        { "format": "date-time", "pattern": "(Z|\\+00:00)$" };
}

/// `serde(with)`: a time as a number of microseconds, for journals.
pub mod micros {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Timestamp};

    /// Writes the number.
    ///
    /// # Errors
    /// Only what the serializer itself reports.
    pub fn serialize<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        time.0.serialize(serializer)
    }

    /// Reads the number.
    ///
    /// # Errors
    /// When it is not a number.
    pub fn deserialize<'de, D: Deserializer<'de>>(source: D) -> Result<Timestamp, D::Error> {
        i64::deserialize(source).map(Timestamp)
    }
}

/// `serde(with)`: a time with its microseconds, for transcripts.
pub mod precise {
    use super::{Deserialize, Deserializer, Serializer, Timestamp, as_text};

    /// Writes `YYYY-MM-DDTHH:MM:SS.ffffffZ`.
    ///
    /// # Errors
    /// Only what the serializer itself reports.
    pub fn serialize<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(as_text(&time.digits(true)))
    }

    /// Reads any time that [`Timestamp`] reads.
    ///
    /// # Errors
    /// When it is no time in UTC.
    pub fn deserialize<'de, D: Deserializer<'de>>(source: D) -> Result<Timestamp, D::Error> {
        Timestamp::deserialize(source)
    }
}

#[cfg(test)]
mod tests;
