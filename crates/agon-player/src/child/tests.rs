//! Pauses.

use super::*;

#[test]
fn pauses_grow_to_a_bound() {
    let (pause, pause_max) = (Duration::from_secs(1), Duration::from_secs(5));
    let terms = ChildTerms { restarts: 2, pause, pause_max, ..ChildTerms::default() };
    let pauses: Vec<_> = (1..=7).map(|failures| terms.pause_after(failures).as_secs()).collect();
    assert_eq!(pauses, [0, 0, 1, 2, 4, 5, 5]);
    assert_eq!(terms.pause_after(u32::MAX), pause_max);
}
