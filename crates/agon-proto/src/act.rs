//! What is said in a league, whoever spells it and however it travels.
//!
//! The rules take and give acts. A dialect spells them, and reads them back; each says for every
//! act whether it has words for it.
//!
//! Spec: docs/protocol/README.md

mod joining;
mod league;
mod matches;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::message::{
    GameError, GameInvitation, GameJoinAck, GameOver, Heartbeat, LeagueCompleted, LeagueError,
    LeagueQuery, LeagueQueryResponse, LeagueStandingsUpdate, MatchAssignment, MatchResultReport,
    MoveCall, MoveResponse, PlayerWithdrawn, RoundAnnouncement, RoundCompleted,
};
use crate::{Contact, Endpoint, MatchId};

pub use joining::{Applying, Decided, Denial};
pub use league::{
    Approval, AssignmentAck, AssignmentRow, AssignmentTable, Connectivity, EndRound, Extension,
    ExtensionDecision, ForceMajeure, ForceMajeureDecision, FreeText, Halt, KeepAlive,
    LeagueRegistration, LeagueRegistrationAnswer, NewRound, Problem, Rejection, RoundResults,
    RoundWinner, SeasonCompleted, StandingRow, StartSeason, StateAnswer, TableRequest,
};
pub use matches::{
    Aborted, Asked, Break, LastActor, Moved, PlayerReached, Progress, RefereeState, ReportStatus,
    Reporter, ResultReport, ScoreRow, SeasonState, StatusReport, StopReason, Worth,
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

/// One variant for each thing that is said; last what is only said in calls. What is large is
/// boxed, because all pay for the largest, and most of what is said in a season is small.
macro_rules! acts {
    ($($(#[doc = $doc:literal])* $variant:ident($content:ty);)*
    {
        $($(#[doc = $of_call:literal])* $call:ident($called:ty);)*
    }) => {
        /// What is said.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Act {
            $($(#[doc = $doc])* $variant($content),)*
            /// A keep-alive, pause, continue or reset is answered.
            State(Task, StateAnswer),
            /// A referee puts a question to a player.
            Ask(Box<Asked>),
            /// The player answers.
            Move(Moved),
            /// What a player's match was worth.
            Worth(Worth),
            /// Something that nobody here knows. Its name is kept for the log.
            Other(Box<str>),
            $($(#[doc = $of_call])* $call($called),)*
        }

        /// What kind of thing a letter says, without the contents.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ActKind {
            $($(#[doc = $doc])* $variant,)*
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
            /// Said in calls only.
            InCall,
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
                    $(Self::$call(_) => ActKind::InCall,)*
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
    ResultReport(Box<ResultReport>);
    /// A player's report.
    StatusReport(Box<StatusReport>);
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
    /// Still here, in a letter.
    StillHere(FreeText);
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
    {
        /// A round begins: who meets whom, and where.
        RoundAnnouncement(RoundAnnouncement);
        /// A round is over.
        RoundCompleted(RoundCompleted);
        /// The season is over, with its champion.
        LeagueCompleted(LeagueCompleted);
        /// A referee invites a player to a match.
        GameInvitation(GameInvitation);
        /// The player's answer to it.
        GameJoinAck(GameJoinAck);
        /// A referee asks for a move in a call.
        MoveCall(MoveCall);
        /// The player's answer to it.
        MoveResponse(MoveResponse);
        /// A match is over.
        GameOver(GameOver);
        /// A referee reports a result.
        MatchResultReport(Box<MatchResultReport>);
        /// The table.
        LeagueStandingsUpdate(LeagueStandingsUpdate);
        /// The manager refuses something.
        LeagueError(Box<LeagueError>);
        /// A referee warns a player.
        GameError(Box<GameError>);
        /// A question to the manager.
        LeagueQuery(LeagueQuery);
        /// The manager's answer to it.
        LeagueQueryResponse(Box<LeagueQueryResponse>);
        /// The manager gives a match to a referee.
        MatchAssignment(Arc<MatchAssignment>);
        /// A referee is still there.
        Heartbeat(Heartbeat);
        /// A player plays no more.
        PlayerWithdrawn(PlayerWithdrawn);
    }
}

impl Act {
    /// The match of which a referee speaks to a player; `None` if it is nothing of that kind.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few acts come from referees by call")]
    pub const fn match_of_referee(&self) -> Option<MatchId> {
        match self {
            Self::GameInvitation(said) => Some(said.match_id),
            Self::MoveCall(said) => Some(said.match_id()),
            Self::GameOver(said) => Some(said.match_id),
            Self::GameError(said) => Some(said.match_id),
            _ => None,
        }
    }

    /// Where somebody who registers can be called.
    pub fn registers_at(&self) -> Option<Endpoint> {
        let Self::Apply(said) = self else { return None };
        said.contact.as_ref().map(Contact::endpoint)
    }
}

impl ActKind {
    /// Whether it belongs to a match, and not to the league.
    pub const fn is_of_match(self) -> bool {
        matches!(self, Self::Ask(_) | Self::Move(_) | Self::Worth)
    }
}
