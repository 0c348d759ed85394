//! What is handed out, what comes back, and what falls due.

use super::*;
use crate::Seat;
use crate::testing::{at, in_match, referee};

const ROUND: u32 = 2;

/// The `number`th match of the round.
fn m(number: u32) -> MatchId {
    in_match(ROUND, number)
}

/// A desk whose `n`th match is the `n`th referee's.
fn desk(holders: &[u32]) -> Desk {
    let mut desk = Desk::default();
    desk.lay_out(ROUND, holders.iter().map(|number| (referee(*number), Place::Waiting)));
    desk
}

/// What is due next.
fn woken(desk: &mut Desk, now: Timestamp) -> Option<Wake> {
    desk.due(now).map(|(wake, _)| wake)
}

/// Everything that referee can have now.
fn take_all(desk: &mut Desk, number: u32, capacity: u32) -> Vec<u32> {
    let taken = std::iter::from_fn(|| desk.take(referee(number), capacity));
    taken.map(|id| id.number).collect()
}

/// Both players hear of that match.
fn hear(desk: &mut Desk, id: MatchId) -> [Option<RefereeId>; 2] {
    Seat::BOTH.map(|seat| desk.player_heard(id, seat))
}

#[test]
fn a_match_waits_until_both_players_have_heard_of_it() {
    let mut desk = Desk::default();
    desk.lay_out(ROUND, [1, 1, 1].map(|number| (referee(number), Place::Unheard)).into_iter());
    assert_eq!(take_all(&mut desk, 1, 9), [0; 0]);
    assert_eq!(hear(&mut desk, m(3)), [None, Some(referee(1))]);
    desk.player_heard(m(2), Seat::B);
    desk.player_heard(m(2), Seat::B);
    assert_eq!(hear(&mut desk, m(1)), [None, Some(referee(1))]);
    assert_eq!(take_all(&mut desk, 1, 9), [1, 3]);
    // To whomever it is moved meanwhile, it waits.
    desk.move_to(m(2), referee(2));
    assert_eq!((desk.place(m(2)), desk.is_unheard()), (Some(Place::Unheard), true));
    assert_eq!(desk.player_heard(m(2), Seat::A), Some(referee(2)));
    assert_eq!((take_all(&mut desk, 2, 9), desk.is_unheard()), (vec![2], false));
    // Heard once more, of a match that is out.
    assert_eq!(hear(&mut desk, m(2)), [None, None]);
}

#[test]
fn a_referee_gets_nothing_before_it_has_heard_of_the_round() {
    let mut desk = desk(&[1, 1]);
    desk.announce_to(referee(1));
    desk.announce_to(referee(1));
    desk.referee_heard(referee(1), ROUND - 1);
    assert_eq!((take_all(&mut desk, 1, 1), desk.is_unheard()), (vec![], true));
    desk.referee_heard(referee(1), ROUND);
    assert_eq!((take_all(&mut desk, 1, 1), desk.is_unheard()), (vec![1], false));
}

#[test]
fn in_the_end_nobody_is_waited_for() {
    let mut desk = Desk::default();
    desk.lay_out(ROUND, [1, 2].map(|number| (referee(number), Place::Unheard)).into_iter());
    desk.announce_to(referee(1));
    desk.finish(m(2));
    desk.all_heard();
    assert!(!desk.is_unheard());
    assert_eq!((take_all(&mut desk, 1, 9), take_all(&mut desk, 2, 9)), (vec![1], vec![]));
}

#[test]
fn a_referee_gets_its_own_matches_in_order_up_to_its_capacity() {
    let mut desk = desk(&[1, 2, 1, 1, 2]);
    assert_eq!(take_all(&mut desk, 1, 2), [1, 3]);
    assert_eq!(take_all(&mut desk, 2, 9), [2, 5]);
    desk.finish(m(1));
    assert_eq!(take_all(&mut desk, 1, 2), [4]);
    assert_eq!(desk.place(m(1)), Some(Place::Done));
    assert_eq!(desk.place(m(4)), Some(Place::Out));
    assert_eq!((desk.place(m(0)), desk.place(m(6))), (None, None));
}

#[test]
fn what_is_done_is_not_handed_out() {
    let mut desk = Desk::default();
    let places = [Place::Done, Place::Waiting];
    desk.lay_out(ROUND, places.into_iter().map(|place| (referee(1), place)));
    assert_eq!(take_all(&mut desk, 1, 9), [2]);
    let mut desk = self::desk(&[1, 1]);
    desk.finish(m(1));
    assert_eq!(take_all(&mut desk, 1, 1), [2]);
}

#[test]
fn a_lease_falls_due_once_and_only_if_it_still_stands() {
    let mut desk = desk(&[1, 1, 1]);
    take_all(&mut desk, 1, 3);
    desk.lease(m(1), at(10));
    desk.lease(m(2), at(20));
    desk.lease(m(3), at(30));
    desk.lease(m(1), at(40));
    desk.finish(m(2));
    assert_eq!(desk.deadline(), Some(at(30)));
    assert_eq!(desk.due(at(29)), None);
    assert_eq!(woken(&mut desk, at(40)), Some(Wake::Match(m(3))));
    assert_eq!(woken(&mut desk, at(40)), Some(Wake::Match(m(1))));
    assert_eq!(desk.due(at(1_000)), None);
    assert_eq!(desk.deadline(), None);
}

