//! From a referee's report to a verdict: the referee says what happened, the points are ours.
//!
//! Private scores count, as far as they were given; league points come from our thresholds. Only a
//! player's own fault costs it points: who could not be scored and was not to blame gets what a
//! lost referee gives.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::message::{Blame, Cause};
use agon_proto::q21::{PlayerState, ReportStatus, ResultReport, Score, ScoreRow, StatedScore};

use super::results::Party;
use crate::verdict::{Cut, End, Ended, Fault, Seat};

/// What a row says of a player that never came.
const TECHNICAL_LOSS: &str = "TECHNICAL_LOSS";

/// How the game ended that a report tells of.
pub(super) fn ended(report: &ResultReport, players: [&Party; 2]) -> Ended {
    let scores = players.map(|player| score(report, player));
    let faults = faults(report, players);
    let finished = scores.iter().all(Option::is_some);
    let cause = cause(report, faults, finished);
    let fault = Fault { joining: cause == Cause::NoShow, cause, unreachable: false };
    let ends = Seat::BOTH.map(|seat| match (faults[seat.index()], scores[seat.index()]) {
        (true, _) => End::Failed(fault),
        (false, Some(_)) => End::Played,
        (false, None) => End::Open,
    });
    // Broken off, and no player's fault.
    let cut = Cut { cause, blame: not_a_players(report.blame), last: true };
    let gains = scores.map(|score| score.and_then(|score| score.hundredths().try_into().ok()));
    Ended { cut: (faults == [false; 2] && !finished).then_some(cut), ..Ended::new(ends, gains) }
}

/// What that player's play was worth, if it was scored.
fn score(report: &ResultReport, player: &Party) -> Option<Score> {
    let row = row(report, player)?;
    let private_score = row.private_score.as_ref().map_or(Score::ZERO, StatedScore::bounded);
    let nothing = private_score == Score::ZERO && row.league_points.unwrap_or(0) == 0;
    let scored = match state(report, player) {
        Some(state) => state.scored || !nothing,
        // Who was scored with nothing, and who never was, look the same in a game broken off.
        None => report.status == ReportStatus::Completed || !nothing,
    };
    scored.then_some(private_score)
}

pub(super) fn row<'a>(report: &'a ResultReport, player: &Party) -> Option<&'a ScoreRow> {
    let rows = || report.scores.iter();
    rows()
        .find(|row| row.address.as_ref() == Some(&player.address))
        .or_else(|| rows().find(|row| names(row.participant.as_str(), player)))
}

fn state<'a>(report: &'a ResultReport, player: &Party) -> Option<&'a PlayerState> {
    report.player_states.iter().find(|state| {
        state.address.as_ref() == Some(&player.address) || names(state.participant.as_str(), player)
    })
}

/// Whether a text is that player's group or its address, in whatever case.
pub(super) fn names(text: &str, player: &Party) -> bool {
    let text = text.trim();
    text.eq_ignore_ascii_case(player.group.as_str())
        || text.eq_ignore_ascii_case(player.address.as_str())
}

/// Which players failed: as the report says in our words, or else in those of others.
pub(super) fn faults(report: &ResultReport, players: [&Party; 2]) -> [bool; 2] {
    match report.blame {
        Some(Blame::PlayerA) => [true, false],
        Some(Blame::PlayerB) => [false, true],
        Some(Blame::Both) => [true, true],
        Some(Blame::Referee | Blame::Network | Blame::Host | Blame::Operator) => [false, false],
        None => players.map(|player| {
            let absent = row(report, player).is_some_and(is_technical_loss);
            let aborted = report.abort_reason.as_deref().and_then(|why| why.split_once(':'));
            absent || aborted.is_some_and(|(_, whose)| names(whose, player))
        }),
    }
}

fn is_technical_loss(row: &ScoreRow) -> bool {
    row.reason.as_deref().is_some_and(|reason| reason.starts_with(TECHNICAL_LOSS))
}

/// What happened. A referee cannot say what only the league knows, and where no player failed a
/// game that has no two scores was the referee's to finish.
fn cause(report: &ResultReport, faults: [bool; 2], finished: bool) -> Cause {
    let aborted = report.abort_reason.as_deref().unwrap_or_default();
    let told = report.cause.filter(|cause| {
        !matches!(cause, Cause::Played | Cause::CancelledByOperator | Cause::Withdrawn)
    });
    match faults {
        [false, false] if finished => Cause::Played,
        [false, false] => told
            .filter(|cause| matches!(cause, Cause::Network | Cause::HostOverloaded))
            .unwrap_or(Cause::RefereeLost),
        [true, _] | [_, true] => told.unwrap_or_else(|| {
            let absent = report.scores.iter().any(is_technical_loss);
            if absent || report.scores.is_empty() {
                Cause::NoShow
            } else if aborted.starts_with("format_violation") {
                Cause::MalformedAnswer
            } else {
                Cause::TimedOut
            }
        }),
    }
}

/// Who is to blame if no player is.
const fn not_a_players(blame: Option<Blame>) -> Blame {
    match blame {
        Some(blame @ (Blame::Network | Blame::Host)) => blame,
        Some(Blame::PlayerA | Blame::PlayerB | Blame::Both | Blame::Referee | Blame::Operator)
        | None => Blame::Referee,
    }
}

#[cfg(test)]
mod tests;
