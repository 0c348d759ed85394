//! What a referee says about asks that came to nothing: to its operator, in GAME_ERROR, and in
//! GAME_OVER.
//!
//! What was received from a player is for that player and the operator, never for its opponent.
//!
//! Spec: docs/protocol/match.md

use agon_proto::message::{MatchAssignment, Transcript, TranscriptEntry};
use agon_proto::{ErrorCode, ShortText};

use super::messages::player;
use super::reading::wanted;
use crate::effect::{Alert, FailedAsk};
use crate::matches::{Failure, Lapsed, party};
use crate::verdict::{Seat, Verdict};

/// What the operator is told of an ask that came to nothing.
pub(super) fn failed_ask(assignment: &MatchAssignment, lapsed: &Lapsed) -> Alert {
    let objection = lapsed.objection.as_deref();
    let problem = objection.map_or_else(
        || ShortText::new(otherwise(lapsed.failure).1),
        |objection| objection.problem.clone(),
    );
    Alert::AskFailed(Box::new(FailedAsk {
        match_id: assignment.match_id,
        attempt: assignment.attempt,
        player: player(assignment, lapsed.seat),
        wanted: wanted(&assignment.game_type, lapsed.step).name(),
        ask: lapsed.ask,
        problem,
        received: objection.and_then(|objection| objection.received.clone()),
    }))
}

/// What is said of a failure about which nothing more is known.
const fn otherwise(failure: Failure) -> (ErrorCode, &'static str) {
    match failure {
        Failure::Silent => (ErrorCode::Timeout, "no answer in time"),
        Failure::Unreachable => (ErrorCode::ConnectionError, "it could not be reached"),
        Failure::Declined => (ErrorCode::InvalidMessage, "it declined"),
        Failure::Invalid => (ErrorCode::InvalidMessage, "the answer cannot be chosen"),
        Failure::Malformed => (ErrorCode::InvalidMessage, "the answer could not be read"),
        Failure::Oversized => (ErrorCode::InvalidMessage, "the answer is too large"),
    }
}

/// The code of a GAME_ERROR.
pub(super) fn code(lapsed: &Lapsed) -> ErrorCode {
    lapsed.objection.as_ref().map_or(otherwise(lapsed.failure).0, |objection| objection.code)
}

/// The reason of a GAME_OVER as one player reads it: why it ended so, and what was wrong with the
/// last answer of whoever is to blame. Only its author reads what was received.
pub(super) fn reason_for(
    reader: Seat,
    assignment: &MatchAssignment,
    verdict: &Verdict,
    (reason, transcript): (&str, &Transcript),
) -> Box<str> {
    let mut told = reason.to_owned();
    for seat in Seat::BOTH.into_iter().filter(|seat| verdict.blames(*seat)) {
        let Some(TranscriptEntry { problem: Some(problem), received, .. }) =
            lapse(seat, transcript)
        else {
            continue;
        };
        told.push_str(&format!("; {}: {problem}", player(assignment, seat)));
        if let (true, Some(received)) = (seat == reader, received) {
            told.push_str(&format!("; received: {received}"));
        }
    }
    told.into()
}

/// The last ask of this player that came to nothing.
fn lapse(seat: Seat, transcript: &Transcript) -> Option<&TranscriptEntry> {
    let lapses = transcript.0.iter().filter(|entry| entry.from == party(seat));
    let mut lapses = lapses.filter(|entry| entry.message_type.is_lapse());
    lapses.next_back()
}
