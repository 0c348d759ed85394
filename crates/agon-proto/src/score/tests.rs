//! Scores.

use super::*;

#[test]
fn a_number_out_of_range_is_brought_into_it() {
    assert_eq!(Score::from_points(-1.0), Score::ZERO);
    assert_eq!(Score::from_points(250.0), Score::MAX);
    assert_eq!(Score::from_points(f64::NAN), Score::ZERO);
    assert_eq!(Score::from_points(f64::INFINITY), Score::MAX);
    assert_eq!(Score::from_points(72.125).hundredths(), 7213);
}
