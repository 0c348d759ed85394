//! A player's reports about its games: one that was stopped, and one that came to its end.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{ActKind, LastActor, Progress, Reporter, StatusReport, StopReason};
use agon_proto::{Address, Part, Timestamp};

use super::controller::Controller;
use super::parameters::GameParameters;

impl Controller {
    /// Where it stands, for the league manager. Nothing, if no table has it.
    pub(super) fn report(
        &self,
        reporter: &Address,
        reason: StopReason,
        at: Timestamp,
    ) -> Option<StatusReport> {
        let GameParameters { assignment, season, .. } = self.parameters.as_deref()?;
        let (name, score) = (|kind: ActKind| kind.name().into(), self.score.as_ref());
        Some(StatusReport {
            game: assignment.game.clone(),
            round: assignment.match_id.round,
            season: season.clone(),
            phase: self.phase(),
            last_actor: self.last_actor(),
            last_sent: self.last_sent().map(name),
            last_received: self.last_received().map(name),
            at: Some(at),
            reason,
            reporter: Reporter {
                address: Some(reporter.clone()),
                role: role_name(assignment.my_role).into(),
            },
            points: score.map(|said| (said.league_points, said.private_score)),
            view: score.map(|said| said.view.clone()),
        })
    }
}

/// Who did something last, in that phase. Whoever owes an answer was not the last: the referee was.
pub(super) const fn last_actor(phase: Progress, owes_an_answer: bool) -> LastActor {
    match phase {
        Progress::Completed | Progress::Terminated => LastActor::None,
        Progress::Answered(_) if owes_an_answer => LastActor::Referee,
        Progress::Answered(0) => LastActor::None,
        Progress::Answered(_) => LastActor::Player,
    }
}

/// A place at the table, as reports spell it.
const fn role_name(part: Part) -> &'static str {
    match part {
        Part::Player1 => "PLAYER_A",
        Part::Player2 => "PLAYER_B",
        Part::Referee => "PLAYER",
    }
}

#[cfg(test)]
mod tests;
