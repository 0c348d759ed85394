//! Medians and quantiles.

use super::*;

#[test]
fn the_median_of_an_even_number_is_the_mean_of_the_middle() {
    assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    assert_eq!(median(&[]), 0.0);
}

#[test]
fn a_quantile_is_one_of_the_values() {
    let mut values: Vec<Duration> = (1..=200).rev().map(Duration::from_micros).collect();
    assert_eq!(quantile(&mut values, 0.5), Duration::from_micros(100));
    assert_eq!(quantile(&mut values, 0.99), Duration::from_micros(198));
    assert_eq!(quantile(&mut [], 0.5), Duration::ZERO);
}
