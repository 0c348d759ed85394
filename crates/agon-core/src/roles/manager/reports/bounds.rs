//! Whether scores agree with themselves and with the league's thresholds.
//!
//! Some referees call it a draw where two have the same league points, others decide by the private
//! score: both are believed. What is refused is what no rule makes of the scores.
//!
//! Spec: docs/protocol/match.md

use agon_proto::act::{ReportStatus, ResultReport, ScoreRow};
use agon_proto::message::{Blame, Cause};
use agon_proto::{Score, StatedScore};

use super::claims::Claim;
use super::scores::{Candidate, faults, row};
use crate::Contradiction;
use crate::verdict::{Scoring, Seat, Thresholds};

/// What a report is worth, or what contradicts what in it.
pub(super) fn check(
    report: &ResultReport,
    players: [&Candidate; 2],
    scoring: &Scoring,
) -> Result<Claim, Contradiction> {
    let rows = players.map(|player| row(report, player));
    for (player, row) in players.iter().zip(rows) {
        check_bounds(player, row)?;
        check_repeats(report, player, row)?;
    }
    let faults = faults(report, players);
    let winner = winner(report, players, rows)?;
    check_blame(report, players, faults, winner)?;
    if report.status != ReportStatus::Completed {
        return Ok(Claim::Verified);
    }
    let Scoring::ByGain { thresholds, .. } = scoring else {
        return Ok(Claim::Unverified);
    };
    let scores = rows.map(|row| row.and_then(stated));
    for seat in Seat::BOTH.into_iter().filter(|seat| !faults[seat.index()]) {
        let place = seat.index();
        if let (Some(row), Some(score)) = (rows[place], scores[place]) {
            check_points(players[place], row, score, thresholds)?;
        }
    }
    if let (Some(a), Some(b), [false, false]) = (scores[0], scores[1], faults) {
        check_outcome(report, players, [a, b], winner, thresholds)?;
    }
    let known = scores.iter().zip(faults).all(|(score, fault)| fault || score.is_some());
    Ok(if known { Claim::Verified } else { Claim::Unverified })
}

/// The private score of a row, if it says one.
fn stated(row: &ScoreRow) -> Option<Score> {
    row.private_score.as_ref().map(StatedScore::bounded)
}

fn check_bounds(player: &Candidate, row: Option<&ScoreRow>) -> Result<(), Contradiction> {
    match row.and_then(|row| row.private_score.as_ref()) {
        Some(StatedScore::Beyond(digits)) => {
            let said = format!("`private_score` {digits:.20} of {}", player.group);
            Err(Contradiction::new(said, "the bounds 0 to 100"))
        }
        Some(StatedScore::Within(_)) | None => Ok(()),
    }
}

/// A player that stands in two rows has the same score in both.
fn check_repeats(
    report: &ResultReport,
    player: &Candidate,
    row: Option<&ScoreRow>,
) -> Result<(), Contradiction> {
    let Some(first) = row else {
        return Ok(());
    };
    let mine = |row: &&ScoreRow| player.is(&row.participant, row.address.as_ref());
    let other = |row: &ScoreRow| {
        (row.league_points, &row.private_score) != (first.league_points, &first.private_score)
    };
    Contradiction::unless(!report.scores.iter().filter(mine).any(other), || {
        (format!("one row of `scores` for {}", player.group), "another one")
    })
}

/// The seat of whom the report names as the winner.
fn winner(
    report: &ResultReport,
    players: [&Candidate; 2],
    rows: [Option<&ScoreRow>; 2],
) -> Result<Option<Seat>, Contradiction> {
    let Some(named) = &report.winner else {
        return Ok(None);
    };
    let said = || format!("`winner_id` {named}");
    if report.is_draw {
        return Err(Contradiction::new(said(), "`is_draw` true"));
    }
    // A referee may call its players by names of its own, as long as an address tells who is who.
    let is_named = |seat: &Seat| {
        let place = seat.index();
        players[place].is_called(named.as_str())
            || rows[place].is_some_and(|row| row.participant == *named)
    };
    let seat = Seat::BOTH.into_iter().find(is_named);
    let [a, b] = players.map(|player| &player.group);
    let nobody = || Contradiction::new(said(), format!("the game of {a} and {b}"));
    seat.map(Some).ok_or_else(nobody)
}

/// Who failed has not won, and a game that was played to its end has nobody to blame.
fn check_blame(
    report: &ResultReport,
    players: [&Candidate; 2],
    faults: [bool; 2],
    winner: Option<Seat>,
) -> Result<(), Contradiction> {
    if let Some(seat) = winner.filter(|seat| faults[seat.index()]) {
        let said = format!("`winner_id` {}", players[seat.index()].group);
        let blamed = report
            .blame
            .map_or("its technical loss".to_owned(), |blame| format!("`blame` {}", blame.as_str()));
        return Err(Contradiction::new(said, blamed));
    }
    match (report.cause, report.blame) {
        (Some(Cause::Played), Some(blame @ (Blame::PlayerA | Blame::PlayerB | Blame::Both))) => {
            Err(Contradiction::new("`cause` PLAYED", format!("`blame` {}", blame.as_str())))
        }
        (Some(_) | None, Some(_) | None) => Ok(()),
    }
}

fn worth(thresholds: &Thresholds, score: Score) -> u32 {
    thresholds.points(i32::try_from(score.hundredths()).unwrap_or(i32::MAX))
}

/// League points are what the league's thresholds make of the private score.
fn check_points(
    player: &Candidate,
    row: &ScoreRow,
    score: Score,
    thresholds: &Thresholds,
) -> Result<(), Contradiction> {
    let worth = worth(thresholds, score);
    let points = row.league_points.unwrap_or(worth);
    Contradiction::unless(points == worth, || {
        let said = format!("`league_points` {points} of {}", player.group);
        (said, format!("`private_score` {score}, which is worth {worth}"))
    })
}

fn check_outcome(
    report: &ResultReport,
    players: [&Candidate; 2],
    scores: [Score; 2],
    winner: Option<Seat>,
    thresholds: &Thresholds,
) -> Result<(), Contradiction> {
    let ranks = scores.map(|score| (worth(thresholds, score), score));
    let [a, b] = players.map(|player| &player.group);
    let against = || format!("`private_score` {} of {a} and {} of {b}", scores[0], scores[1]);
    match winner {
        Some(seat) if ranks[seat.index()] <= ranks[seat.other().index()] => {
            let said = format!("`winner_id` {}", players[seat.index()].group);
            Err(Contradiction::new(said, against()))
        }
        None if report.is_draw && ranks[0].0 != ranks[1].0 => {
            Err(Contradiction::new("`is_draw` true", against()))
        }
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
