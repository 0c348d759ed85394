//! The calls of one season, as its manager and its referee recorded them.
//!
//! Spec: docs/bench.md

use std::collections::HashMap;
use std::path::Path;

use agon_proto::Timestamp;
use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::lab::{Played, address};

/// One call that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    /// To which listener.
    pub(super) to: usize,
    /// How many bytes there.
    pub(super) request: usize,
    /// How many bytes back.
    pub(super) answer: usize,
    /// How many calls of its process were under way then, itself included.
    pub(super) abreast: usize,
}

/// What the manager and the referee called between the start and the end of a season.
pub(super) fn read(folder: &Path, season: &Played) -> anyhow::Result<[Vec<Call>; 2]> {
    let places = season.endpoints.iter().enumerate();
    let places: HashMap<&str, usize> = places.map(|(place, at)| (at.as_str(), place)).collect();
    let of = |place: usize| -> anyhow::Result<Vec<Call>> {
        let path = folder.join(address(&season.endpoints[place])?.port().to_string());
        let text = std::fs::read_to_string(path).context("a process recorded nothing")?;
        Ok(parse(&text, (season.began, season.ended), &places))
    };
    Ok([of(0)?, of(1)?])
}

/// Lines stand in the order of the answers; calls are wanted in the order in which they went out.
fn parse(
    text: &str,
    (began, ended): (Timestamp, Timestamp),
    places: &HashMap<&str, usize>,
) -> Vec<Call> {
    let mut found: Vec<(i64, Call)> = text
        .lines()
        .filter_map(|line| line_of(line, places))
        .filter(|(at, _)| (began.micros()..=ended.micros()).contains(at))
        .collect();
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, call)| call).collect()
}

fn line_of(line: &str, places: &HashMap<&str, usize>) -> Option<(i64, Call)> {
    let mut words = line.split(' ');
    let at = words.next()?.parse().ok()?;
    let abreast = words.next()?.parse().ok()?;
    let (request, answer) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let to = *places.get(words.next()?)?;
    Some((at, Call { to, request, answer, abreast }))
}

#[cfg(test)]
mod tests;
