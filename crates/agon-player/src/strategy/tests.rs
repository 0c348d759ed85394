//! The strategies by name, and the simple ones by script.

use std::error::Error;

use super::*;
use crate::testing::{EVEN, ODD, now, played, question};

/// Asks the named strategy after each number of past matches.
#[track_caller]
fn check(spec: &str, expected: &[Parity]) {
    let mut strategy = strategy(spec, Chance::Seeded(7), &ExecTerms::default()).unwrap();
    let past: Vec<_> = (1..=9).map(|round| played(round, 2, [EVEN, ODD], 4)).collect();
    for (count, expected) in expected.iter().enumerate() {
        let situation = Situation {
            question: &question(10, 3),
            history: &past[..count],
            standings: &Listed::default(),
        };
        assert_eq!(now(&mut *strategy, &situation), *expected, "after {count}");
        assert_eq!(now(&mut *strategy, &situation), *expected, "asked again");
    }
}

#[test]
fn even_is_always_even() {
    check("even", &[EVEN, EVEN, EVEN]);
}

#[test]
fn odd_is_always_odd() {
    check(" odd ", &[ODD, ODD, ODD]);
}

#[test]
fn alternate_follows_the_number_of_matches() {
    check("alternate", &[EVEN, ODD, EVEN, ODD]);
}

#[test]
fn random_follows_its_chance() {
    let luck = Chance::Seeded(7).parity(&question(10, 3));
    check("random", &[luck, luck, luck]);
}

#[test]
fn every_name_is_a_strategy() {
    for name in NAMES {
        assert!(strategy(name, Chance::Fair, &ExecTerms::default()).is_ok(), "{name}");
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let Err(error) = strategy("evil", Chance::Fair, &ExecTerms::default()) else {
        panic!("there is no such strategy");
    };
    let expected = "there is no strategy `evil`; there are: \
                    random, even, odd, alternate, adaptive, exec:<command>";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_bad_command_says_what_is_wrong() {
    let Err(error) = strategy("exec:python3 'x", Chance::Fair, &ExecTerms::default()) else {
        panic!("the quote is open");
    };
    assert_eq!(error.source().unwrap().to_string(), "a quote is opened and never closed");
}
