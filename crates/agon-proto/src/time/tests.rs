//! Tests of reading and printing a time.

use super::{ParseTimeError, Timestamp};

/// Reads the text and prints it to the microsecond.
#[track_caller]
fn check(text: &str, expected: Result<&str, ParseTimeError>) {
    let read = text.parse::<Timestamp>().map(|time| format!("{time:?}"));
    assert_eq!(read, expected.map(str::to_owned), "{text}");
}

#[test]
fn every_spelling_of_utc_is_read() {
    let expected = Ok("2025-01-15T10:30:00.000000Z");
    for text in [
        "2025-01-15T10:30:00Z",
        "2025-01-15T10:30:00+00:00",
        "2025-01-15T10:30:00-00:00",
        "2025-01-15T10:30:00.000Z",
        "2025-01-15t10:30:00z",
        "20250115T103000Z",
    ] {
        check(text, expected);
    }
}

#[test]
fn fractions_are_kept_to_the_microsecond() {
    check("2025-01-15T10:30:00.25Z", Ok("2025-01-15T10:30:00.250000Z"));
    check("2025-01-15T10:30:00.1234567+00:00", Ok("2025-01-15T10:30:00.123456Z"));
}

#[test]
fn other_zones_are_refused() {
    for text in [
        "2025-01-15T10:30:00",
        "2025-01-15T12:30:00+02:00",
        "2025-01-15T12:30:00+02:00Z",
        "2025-01-15T12:30:00-05+00:00",
        "2025-01-15T12:30:00[Europe/Paris]Z",
    ] {
        check(text, Err(ParseTimeError::NotUtc));
    }
}

#[test]
fn what_is_no_time_is_refused() {
    for text in ["", "Z", "soon", "2025-13-01T00:00:00Z", "1736937000"] {
        check(text, Err(ParseTimeError::NotATime));
    }
}

#[test]
fn a_year_before_zero_is_none_that_we_could_print() {
    check("0000-01-01T00:00:00Z", Ok("0000-01-01T00:00:00.000000Z"));
    check("-000001-01-01T00:00:00Z", Err(ParseTimeError::NotATime));
    check("-009999-12-31T23:59:59.999+00:00", Err(ParseTimeError::NotATime));
}

#[test]
fn a_deadline_is_printed_as_a_second_that_is_not_before_it() {
    let time: Timestamp = "2025-01-15T10:30:00.000001Z".parse().unwrap();
    assert_eq!(time.to_string(), "2025-01-15T10:30:00Z");
    assert_eq!(time.rounded_up().to_string(), "2025-01-15T10:30:01Z");
    assert_eq!(time.rounded_up().rounded_up(), time.rounded_up());
}
