//! How many lines are written.

use agon_proto::Timestamp;

use super::{LINES_MAX, LogThrottle, WINDOW};

#[test]
fn a_flood_gets_a_few_lines_a_second_and_a_count_of_the_others() {
    let (mut throttle, mut now) = (LogThrottle::default(), Timestamp::from_micros(0));
    for left_out in [None, Some(980), Some(980)] {
        assert_eq!(throttle.line(now), Some(left_out));
        let written = (1..1000).filter(|_| throttle.line(now).is_some()).count();
        assert_eq!(written, LINES_MAX as usize - 1);
        now = now + WINDOW;
    }
}
