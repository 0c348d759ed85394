//! What is handed out, what comes back, and what falls due.

use super::*;
use crate::testing::{at, referee};

/// A desk whose `n`th match is the `n`th referee's.
fn desk(holders: &[u32]) -> Desk {
    let mut desk = Desk::default();
    desk.lay_out(holders.iter().map(|number| (referee(*number), Place::Waiting)));
    desk
}

/// What is due next.
fn woken(desk: &mut Desk, now: Timestamp) -> Option<Wake> {
    desk.due(now).map(|(wake, _)| wake)
}

/// Everything that referee can have now.
fn take_all(desk: &mut Desk, number: u32, capacity: u32) -> Vec<u32> {
    std::iter::from_fn(|| desk.take(referee(number), capacity)).collect()
}

#[test]
fn a_referee_gets_its_own_matches_in_order_up_to_its_capacity() {
    let mut desk = desk(&[1, 2, 1, 1, 2]);
    assert_eq!(take_all(&mut desk, 1, 2), [1, 3]);
    assert_eq!(take_all(&mut desk, 2, 9), [2, 5]);
    desk.finish(1);
    assert_eq!(take_all(&mut desk, 1, 2), [4]);
    assert_eq!(desk.place(1), Some(Place::Done));
    assert_eq!(desk.place(4), Some(Place::Out));
    assert_eq!((desk.place(0), desk.place(6)), (None, None));
}

#[test]
fn what_is_done_is_not_handed_out() {
    let mut desk = Desk::default();
    let places = [Place::Done, Place::Waiting];
    desk.lay_out(places.into_iter().map(|place| (referee(1), place)));
    assert_eq!(take_all(&mut desk, 1, 9), [2]);
    let mut desk = self::desk(&[1, 1]);
    desk.finish(1);
    assert_eq!(take_all(&mut desk, 1, 1), [2]);
}

#[test]
fn a_lease_falls_due_once_and_only_if_it_still_stands() {
    let mut desk = desk(&[1, 1, 1]);
    take_all(&mut desk, 1, 3);
    desk.lease(1, at(10));
    desk.lease(2, at(20));
    desk.lease(3, at(30));
    desk.lease(1, at(40));
    desk.finish(2);
    assert_eq!(desk.deadline(), Some(at(30)));
    assert_eq!(desk.due(at(29)), None);
    assert_eq!(woken(&mut desk, at(40)), Some(Wake::Match(3)));
    assert_eq!(woken(&mut desk, at(40)), Some(Wake::Match(1)));
    assert_eq!(desk.due(at(1_000)), None);
    assert_eq!(desk.deadline(), None);
}

#[test]
fn a_call_that_failed_rests_and_is_counted() {
    let mut desk = desk(&[1]);
    take_all(&mut desk, 1, 1);
    assert_eq!(desk.rest(1, at(2)), 1);
    assert!(desk.is_doubtful(referee(1)));
    assert_eq!(woken(&mut desk, at(2)), Some(Wake::Match(1)));
    desk.wake(1);
    assert_eq!(desk.rest(1, at(4)), 2);
    // The room is still taken while it rests.
    assert_eq!(take_all(&mut desk, 1, 1), [0; 0]);
    desk.heard(referee(1), at(0));
    assert!(!desk.is_doubtful(referee(1)));
    assert_eq!(desk.rest(9, at(4)), 0);
}

#[test]
fn what_is_put_back_comes_first_and_not_at_once() {
    let mut desk = desk(&[1, 1]);
    assert_eq!(desk.take(referee(1), 2), Some(1));
    desk.put_back(1, at(5));
    assert_eq!(take_all(&mut desk, 1, 2), [0; 0]);
    assert_eq!(woken(&mut desk, at(5)), Some(Wake::Referee(referee(1))));
    assert_eq!(take_all(&mut desk, 1, 2), [1, 2]);
}

#[test]
fn a_sign_of_life_ends_the_wait() {
    let mut desk = desk(&[1]);
    take_all(&mut desk, 1, 1);
    desk.put_back(1, at(5));
    desk.heard(referee(1), at(0));
    assert_eq!(take_all(&mut desk, 1, 1), [1]);
}

#[test]
fn a_match_moves_to_the_end_of_another_queue() {
    let mut desk = desk(&[1, 2, 2]);
    take_all(&mut desk, 1, 1);
    desk.lease(1, at(10));
    desk.move_to(1, referee(2));
    assert_eq!(desk.deadline(), None);
    assert_eq!(take_all(&mut desk, 2, 9), [2, 3, 1]);
    assert_eq!(take_all(&mut desk, 1, 9), [0; 0]);
    // Its tries begin anew.
    assert_eq!(desk.rest(1, at(20)), 1);
}

#[test]
fn a_match_that_moved_while_it_waited_is_not_handed_out_twice() {
    let mut desk = desk(&[1, 1]);
    desk.move_to(1, referee(2));
    assert_eq!(take_all(&mut desk, 1, 9), [2]);
    assert_eq!(take_all(&mut desk, 2, 9), [1]);
}

#[test]
fn a_new_round_forgets_everything_but_doubt() {
    let mut desk = desk(&[1, 2]);
    take_all(&mut desk, 1, 1);
    desk.lease(1, at(10));
    desk.doubt(referee(2));
    desk.lay_out([(referee(1), Place::Waiting)].into_iter());
    assert_eq!(desk.deadline(), None);
    assert!(desk.is_doubtful(referee(2)) && !desk.is_doubtful(referee(1)));
    assert!(!desk.is_doubtful(referee(9)));
    assert_eq!(take_all(&mut desk, 1, 1), [1]);
}
