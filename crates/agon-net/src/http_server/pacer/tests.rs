//! Whose bucket an address draws from, and rates, with a clock made of numbers.

use std::time::{Duration, Instant};

use super::{Buckets, FEW, Rate, network};

const NO_WAIT: Duration = Duration::ZERO;
const LONG: Duration = Duration::from_secs(60);

fn ms(number: u64) -> Duration {
    Duration::from_millis(number)
}

#[test]
fn a_burst_is_free_and_then_everybody_waits_for_a_turn() {
    let (mut buckets, rate, now) = (Buckets::new(8), Rate::new(10, 3), Instant::now());
    let waits: Vec<_> = (0..6).map(|_| buckets.take("a", rate, now, LONG).unwrap()).collect();
    assert_eq!(waits, [ms(0), ms(0), ms(0), ms(100), ms(200), ms(300)]);
    // Two turns pass, then there is one wait less by two turns.
    assert_eq!(buckets.take("a", rate, now + ms(200), LONG), Ok(ms(200)));
    // After a long silence the whole burst is there again, and not more.
    let later = now + LONG;
    let waits: Vec<_> = (0..4).map(|_| buckets.take("a", rate, later, LONG).unwrap()).collect();
    assert_eq!(waits, [ms(0), ms(0), ms(0), ms(100)]);
}

#[test]
fn who_has_no_patience_takes_nothing() {
    let (mut buckets, rate, now) = (Buckets::new(8), Rate::new(10, 1), Instant::now());
    assert_eq!(buckets.take("a", rate, now, NO_WAIT), Ok(NO_WAIT));
    for _ in 0..5 {
        assert_eq!(buckets.take("a", rate, now, NO_WAIT), Err(ms(100)));
    }
    assert_eq!(buckets.take("a", rate, now + ms(100), NO_WAIT), Ok(NO_WAIT));
}

#[test]
fn one_key_costs_another_nothing() {
    let (mut buckets, rate, now) = (Buckets::new(8), Rate::new(10, 1), Instant::now());
    for _ in 0..50 {
        let _ = buckets.take("flood", rate, now, LONG);
    }
    assert_eq!(buckets.take("quiet", rate, now, NO_WAIT), Ok(NO_WAIT));
}

#[test]
fn the_quiet_are_forgotten_and_the_loud_are_not() {
    let (mut buckets, rate, now) = (Buckets::new(4 * FEW), Rate::new(10, 1), Instant::now());
    for _ in 0..100 {
        let _ = buckets.take(0, rate, now, LONG);
    }
    // Many come once each, at a pace at which each is quiet again when the next ones come.
    for number in 1..5_000_u32 {
        let then = now + ms(u64::from(number));
        assert_eq!(buckets.take(number, rate, then, NO_WAIT), Ok(NO_WAIT), "{number}");
        assert!(buckets.full_at.len() <= 4 * FEW);
    }
    assert!(buckets.take(0, rate, now + ms(5000), NO_WAIT).is_err(), "the loud one was forgotten");
}

#[test]
fn whoever_comes_when_all_buckets_are_in_use_shares_one() {
    let (mut buckets, rate, now) = (Buckets::new(FEW), Rate::new(10, 2), Instant::now());
    for number in 0..FEW {
        assert_eq!(buckets.take(number, rate, now, LONG), Ok(NO_WAIT));
    }
    let waits: Vec<_> =
        (FEW..FEW + 4).map(|number| buckets.take(number, rate, now, LONG).unwrap()).collect();
    assert_eq!(waits, [ms(0), ms(0), ms(100), ms(200)]);
    assert_eq!(buckets.full_at.len(), FEW);
    // Once the others are quiet there is room again.
    assert_eq!(buckets.take(FEW, rate, now + ms(300), NO_WAIT), Ok(NO_WAIT));
    assert!(buckets.full_at.contains_key(&FEW));
}

#[track_caller]
fn check_network(one: &str, other: &str, same: bool) {
    let of = |text: &str| network(text.parse().unwrap());
    assert_eq!(of(one) == of(other), same, "{one} {other}");
}

#[test]
fn an_address_of_the_old_kind_is_alone_and_one_of_the_new_kind_is_a_whole_network() {
    check_network("192.0.2.1", "192.0.2.2", false);
    check_network("192.0.2.1", "::ffff:192.0.2.1", true);
    check_network("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true);
    check_network("2001:db8:1:2::1", "2001:db8:1:3::1", false);
}
