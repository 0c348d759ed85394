//! What is said in a league that writes letters, whoever spells it and however it travels.
//!
//! The rules take and give acts. A dialect spells them, and reads them back.
//!
//! Spec: docs/protocol/q21.md

mod game;
mod joining;
mod league;
mod report;

use serde::{Deserialize, Serialize};

pub use game::{Asked, Moved, Worth};
pub use joining::{Applying, Decided, Denial};
pub use league::{
    Approval, AssignmentAck, AssignmentRow, AssignmentTable, Connectivity, EndRound, Extension,
    ExtensionDecision, ForceMajeure, ForceMajeureDecision, FreeText, Halt, KeepAlive,
    LeagueRegistration, LeagueRegistrationAnswer, NewRound, Problem, Rejection, RoundResults,
    RoundWinner, SeasonCompleted, StandingRow, StartSeason, StateAnswer, TableRequest,
};
pub use report::{
    Aborted, Break, LastActor, PlayerReached, Progress, RefereeState, ReportStatus, Reporter,
    ResultReport, ScoreRow, SeasonState, StatusReport, StopReason,
};

/// To what an agent answers with its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Task {
    /// Are you there?
    KeepAlive,
    /// Stop for now.
    Pause,
    /// Go on.
    Continue,
    /// Forget the season.
    Reset,
}

/// One variant for each thing that is said around the matches.
macro_rules! acts {
    ($($(#[$doc:meta])* $variant:ident($content:ty);)*) => {
        /// What is said.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub enum Act {
            $($(#[$doc])* $variant($content),)*
            /// A keep-alive, pause, continue or reset is answered.
            State(Task, StateAnswer),
            /// A referee puts a question to a player.
            Ask(Asked),
            /// The player answers.
            Move(Moved),
            /// What a player's match was worth.
            Worth(Worth),
            /// Something that nobody here knows. Its name is kept for the log.
            Other(Box<str>),
        }

        /// What kind of thing is said, without the contents.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ActKind {
            $($(#[$doc])* $variant,)*
            /// The answer to one of four broadcasts.
            State(Task),
            /// The question of that number, counted from 0.
            Ask(u16),
            /// The answer to it.
            Move(u16),
            /// What a match was worth.
            Worth,
            /// Unknown here.
            Other,
        }

        impl Act {
            /// Without the contents.
            pub const fn kind(&self) -> ActKind {
                match self {
                    $(Self::$variant(_) => ActKind::$variant,)*
                    Self::State(task, _) => ActKind::State(*task),
                    Self::Ask(asked) => ActKind::Ask(asked.number),
                    Self::Move(moved) => ActKind::Move(moved.number),
                    Self::Worth(_) => ActKind::Worth,
                    Self::Other(_) => ActKind::Other,
                }
            }
        }
    };
}

acts! {
    /// A season opens.
    StartSeason(StartSeason);
    /// Somebody wants to be let in.
    Apply(Box<Applying>);
    /// It may, or not.
    Decide(Box<Decided>);
    /// Who meets whom.
    AssignmentTable(AssignmentTable);
    /// A referee has the table.
    RefereeAck(AssignmentAck);
    /// A player has the table.
    PlayerAck(AssignmentAck);
    /// Somebody has lost the table.
    TableRequest(TableRequest);
    /// The table again, for one.
    TableAnswer(AssignmentTable);
    /// A round begins.
    NewRound(NewRound);
    /// A round is over.
    EndRound(EndRound);
    /// The table after it.
    RoundResults(RoundResults);
    /// The season is over.
    SeasonCompleted(SeasonCompleted);
    /// A referee's result.
    ResultReport(ResultReport);
    /// A player's report.
    StatusReport(StatusReport);
    /// Are you there?
    KeepAlive(KeepAlive);
    /// Stop for now.
    Pause(Halt);
    /// Go on.
    Continue(Halt);
    /// Forget the season.
    Reset(Halt);
    /// News for people.
    FreeText(FreeText);
    /// An answer to it.
    FreeTextAnswer(FreeText);
    /// Somebody wants to be told of seasons.
    LeagueRegistration(LeagueRegistration);
    /// It is, or not.
    LeagueRegistrationAnswer(LeagueRegistrationAnswer);
    /// Still here.
    Heartbeat(FreeText);
    /// Does my post arrive?
    ConnectivityCall(Connectivity);
    /// It does.
    ConnectivityEcho(Connectivity);
    /// More time, please.
    Extension(Extension);
    /// Granted, or not.
    ExtensionDecision(ExtensionDecision);
    /// It came too late.
    Rejection(Rejection);
    /// It came too late already before.
    AlreadyRejected(Rejection);
    /// Nobody could have played.
    ForceMajeure(ForceMajeure);
    /// What becomes of that.
    ForceMajeureDecision(ForceMajeureDecision);
    /// Something went wrong.
    Problem(Problem);
}

impl ActKind {
    /// Whether it belongs to a match, and not to the league.
    pub const fn is_of_match(self) -> bool {
        matches!(self, Self::Ask(_) | Self::Move(_) | Self::Worth)
    }
}
