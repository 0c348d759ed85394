//! Numbers as people read them: medians, quantiles, and no more digits than mean something.

use std::time::Duration;

/// Keeps one digit behind the point: more would be noise.
pub(crate) fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Keeps three digits behind the point.
pub(crate) fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// The value below which that share of all values lies. Zero of nothing.
pub(crate) fn quantile(values: &mut [Duration], share: f64) -> Duration {
    values.sort_unstable();
    let place = (values.len() as f64 * share).ceil() as usize;
    let found = values.get(place.saturating_sub(1));
    found.copied().unwrap_or_default()
}

/// The middle value; of an even number the mean of the two in the middle. Zero of nothing.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    let upper = values.get(values.len() / 2).copied().unwrap_or(0.0);
    let lower = values.get(values.len().saturating_sub(1) / 2);
    (lower.copied().unwrap_or(0.0) + upper) / 2.0
}

/// A time in milliseconds, to the microsecond.
pub(crate) fn millis(time: Duration) -> f64 {
    thousandths(time.as_secs_f64() * 1e3)
}

/// What was promised and not kept: of each promise whether it was, and a sentence if it was not.
pub(crate) fn broken<const N: usize>(promises: [(bool, String); N]) -> Vec<String> {
    promises.into_iter().filter(|(kept, _)| !kept).map(|(_, sentence)| sentence).collect()
}

#[cfg(test)]
mod tests;
