//! How long somebody may think.

use super::*;

#[test]
fn thinking_ends_before_the_deadline() {
    let time = ThinkingTime { usual: Duration::from_secs(30), margin: Duration::from_secs(1) };
    let now = Timestamp::from_micros(1_000_000);
    let left = |deadline: Option<u64>| {
        let deadline = deadline.map(|left_ms| now + Duration::from_millis(left_ms));
        time.until(deadline, now).since(now).as_millis()
    };
    assert_eq!(left(Some(10_000)), 9_000);
    assert_eq!(left(Some(3_600_000)), 3_599_000, "as long as the step takes, and no less");
    assert_eq!(left(Some(1_000)), 500, "half of a short step");
    assert_eq!(left(Some(0)), 30_000, "the clocks disagree");
    assert_eq!(left(None), 30_000);
}
