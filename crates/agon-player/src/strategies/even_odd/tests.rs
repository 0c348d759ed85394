//! What the strategy expects, and what it does about it.

use super::*;
use agon_proto::message::StandingsRow;

use crate::tests::{EVEN, ODD, known, now, played, question, row};
use crate::typed;

const SEED: Chance = Chance::Seeded(3);

/// What chance says in that match.
fn chance() -> Parity {
    *SEED.pick(&question(20), &known(2, &[]), &[EVEN, ODD]).unwrap()
}

/// Asks for a match of P01 against P02.
#[track_caller]
fn check(history: &[PlayedMatch], standings: &[StandingsRow], expected: Parity) {
    let standings = &standings.to_vec().into();
    let known = Known { standings: Some(standings), ..known(2, history) };
    assert_eq!(now(&mut *typed(Adaptive(SEED)), &question(20), &known), expected);
}

#[test]
fn knowing_nothing_it_leaves_it_to_chance() {
    check(&[], &[], chance());
}

#[test]
fn a_crowd_in_balance_says_nothing() {
    let balanced = [played(1, 3, [EVEN, EVEN], 2), played(2, 4, [EVEN, ODD], 2)];
    check(&balanced, &[], chance());
}

#[test]
fn level_it_avoids_what_the_opponent_likes() {
    check(&[played(1, 2, [EVEN, EVEN], 2)], &[], ODD);
    check(&[played(1, 2, [EVEN, ODD], 2)], &[], EVEN);
    check(&[played(1, 2, [EVEN, ODD], 2)], &[row(1, 3), row(2, 3)], EVEN);
}

#[test]
fn behind_it_avoids_what_the_opponent_likes() {
    check(&[played(1, 2, [EVEN, ODD], 1)], &[row(2, 3), row(1, 0)], EVEN);
}

#[test]
fn leading_alone_it_copies_the_opponent() {
    check(&[played(1, 2, [EVEN, ODD], 2)], &[row(1, 3), row(2, 0)], ODD);
}

#[test]
fn a_stranger_is_expected_to_be_like_the_others() {
    check(&[played(1, 3, [ODD, EVEN], 2)], &[], ODD);
}

#[test]
fn an_opponents_own_habit_outweighs_a_small_majority_of_others() {
    let crowd = [played(1, 3, [ODD, EVEN], 2), played(2, 4, [ODD, EVEN], 2)];
    let met = played(3, 2, [ODD, ODD], 2);
    check(&[crowd[0], crowd[1], met], &[], EVEN);
}

#[test]
fn its_own_results_betray_choices_that_it_was_not_told() {
    let untold =
        |choices, drawn| PlayedMatch { opponent_choice: None, ..played(1, 2, choices, drawn) };
    check(&[untold([EVEN, EVEN], 2)], &[], ODD);
    check(&[untold([EVEN, ODD], 2)], &[], EVEN);
    check(&[untold([ODD, EVEN], 2)], &[], ODD);
}

#[test]
fn a_match_that_was_not_played_betrays_nothing() {
    let forfeit =
        PlayedMatch { opponent_choice: None, drawn_number: None, ..played(1, 2, [EVEN, ODD], 2) };
    check(&[forfeit], &[], chance());
}

#[test]
fn a_table_without_us_is_no_lead() {
    check(&[played(1, 2, [EVEN, ODD], 2)], &[row(2, 3)], EVEN);
}
