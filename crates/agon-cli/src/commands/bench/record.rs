//! The calls of one season, as its manager and its referee recorded them.
//!
//! Spec: docs/bench.md

use std::collections::HashMap;
use std::path::Path;

use agon_proto::Timestamp;
use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::season::Played;

/// One call: to which listener, how many bytes there, how many bytes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call(pub(super) usize, pub(super) usize, pub(super) usize);

/// What one process called, in order, and how many of its calls were under way at most.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Calls {
    pub(super) calls: Vec<Call>,
    pub(super) abreast: usize,
}

/// What the manager and the referee called between the start and the end of a season.
pub(super) fn read(folder: &Path, season: &Played) -> anyhow::Result<[Calls; 2]> {
    let places = season.endpoints.iter().enumerate();
    let places: HashMap<&str, usize> = places.map(|(place, at)| (at.as_str(), place)).collect();
    let of = |place: usize| -> anyhow::Result<Calls> {
        let port = season.endpoints.get(place).and_then(|at| port(at));
        let path = folder.join(port.context("a process named a strange endpoint")?);
        let text = std::fs::read_to_string(path).context("a process recorded nothing")?;
        Ok(parse(&text, (season.began, season.ended), &places))
    };
    Ok([of(0)?, of(1)?])
}

fn port(endpoint: &str) -> Option<&str> {
    let rest = endpoint.strip_prefix("http://")?;
    let (address, _) = rest.split_once('/')?;
    address.rsplit_once(':').map(|(_, port)| port)
}

/// Lines stand in the order of the answers; calls are wanted in the order in which they went out.
fn parse(
    text: &str,
    (began, ended): (Timestamp, Timestamp),
    places: &HashMap<&str, usize>,
) -> Calls {
    let mut found: Vec<(i64, usize, Call)> = text
        .lines()
        .filter_map(|line| line_of(line, places))
        .filter(|(at, ..)| (began.micros()..=ended.micros()).contains(at))
        .collect();
    found.sort_by_key(|(at, ..)| *at);
    Calls {
        abreast: found.iter().map(|(_, abreast, _)| *abreast).max().unwrap_or(0),
        calls: found.into_iter().map(|(.., call)| call).collect(),
    }
}

fn line_of(line: &str, places: &HashMap<&str, usize>) -> Option<(i64, usize, Call)> {
    let mut words = line.split(' ');
    let at = words.next()?.parse().ok()?;
    let abreast = words.next()?.parse().ok()?;
    let (request, answer) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let to = *places.get(words.next()?)?;
    Some((at, abreast, Call(to, request, answer)))
}

#[cfg(test)]
mod tests;
