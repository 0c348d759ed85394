//! What is handed out, what comes back, and what falls due.

use super::*;
use crate::Seat;
use crate::testing::{at, in_match, referee};

const ROUND: u32 = 2;

/// The `number`th match of the round.
fn m(number: u32) -> MatchId {
    in_match(ROUND, number)
}

/// What is held, when the `n`th match is the `n`th referee's.
fn held(holders: &[u32]) -> Assignments {
    let mut held = Assignments::default();
    held.lay_out(ROUND, holders.iter().map(|number| Some((referee(*number), Place::Waiting))));
    held
}

/// What is due next.
fn woken(held: &mut Assignments, now: Timestamp) -> Option<Wake> {
    held.due(now).map(|(wake, _)| wake)
}

/// Everything that referee can have now.
fn take_all(held: &mut Assignments, number: u32, capacity: u32) -> Vec<u32> {
    let taken = std::iter::from_fn(|| held.take(referee(number), capacity));
    taken.map(|id| id.number).collect()
}

/// Both players hear of that match.
fn hear(held: &mut Assignments, id: MatchId) -> [Option<RefereeId>; 2] {
    Seat::BOTH.map(|seat| held.player_heard(id, seat))
}

#[test]
fn a_match_waits_until_both_players_have_heard_of_it() {
    let mut held = Assignments::default();
    held.lay_out(
        ROUND,
        [1, 1, 1].map(|number| Some((referee(number), Place::Unheard))).into_iter(),
    );
    assert_eq!(take_all(&mut held, 1, 9), [0; 0]);
    assert_eq!(hear(&mut held, m(3)), [None, Some(referee(1))]);
    held.player_heard(m(2), Seat::B);
    held.player_heard(m(2), Seat::B);
    assert_eq!(hear(&mut held, m(1)), [None, Some(referee(1))]);
    assert_eq!(take_all(&mut held, 1, 9), [1, 3]);
    // To whomever it is moved meanwhile, it waits.
    held.move_to(m(2), referee(2));
    assert_eq!((held.place(m(2)), held.is_unheard()), (Some(Place::Unheard), true));
    assert_eq!(held.player_heard(m(2), Seat::A), Some(referee(2)));
    assert_eq!((take_all(&mut held, 2, 9), held.is_unheard()), (vec![2], false));
    // Heard once more, of a match that is out.
    assert_eq!(hear(&mut held, m(2)), [None, None]);
}

#[test]
fn a_referee_gets_nothing_before_it_has_heard_of_the_round() {
    let mut held = held(&[1, 1]);
    held.announce_to(referee(1));
    held.announce_to(referee(1));
    held.referee_heard(referee(1), ROUND - 1);
    assert_eq!((take_all(&mut held, 1, 1), held.is_unheard()), (vec![], true));
    held.referee_heard(referee(1), ROUND);
    assert_eq!((take_all(&mut held, 1, 1), held.is_unheard()), (vec![1], false));
}

#[test]
fn a_match_without_a_referee_is_on_nobodys_desk() {
    let mut held = Assignments::default();
    let holders = [None, Some((referee(1), Place::Waiting)), None];
    held.lay_out(ROUND, holders.into_iter());
    assert_eq!(take_all(&mut held, 1, 9), [2]);
    assert_eq!([1, 2, 3].map(|number| held.place(m(number))), [None, Some(Place::Out), None]);
    held.finish(m(1));
    held.play_again(m(3), referee(1));
    assert_eq!(held.waiting(), []);
}

#[test]
fn in_the_end_nobody_is_waited_for() {
    let mut held = Assignments::default();
    held.lay_out(ROUND, [1, 2].map(|number| Some((referee(number), Place::Unheard))).into_iter());
    held.announce_to(referee(1));
    held.finish(m(2));
    held.all_heard();
    assert!(!held.is_unheard());
    assert_eq!((take_all(&mut held, 1, 9), take_all(&mut held, 2, 9)), (vec![1], vec![]));
}

#[test]
fn a_referee_gets_its_own_matches_in_order_up_to_its_capacity() {
    let mut held = held(&[1, 2, 1, 1, 2]);
    assert_eq!(take_all(&mut held, 1, 2), [1, 3]);
    assert_eq!(take_all(&mut held, 2, 9), [2, 5]);
    held.finish(m(1));
    assert_eq!(take_all(&mut held, 1, 2), [4]);
    assert_eq!(held.place(m(1)), Some(Place::Done));
    assert_eq!(held.place(m(4)), Some(Place::Out));
    assert_eq!((held.place(m(0)), held.place(m(6))), (None, None));
}

#[test]
fn what_is_done_is_not_handed_out() {
    let mut held = Assignments::default();
    let places = [Place::Done, Place::Waiting];
    held.lay_out(ROUND, places.into_iter().map(|place| Some((referee(1), place))));
    assert_eq!(take_all(&mut held, 1, 9), [2]);
    let mut held = self::held(&[1, 1]);
    held.finish(m(1));
    assert_eq!(take_all(&mut held, 1, 1), [2]);
}

