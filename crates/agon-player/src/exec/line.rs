//! What a child is told, and what it may answer.

use agon_core::{Known, Question, Seat, What};
use agon_proto::message::Record;
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{MatchId, Payload, PlayerId, RoundId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::child::{Fault, excerpt, line};

/// One question. Its fields are a promise to every author of a child.
#[derive(Serialize)]
struct Asked<'a> {
    match_id: MatchId,
    round_id: RoundId,
    #[serde(skip_serializing_if = "Option::is_none")]
    player_id: Option<PlayerId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_id: Option<PlayerId>,
    deadline: Timestamp,
    history: &'a [PlayedMatch],
    standings: Record,
    kind: &'a str,
    #[serde(flatten)]
    what: Shown<'a>,
    #[serde(skip_serializing_if = "Payload::is_null")]
    context: &'a Payload,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Shown<'a> {
    Move { view: &'a Payload, options: &'a [Payload], said: &'a [Payload] },
    Oracle { about: Option<Seat>, prompt: &'a Payload },
}

/// The question as one line.
pub(super) fn question(question: &Question, known: &Known<'_>, history_max: usize) -> Vec<u8> {
    let history = known.history;
    let what = match &question.what {
        What::Move { view, options, said } => Shown::Move { view, options, said },
        What::Heard { view } => Shown::Move { view, options: &[], said: &[] },
        What::Oracle { about, prompt } => Shown::Oracle { about: *about, prompt },
    };
    line(&Asked {
        match_id: question.match_id,
        round_id: question.match_id.round,
        player_id: known.player,
        opponent_id: known.opponent,
        deadline: question.until,
        history: &history[history.len().saturating_sub(history_max)..],
        standings: record(history),
        kind: &question.kind,
        what,
        context: &known.context,
    })
}

fn record(history: &[PlayedMatch]) -> Record {
    let count = |result| history.iter().map(|past| u32::from(past.result == result)).sum();
    Record {
        wins: count(PlayedResult::Win),
        losses: count(PlayedResult::Loss),
        draws: count(PlayedResult::Draw),
    }
}

/// An answer as an object. `choice` is what it was called when there was one game.
#[derive(Deserialize)]
struct Answered<'a> {
    #[serde(borrow, rename = "move", alias = "choice", alias = "word")]
    said: &'a RawValue,
}

/// The move in a line: `{"move":…}`, or the bare move. Where the options are listed it is one of
/// them, and in a word upper and lower case are the same.
pub(super) fn answer(line: &str, options: &[Payload]) -> Result<Payload, Fault> {
    let bare = line.trim();
    let object = bare.starts_with('{').then(|| serde_json::from_str::<Answered<'_>>(bare).ok());
    let said = object.flatten().map_or(bare, |answered| answered.said.get());
    let found = if options.is_empty() {
        Payload::new(said)
    } else {
        options.iter().find(|option| is_same(option.as_str(), said)).cloned()
    };
    found.ok_or_else(|| Fault::Misspoke { said: excerpt(line), wrong: wanted(options) })
}

fn word(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}

/// Whether that is the option: as JSON, or as a word, for which nobody needs quotes.
fn is_same(option: &str, said: &str) -> bool {
    let Some(option) = word(option) else { return option == said };
    word(said).as_deref().unwrap_or(said).trim().eq_ignore_ascii_case(&option)
}

/// What to write instead of something that is no move.
fn wanted(options: &[Payload]) -> Box<str> {
    let first = options.first().map(Payload::as_str);
    let example = match (first.and_then(word), first) {
        (Some(word), _) => format!("no choice; write {{\"choice\":\"{word}\"}} or {word}"),
        (None, Some(first)) => format!("no move; write {{\"move\":{first}}}"),
        (None, None) => "no move; write {\"move\":…} with the move as JSON".to_owned(),
    };
    format!("{example}, and nothing else, to stdout: notes belong to stderr").into()
}

#[cfg(test)]
mod tests;
