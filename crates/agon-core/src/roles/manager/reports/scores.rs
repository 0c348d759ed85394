//! From scores to a verdict: the referee says what happened, the points are ours.
//!
//! Scores count, as far as they were given; league points come from our thresholds. Only a player's
//! own fault costs it points: who could not be scored and was not to blame gets what a lost referee
//! gives.
//!
//! Spec: docs/protocol/match.md

use agon_proto::act::{Aborted, ReportStatus, ResultReport, ScoreRow};
use agon_proto::message::{Blame, Cause};
use agon_proto::{Address, GroupId, Score, StatedScore};

use crate::league::registry::Agent;
use crate::verdict::{Cut, End, Ended, Fault, Seat};

/// A player, as a report names it.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) address: Address,
    pub(super) group: GroupId,
}

impl Candidate {
    pub(super) fn of(agent: &Agent) -> Self {
        Self { address: agent.address(), group: agent.group() }
    }

    /// Whether a text is its group or its address, in whatever case.
    pub(super) fn is_called(&self, text: &str) -> bool {
        let text = text.trim();
        text.eq_ignore_ascii_case(self.group.as_str())
            || text.eq_ignore_ascii_case(self.address.as_str())
    }

    /// Whether that group or that address is its own.
    pub(super) fn is(&self, group: &GroupId, address: Option<&Address>) -> bool {
        address == Some(&self.address) || self.is_called(group.as_str())
    }
}

/// How the game ended that a report tells of.
pub(super) fn ended(report: &ResultReport, players: [&Candidate; 2]) -> Ended {
    let scores = players.map(|player| score(report, player));
    let faults = faults(report, players);
    let finished = scores.iter().all(Option::is_some);
    let cause = cause(report, faults, finished);
    // Who both failed before anything could be scored never came, whatever they said instead.
    let nobody = faults == [true; 2] && report.scores.is_empty();
    let fault = Fault { joining: nobody || cause == Cause::NoShow, cause, unreachable: false };
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
fn score(report: &ResultReport, player: &Candidate) -> Option<Score> {
    let row = row(report, player)?;
    let score = row.private_score.as_ref().map_or(Score::ZERO, StatedScore::bounded);
    let nothing = score == Score::ZERO && row.league_points.unwrap_or(0) == 0;
    let mut reached = report.player_states.iter();
    let reached = reached.find(|it| player.is(&it.participant, it.address.as_ref()));
    let scored = match reached {
        Some(reached) => reached.scored || !nothing,
        // Who was scored with nothing, and who never was, look the same in a game broken off.
        None => (report.status == ReportStatus::Completed) || !nothing,
    };
    scored.then_some(score)
}

pub(super) fn row<'a>(report: &'a ResultReport, player: &Candidate) -> Option<&'a ScoreRow> {
    let rows = || report.scores.iter();
    rows()
        .find(|row| row.address.as_ref() == Some(&player.address))
        .or_else(|| rows().find(|row| player.is_called(row.participant.as_str())))
}

/// Which players failed: as the report says in our words, or else in those of others.
pub(super) fn faults(report: &ResultReport, players: [&Candidate; 2]) -> [bool; 2] {
    match report.blame {
        Some(Blame::PlayerA) => [true, false],
        Some(Blame::PlayerB) => [false, true],
        Some(Blame::Both) => [true, true],
        Some(Blame::Referee | Blame::Network | Blame::Host | Blame::Operator) => [false, false],
        None => players.map(|player| {
            let absent = row(report, player).is_some_and(ScoreRow::has_failed);
            let awaited = report.abort_reason.as_ref().and_then(Aborted::whose);
            absent || awaited.is_some_and(|whose| player.is_called(whose))
        }),
    }
}

/// What happened. A referee cannot say what only the league knows, and where no player failed a
/// game that has no two scores was the referee's to finish.
fn cause(report: &ResultReport, faults: [bool; 2], finished: bool) -> Cause {
    let told = report.cause.filter(|cause| {
        !matches!(cause, Cause::Played | Cause::CancelledByOperator | Cause::Withdrawn)
    });
    match faults {
        [false, false] if finished => Cause::Played,
        [false, false] => told
            .filter(|cause| matches!(cause, Cause::Network | Cause::HostOverloaded))
            .unwrap_or(Cause::RefereeLost),
        [true, _] | [_, true] => told.unwrap_or_else(|| report.presumed()),
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