#[test]
fn a_lease_falls_due_once_and_only_if_it_still_stands() {
    let mut held = held(&[1, 1, 1]);
    take_all(&mut held, 1, 3);
    held.wait(m(1), at(10));
    held.wait(m(2), at(20));
    held.wait(m(3), at(30));
    held.wait(m(1), at(40));
    held.finish(m(2));
    assert_eq!(held.deadline(), Some(at(30)));
    assert_eq!(held.due(at(29)), None);
    assert_eq!(woken(&mut held, at(40)), Some(Wake::Match(m(3))));
    assert_eq!(woken(&mut held, at(40)), Some(Wake::Match(m(1))));
    assert_eq!(held.due(at(1_000)), None);
    assert_eq!(held.deadline(), None);
}

#[test]
fn a_call_that_failed_rests_and_is_counted() {
    let mut held = held(&[1]);
    take_all(&mut held, 1, 1);
    assert_eq!(held.rest(m(1), at(2)), 1);
    assert!(held.is_doubtful(referee(1)));
    assert_eq!(woken(&mut held, at(2)), Some(Wake::Match(m(1))));
    held.wake(m(1));
    assert_eq!(held.rest(m(1), at(4)), 2);
    // The room is still taken while it rests.
    assert_eq!(take_all(&mut held, 1, 1), [0; 0]);
    held.heard(referee(1), at(0));
    assert!(!held.is_doubtful(referee(1)));
    assert_eq!(held.rest(m(9), at(4)), 0);
}

#[test]
fn what_is_put_back_comes_first_and_not_at_once() {
    let mut held = held(&[1, 1]);
    assert_eq!(held.take(referee(1), 2), Some(m(1)));
    held.put_back(m(1), at(5));
    assert_eq!(take_all(&mut held, 1, 2), [0; 0]);
    assert_eq!(woken(&mut held, at(5)), Some(Wake::Referee(referee(1))));
    assert_eq!(take_all(&mut held, 1, 2), [1, 2]);
}

#[test]
fn a_sign_of_life_ends_the_wait() {
    let mut held = held(&[1]);
    take_all(&mut held, 1, 1);
    held.put_back(m(1), at(5));
    held.heard(referee(1), at(0));
    assert_eq!(take_all(&mut held, 1, 1), [1]);
}

#[test]
fn a_match_moves_to_the_end_of_another_queue() {
    let mut held = held(&[1, 2, 2]);
    take_all(&mut held, 1, 1);
    held.wait(m(1), at(10));
    held.move_to(m(1), referee(2));
    assert_eq!(held.deadline(), None);
    assert_eq!(take_all(&mut held, 2, 9), [2, 3, 1]);
    assert_eq!(take_all(&mut held, 1, 9), [0; 0]);
    // Its tries begin anew.
    assert_eq!(held.rest(m(1), at(20)), 1);
}

#[test]
fn a_match_that_moved_while_it_waited_is_not_handed_out_twice() {
    let mut held = held(&[1, 1]);
    held.move_to(m(1), referee(2));
    assert_eq!(take_all(&mut held, 1, 9), [2]);
    assert_eq!(take_all(&mut held, 2, 9), [1]);
}

#[test]
fn a_new_round_forgets_everything_but_doubt() {
    let mut held = held(&[1, 2]);
    take_all(&mut held, 1, 1);
    held.wait(m(1), at(10));
    held.doubt(referee(2));
    held.lay_out(ROUND + 1, [Some((referee(1), Place::Waiting))].into_iter());
    assert_eq!(held.deadline(), None);
    assert!(held.is_doubtful(referee(2)) && !held.is_doubtful(referee(1)));
    assert!(!held.is_doubtful(referee(9)));
    assert_eq!(take_all(&mut held, 1, 1), [1]);
}

#[test]
fn a_match_of_an_older_round_is_played_beside_those_of_the_round() {
    let mut held = held(&[1, 1]);
    let old = in_match(1, 2);
    assert_eq!(held.place(old), None);
    held.play_again(old, referee(1));
    assert_eq!(held.waiting(), [old, m(1), m(2)]);
    assert_eq!(take_all(&mut held, 1, 9), [1, 2]);
    // Its players have to hear of it first.
    assert_eq!(hear(&mut held, old), [None, Some(referee(1))]);
    assert_eq!(held.take(referee(1), 9), Some(old));
    held.wait(old, at(10));
    assert_eq!(woken(&mut held, at(10)), Some(Wake::Match(old)));
    assert_eq!(held.of(referee(1), &[Place::Out]), [m(1), m(2), old]);
    held.finish(old);
    assert_eq!((held.place(old), held.place(m(2))), (Some(Place::Done), Some(Place::Out)));
    // A second time, and elsewhere.
    held.play_again(old, referee(2));
    hear(&mut held, old);
    assert_eq!(held.take(referee(2), 1), Some(old));
}

#[test]
fn doubts_are_counted_once_for_each_referee() {
    let mut held = held(&[1, 2]);
    held.doubt(referee(1));
    held.silent(referee(1));
    held.silent(referee(2));
    assert_eq!(held.doubted(), 2);
    held.lay_out(ROUND + 1, std::iter::empty());
    held.heard(referee(1), at(0));
    held.heard(referee(1), at(0));
    assert_eq!(held.doubted(), 1);
}
