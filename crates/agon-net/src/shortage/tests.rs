//! What counts as a shortage, and how often it is said.

use std::io;
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::{QUIET, Shortage, Spell, is_there_a_way};
use crate::CallError;

#[track_caller]
fn check(errno: Errno, expected: Option<Shortage>) {
    let error = io::Error::from(errno);
    assert_eq!(Shortage::of(&error), expected);
    // However deep it lies.
    let wrapped = CallError::Connect(Box::new(CallError::Broken(Box::new(error))));
    assert_eq!(Shortage::of(&wrapped), expected);
}

#[test]
fn ports_and_files_can_be_short() {
    check(Errno::ADDRNOTAVAIL, Some(Shortage::Ports));
    check(Errno::MFILE, Some(Shortage::Files));
    check(Errno::NFILE, Some(Shortage::Files));
    check(Errno::CONNREFUSED, None);
    check(Errno::HOSTUNREACH, None);
    check(Errno::ADDRINUSE, None);
}

#[test]
fn a_peer_to_whom_there_is_no_way_is_no_shortage() {
    assert!(is_there_a_way(["127.0.0.1:9".parse().unwrap()]));
    // An address that nobody has, of a network that is never routed.
    assert!(!is_there_a_way(["255.255.255.255:9".parse().unwrap()]));
    assert!(!is_there_a_way([]));
}

#[test]
fn a_shortage_is_said_once_and_once_when_it_is_over() {
    let start = Instant::now();
    let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
    let mut spell = Spell::NONE;
    assert_eq!(spell.passed(at(0.0)), None);
    assert!(spell.met(at(0.0)));
    for seconds in 1..100 {
        // At the edge some things work, and that says nothing.
        assert_eq!(spell.passed(at(f64::from(seconds) - 0.5)), None);
        assert!(!spell.met(at(f64::from(seconds))));
    }
    assert_eq!(spell.passed(at(103.9)), None);
    let time = Duration::from_secs(99) + QUIET;
    assert_eq!(spell.passed(start + time), Some((100, time)));
    assert_eq!(spell.passed(at(200.0)), None);
    assert!(spell.met(at(201.0)));
}
