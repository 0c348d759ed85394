//! Both kinds of backoff, failure by failure.

use std::time::Duration;

use super::Backoff;

fn seconds(waits: &[u64]) -> Vec<Duration> {
    waits.iter().copied().map(Duration::from_secs).collect()
}

/// Compares the waits after the first, second, … failure.
#[track_caller]
fn check(backoff: &Backoff, expected: &[Option<u64>]) {
    let waits: Vec<_> = (1..).take(expected.len()).map(|failures| backoff.wait(failures)).collect();
    let expected: Vec<_> = expected.iter().map(|wait| wait.map(Duration::from_secs)).collect();
    assert_eq!(waits, expected);
}

#[test]
fn a_notification_is_given_up_after_three_retries() {
    let backoff = Backoff::then_give_up(seconds(&[2, 4, 8]));
    check(&backoff, &[Some(2), Some(4), Some(8), None, None]);
}

#[test]
fn a_report_goes_on_with_the_last_wait() {
    let backoff = Backoff::then_repeat(seconds(&[2, 4, 8]));
    check(&backoff, &[Some(2), Some(4), Some(8), Some(8), Some(8)]);
    assert_eq!(backoff.wait(u32::MAX), Some(Duration::from_secs(8)));
}

#[test]
fn an_empty_list_allows_no_retry() {
    check(&Backoff::then_give_up(vec![]), &[None, None]);
    check(&Backoff::then_repeat(vec![]), &[None, None]);
}
