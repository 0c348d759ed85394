//! What a child is told, and what it may answer.

use agon_proto::message::{Parity, Record, StatedParity};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{MatchId, PlayerId, RoundId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Situation;

/// One question. Its fields are a promise to every author of a child.
#[derive(Serialize)]
struct Asked<'a> {
    match_id: MatchId,
    round_id: RoundId,
    player_id: PlayerId,
    opponent_id: PlayerId,
    deadline: Timestamp,
    history: &'a [PlayedMatch],
    standings: Record,
}

#[derive(Deserialize)]
struct Answered {
    choice: StatedParity,
}

/// The question as one line.
pub(super) fn question(situation: &Situation<'_>, history_max: usize) -> Vec<u8> {
    let (question, history) = (situation.question, situation.history);
    let asked = Asked {
        match_id: question.match_id,
        round_id: question.round,
        player_id: question.player,
        opponent_id: question.opponent,
        deadline: question.deadline,
        history: &history[history.len().saturating_sub(history_max)..],
        standings: record(history),
    };
    let mut line = serde_json::to_vec(&asked).expect("text and numbers always fit into JSON");
    line.push(b'\n');
    line
}

fn record(history: &[PlayedMatch]) -> Record {
    let mut record = Record::default();
    for past in history {
        match past.result {
            PlayedResult::Win => record.wins += 1,
            PlayedResult::Loss => record.losses += 1,
            PlayedResult::Draw => record.draws += 1,
            PlayedResult::Cancelled => {}
        }
    }
    record
}

/// The choice in a line: `{"choice":"even"}`, or the bare word.
pub(super) fn choice(line: &str) -> Option<Parity> {
    let line = line.trim();
    let stated = if line.starts_with('{') {
        serde_json::from_str::<Answered>(line).ok()?.choice
    } else {
        StatedParity::from(line)
    };
    match stated {
        StatedParity::Valid(parity) => Some(parity),
        StatedParity::Invalid(_) => None,
    }
}

#[cfg(test)]
mod tests;
