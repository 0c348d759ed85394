//! Reading the time of a process.

use super::*;

#[test]
fn the_name_of_a_program_may_hold_brackets() {
    let stat = "17 (a) b (c)) S 1 17 17 0 -1 4194304 95 0 0 0 7 5 0 0 20 0 1 0 100 0 0";
    assert_eq!(worked(stat), Some(Duration::from_millis(120)));
    assert_eq!(worked("17 nothing"), None);
}
