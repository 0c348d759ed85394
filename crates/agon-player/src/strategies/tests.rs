//! The strategies by name, and the simple ones by script.

use std::error::Error;

use super::*;
use crate::tests::{EVEN, ODD, known, now, played, question};

const GAME: &str = "even_odd";

/// Asks the named strategy after each number of past matches.
#[track_caller]
fn check(spec: &str, expected: &[Parity]) {
    let mut strategy = strategy(GAME, spec, Chance::Seeded(7), &ChildTerms::default()).unwrap();
    let past: Vec<_> = (1..=9).map(|round| played(round, 2, [EVEN, ODD], 4)).collect();
    for (count, expected) in expected.iter().enumerate() {
        let (question, known) = (question(10), known(3, &past[..count]));
        assert_eq!(now(&mut *strategy, &question, &known), *expected, "after {count}");
        assert_eq!(now(&mut *strategy, &question, &known), *expected, "asked again");
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
    let luck = *Chance::Seeded(7).pick(&question(10), &known(3, &[]), &[EVEN, ODD]).unwrap();
    check("random", &[luck, luck, luck]);
}

#[test]
fn every_name_is_a_strategy() {
    for game in agon_games::games().iter().filter(|game| !game.is_judged()) {
        let names = names_for(game.name).chain(["exec:sh"]);
        assert!(names.clone().count() > 2, "{}", game.name);
        for name in names {
            let found = strategy(game.name, name, Chance::Fair, &ChildTerms::default());
            assert!(found.is_ok(), "{}: {name}", game.name);
        }
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let Err(error) = strategy(GAME, "evil", Chance::Fair, &ChildTerms::default()) else {
        panic!("there is no such strategy");
    };
    let expected = "there is no strategy `evil` for even_odd; there are: \
                    random, alternate, even, odd, adaptive, exec:<command>";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_bad_command_says_what_is_wrong() {
    let Err(error) = strategy(GAME, "exec:python3 'x", Chance::Fair, &ChildTerms::default()) else {
        panic!("the quote is open");
    };
    assert_eq!(error.source().unwrap().to_string(), "a quote is opened and never closed");
}

#[test]
fn a_program_that_is_not_there_is_found_out_at_once() {
    let Err(error) = strategy(GAME, "exec:pythn3 player.py", Chance::Fair, &ChildTerms::default())
    else {
        panic!("there is no such program");
    };
    let expected = "there is no program `pythn3`; check its name and PATH";
    assert_eq!(error.source().unwrap().to_string(), expected);
}
