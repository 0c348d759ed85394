//! What it played, as it says when the round is over.

use agon_proto::Played;

use super::*;
use crate::moves_made::MovesMade;

/// What it says of that round.
#[track_caller]
fn said(bench: &mut Bench<Player>, round: u32) -> Option<Played> {
    match &from_manager(bench, round_completed(round))[..] {
        [Effect::Reply { answer: Answer::Receipt(receipt), .. }] => receipt.played,
        other => panic!("{other:?}"),
    }
}

/// It made one move in that attempt at R1M1.
fn played(parity: Parity, attempt: u32) -> Option<Played> {
    let made = MovesMade::new(&[parity.payload().as_str()]);
    Some(made.of(&league(), (in_match(1, 1), attempt)))
}

/// It said even in R1M1, and its referee says odd.
fn lied_about() -> Bench<Player> {
    let mut bench = enrolled();
    ask(&mut bench, 1);
    think(&mut bench, 1, Some(Parity::Even));
    let mut lie = won();
    lie.game_result.choices = PerPlayer::both((player(1), Parity::Odd), (player(2), Parity::Odd));
    from_referee(&mut bench, 1, lie);
    bench
}

#[test]
fn it_says_what_it_said_whatever_its_referee_tells_and_says_it_again() {
    let mut bench = lied_about();
    let first = said(&mut bench, 1);
    assert_eq!(first, played(Parity::Even, 1));
    assert_ne!(first, played(Parity::Odd, 1));
    assert_eq!(said(&mut bench, 1), first);
    assert_eq!(said(&mut restarted(bench.facts), 1), first, "its journal keeps it");
    // Who has not heard the end of it knows it as well.
    let mut bench = enrolled();
    ask(&mut bench, 1);
    think(&mut bench, 1, Some(Parity::Even));
    assert_eq!(said(&mut bench, 1), first);
}

#[test]
fn who_knows_of_no_match_says_nothing() {
    assert_eq!(said(&mut enrolled(), 1), None);
    let mut bench = lied_about();
    assert_eq!(said(&mut bench, 2), None);
    assert_eq!(said(&mut bench, 1), None, "that was long ago");
}

#[test]
fn the_last_attempt_is_what_it_speaks_of() {
    let mut bench = lied_about();
    ask(&mut bench, 2);
    think(&mut bench, 2, Some(Parity::Odd));
    from_referee(&mut bench, 2, won());
    assert_eq!(said(&mut bench, 1), played(Parity::Odd, 2));
}
