//! A queue that says what a set in order says.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::testing::at;

proptest! {
    #[test]
    fn the_queue_is_a_set_in_order(
        steps in prop::collection::vec((0..3_u8, 0..6_u64, 0..4_u32), 0..60),
    ) {
        let (mut queue, mut set) = (Deadlines::default(), BTreeSet::new());
        for (what, second, key) in steps {
            let (time, key) = (at(second), MatchId::new(1, key));
            match what {
                0 => {
                    queue.insert(time, key);
                    set.insert((time, key));
                }
                1 => {
                    queue.remove(time, key);
                    set.remove(&(time, key));
                }
                _ => {
                    let due = set.first().copied().filter(|(due, _)| *due <= time);
                    due.inspect(|due| assert!(set.remove(due)));
                    prop_assert_eq!(queue.pop_due(time), due);
                }
            }
            prop_assert_eq!(queue.nearest(), set.first().map(|(due, _)| *due));
        }
    }
}
