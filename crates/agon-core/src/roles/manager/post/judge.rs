//! From a referee's report to a verdict: the referee says what happened, the points are ours.
//!
//! Private scores count, as far as they were given; league points come from our thresholds. Only a
//! player's own fault costs it points: who could not be scored and was not to blame gets what a
//! lost referee gives.
//!
//! Spec: docs/protocol/q21.md

use std::cmp::Ordering;

use agon_proto::message::{Blame, Cause};
use agon_proto::q21::{PlayerState, ReportStatus, ResultReport, Score, ScoreRow, StatedScore};

use super::results::Party;
use crate::verdict::{Mark, Outcome, Seat, Verdict};
use crate::{Q21Terms, Settings};

/// What a row says of a player that never came.
const TECHNICAL_LOSS: &str = "TECHNICAL_LOSS";

/// The verdict that a report amounts to.
pub(super) fn judge(report: &ResultReport, players: [&Party; 2], settings: &Settings) -> Verdict {
    let scores = players.map(|player| score(report, player));
    let faults = faults(report, players);
    let finished = scores.iter().all(Option::is_some);
    let cause = cause(report, faults, finished);
    let marks = Seat::BOTH.map(|seat| mark(scores[seat.index()], faults[seat.index()], settings));
    let verdict = |outcome, blame| Verdict {
        outcome,
        cause,
        blame,
        drawn: None,
        choices: [None, None],
        marks: Some(marks),
    };
    match (faults, scores) {
        ([false, false], [Some(a), Some(b)]) => {
            let rank = |seat: Seat, score: Score| (marks[seat.index()].points, score);
            let outcome = match rank(Seat::A, a).cmp(&rank(Seat::B, b)) {
                Ordering::Greater => Outcome::Won(Seat::A),
                Ordering::Less => Outcome::Won(Seat::B),
                Ordering::Equal => Outcome::Drawn,
            };
            verdict(outcome, None)
        }
        // Broken off, and no player's fault.
        ([false, false], _) => verdict(Outcome::Cancelled, Some(not_a_players(report.blame))),
        ([true, false], _) => verdict(Outcome::Forfeited(Seat::A), Some(Blame::PlayerA)),
        ([false, true], _) => verdict(Outcome::Forfeited(Seat::B), Some(Blame::PlayerB)),
        // Nobody came: there was no game.
        ([true, true], _) if cause == Cause::NoShow => {
            Verdict::unplayed(Outcome::Cancelled, cause, Blame::Both)
        }
        ([true, true], _) => verdict(Outcome::BothForfeited, Some(Blame::Both)),
    }
}

/// A game that came to nothing without a player's fault.
pub(super) fn lost(terms: &Q21Terms, cause: Cause, blame: Blame) -> Verdict {
    let mark = Mark { points: terms.referee_lost_points, score: Score::ZERO };
    let verdict = Verdict::unplayed(Outcome::Cancelled, cause, blame);
    Verdict { marks: Some([mark; 2]), ..verdict }
}

/// The same verdict, if these players have left the league: they lose what they play.
pub(super) fn without_withdrawn(
    verdict: Verdict,
    withdrawn: [bool; 2],
    settings: &Settings,
) -> Verdict {
    let (outcome, blame) = match withdrawn {
        [false, false] => return verdict,
        [true, false] => (Outcome::Forfeited(Seat::A), Blame::PlayerA),
        [false, true] => (Outcome::Forfeited(Seat::B), Blame::PlayerB),
        [true, true] => {
            return Verdict::unplayed(Outcome::Cancelled, Cause::Withdrawn, Blame::Both);
        }
    };
    let marks = verdict.marks.map(|marks| {
        Seat::BOTH.map(|seat| {
            let Mark { points, score } = marks[seat.index()];
            let gone = withdrawn[seat.index()];
            Mark { points: if gone { settings.scoring.technical_loss } else { points }, score }
        })
    });
    Verdict { outcome, cause: Cause::Withdrawn, blame: Some(blame), marks, ..verdict }
}

fn mark(score: Option<Score>, fault: bool, settings: &Settings) -> Mark {
    match (score, fault) {
        (score, true) => {
            Mark { points: settings.scoring.technical_loss, score: score.unwrap_or_default() }
        }
        (Some(score), false) => settings.q21.thresholds.mark(score),
        (None, false) => Mark { points: settings.q21.referee_lost_points, score: Score::ZERO },
    }
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
