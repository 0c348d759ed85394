//! A player's reports about its games: one that was stopped, and one that came to its end.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{ActKind, LastActor, Progress, Reporter, StatusReport, StopReason};
use agon_proto::{Address, GameId, Part, Payload, Score, SeasonId, Timestamp};

/// Where a game stood when it stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminationReport {
    pub game: GameId,
    pub round_number: u32,
    pub season: Option<SeasonId>,
    pub phase_at_termination: Progress,
    pub last_actor: LastActor,
    pub last_message_sent: Option<ActKind>,
    pub last_message_received: Option<ActKind>,
    pub terminated_at: Timestamp,
    pub reason: StopReason,
    pub my_role: Part,
    /// What it brought, if it came to its end.
    pub score: Option<(u32, Score, Payload)>,
}

impl TerminationReport {
    /// As the league manager is told.
    pub(super) fn status_report(&self, reporter: &Address) -> StatusReport {
        let name = |kind: ActKind| kind.name().into();
        StatusReport {
            game: self.game.clone(),
            round: self.round_number,
            season: self.season.clone(),
            phase: self.phase_at_termination,
            last_actor: self.last_actor,
            last_sent: self.last_message_sent.map(name),
            last_received: self.last_message_received.map(name),
            at: Some(self.terminated_at),
            reason: self.reason,
            reporter: Reporter {
                address: Some(reporter.clone()),
                role: role_name(self.my_role).into(),
            },
            points: self.score.as_ref().map(|(points, private, _)| (*points, *private)),
            view: self.score.as_ref().map(|(_, _, view)| view.clone()),
        }
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
