//! Scripts of moments at which a turn is asked for.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{DAY, MailPace, MailPacer, MailTurn};

const GO: MailTurn = MailTurn::Go { left: None };

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// Asks at these moments and compares what is answered.
#[track_caller]
fn check(pace: MailPace, script: &[(Duration, MailTurn)]) {
    let (mut pacer, start) = (MailPacer::new(pace), Instant::now());
    for (at, expected) in script {
        assert_eq!(pacer.take(start + *at), *expected, "at {at:?}");
    }
}

#[test]
fn two_mails_keep_their_distance() {
    let pace = MailPace { spacing: ms(200), per_day: 400 };
    check(pace, &[(ms(0), GO), (ms(50), MailTurn::Wait(ms(150))), (ms(200), GO), (ms(900), GO)]);
}

#[test]
fn without_spacing_they_follow_at_once() {
    check(MailPace { spacing: ms(0), per_day: 400 }, &[(ms(0), GO), (ms(0), GO), (ms(0), GO)]);
}

#[test]
fn a_day_has_so_many_mails_and_somebody_is_told_before() {
    let pace = MailPace { spacing: ms(0), per_day: 5 };
    let script = [
        (ms(0), GO),
        (ms(1), GO),
        (ms(2), GO),
        (ms(3), MailTurn::Go { left: Some(1) }),
        (ms(4), GO),
        (ms(5), MailTurn::Spent(DAY - ms(5))),
        (DAY, MailTurn::Go { left: None }),
        (DAY, MailTurn::Spent(ms(1))),
    ];
    check(pace, &script);
}

#[test]
fn no_mails_a_day_are_none() {
    check(MailPace { spacing: ms(0), per_day: 0 }, &[(ms(0), MailTurn::Spent(DAY))]);
}

proptest! {
    #[test]
    fn whoever_waits_as_told_is_never_told_to_wait_again(
        spacing in 0_u64..500, gaps in prop::collection::vec(0_u64..1000, 1..50)
    ) {
        let mut pacer = MailPacer::new(MailPace { spacing: ms(spacing), per_day: 1000 });
        let mut now = Instant::now();
        let mut last = None;
        for gap in gaps {
            now += ms(gap);
            if let MailTurn::Wait(wait) = pacer.take(now) {
                now += wait;
                prop_assert_eq!(pacer.take(now), GO);
            }
            if let Some(last) = last {
                prop_assert!(now - last >= ms(spacing));
            }
            last = Some(now);
        }
    }
}