#[test]
fn a_call_that_failed_rests_and_is_counted() {
    let mut desk = desk(&[1]);
    take_all(&mut desk, 1, 1);
    assert_eq!(desk.rest(m(1), at(2)), 1);
    assert!(desk.is_doubtful(referee(1)));
    assert_eq!(woken(&mut desk, at(2)), Some(Wake::Match(m(1))));
    desk.wake(m(1));
    assert_eq!(desk.rest(m(1), at(4)), 2);
    // The room is still taken while it rests.
    assert_eq!(take_all(&mut desk, 1, 1), [0; 0]);
    desk.heard(referee(1), at(0));
    assert!(!desk.is_doubtful(referee(1)));
    assert_eq!(desk.rest(m(9), at(4)), 0);
}

#[test]
fn what_is_put_back_comes_first_and_not_at_once() {
    let mut desk = desk(&[1, 1]);
    assert_eq!(desk.take(referee(1), 2), Some(m(1)));
    desk.put_back(m(1), at(5));
    assert_eq!(take_all(&mut desk, 1, 2), [0; 0]);
    assert_eq!(woken(&mut desk, at(5)), Some(Wake::Referee(referee(1))));
    assert_eq!(take_all(&mut desk, 1, 2), [1, 2]);
}

#[test]
fn a_sign_of_life_ends_the_wait() {
    let mut desk = desk(&[1]);
    take_all(&mut desk, 1, 1);
    desk.put_back(m(1), at(5));
    desk.heard(referee(1), at(0));
    assert_eq!(take_all(&mut desk, 1, 1), [1]);
}

#[test]
fn a_match_moves_to_the_end_of_another_queue() {
    let mut desk = desk(&[1, 2, 2]);
    take_all(&mut desk, 1, 1);
    desk.lease(m(1), at(10));
    desk.move_to(m(1), referee(2));
    assert_eq!(desk.deadline(), None);
    assert_eq!(take_all(&mut desk, 2, 9), [2, 3, 1]);
    assert_eq!(take_all(&mut desk, 1, 9), [0; 0]);
    // Its tries begin anew.
    assert_eq!(desk.rest(m(1), at(20)), 1);
}

#[test]
fn a_match_that_moved_while_it_waited_is_not_handed_out_twice() {
    let mut desk = desk(&[1, 1]);
    desk.move_to(m(1), referee(2));
    assert_eq!(take_all(&mut desk, 1, 9), [2]);
    assert_eq!(take_all(&mut desk, 2, 9), [1]);
}

#[test]
fn a_new_round_forgets_everything_but_doubt() {
    let mut desk = desk(&[1, 2]);
    take_all(&mut desk, 1, 1);
    desk.lease(m(1), at(10));
    desk.doubt(referee(2));
    desk.lay_out(ROUND + 1, [(referee(1), Place::Waiting)].into_iter());
    assert_eq!(desk.deadline(), None);
    assert!(desk.is_doubtful(referee(2)) && !desk.is_doubtful(referee(1)));
    assert!(!desk.is_doubtful(referee(9)));
    assert_eq!(take_all(&mut desk, 1, 1), [1]);
}

#[test]
fn a_match_of_an_older_round_is_played_beside_those_of_the_round() {
    let mut desk = desk(&[1, 1]);
    let old = in_match(1, 2);
    assert_eq!(desk.place(old), None);
    desk.play_again(old, referee(1));
    assert_eq!(desk.waiting(), [old, m(1), m(2)]);
    assert_eq!(take_all(&mut desk, 1, 9), [1, 2]);
    // Its players have to hear of it first.
    assert_eq!(hear(&mut desk, old), [None, Some(referee(1))]);
    assert_eq!(desk.take(referee(1), 9), Some(old));
    desk.lease(old, at(10));
    assert_eq!(woken(&mut desk, at(10)), Some(Wake::Match(old)));
    assert_eq!(desk.of(referee(1), &[Place::Out]), [m(1), m(2), old]);
    desk.finish(old);
    assert_eq!((desk.place(old), desk.place(m(2))), (Some(Place::Done), Some(Place::Out)));
    // A second time, and elsewhere.
    desk.play_again(old, referee(2));
    hear(&mut desk, old);
    assert_eq!(desk.take(referee(2), 1), Some(old));
}

#[test]
fn doubts_are_counted_once_for_each_referee() {
    let mut desk = desk(&[1, 2]);
    desk.doubt(referee(1));
    desk.silent(referee(1));
    desk.silent(referee(2));
    assert_eq!(desk.doubted(), 2);
    desk.lay_out(ROUND + 1, std::iter::empty());
    desk.heard(referee(1), at(0));
    desk.heard(referee(1), at(0));
    assert_eq!(desk.doubted(), 1);
}
