//! What a letter can say, and the names under which it travels.

use serde::{Deserialize, Serialize};

use super::codec::{Reading, Unreadable, Wire};
use super::game::{
    AnswersBatch, GuessSubmission, QuestionsBatch, RoundStart, ScoreFeedback, WarmupCall,
    WarmupResponse,
};
use super::league::{
    AssignmentAck, AssignmentTable, Connectivity, EndRound, Extension, ExtensionDecision,
    ForceMajeure, ForceMajeureDecision, FreeText, Halt, KeepAlive, LeagueCompleted,
    LeagueRegistration, LeagueRegistrationAnswer, NewRound, Problem, RegistrationAnswer,
    RegistrationRequest, Rejection, RoundResults, StartSeason, StateAnswer, TableRequest,
};
use super::report::{ResultReport, StatusReport};
use crate::announcement::Task;

/// One variant for each thing that is said, and `Other` for what nobody here knows; each with the
/// name that we give it on the wire.
macro_rules! bodies {
    ($($(#[$doc:meta])* $variant:ident($content:ty) = $name:literal;)*) => {
        /// What a letter says.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub enum Body {
            $($(#[$doc])* $variant($content),)*
            /// A keep-alive, pause, continue or reset is answered.
            State(Task, StateAnswer),
            /// Something that nobody here knows. Its name is kept for the log.
            Other(Box<str>),
        }

        /// What kind of thing a letter says, without the contents.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$doc])* $variant,)*
            /// The answer to one of four broadcasts.
            State(Task),
            /// Unknown here.
            Other,
        }

        impl Body {
            /// Without the contents.
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Self::$variant(_) => Kind::$variant,)*
                    Self::State(task, _) => Kind::State(*task),
                    Self::Other(_) => Kind::Other,
                }
            }
        }

        impl Body {
            /// What is said under the kind and with the fields that are being read.
            pub(super) fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
                Ok(match from.kind {
                    $(Kind::$variant => Self::$variant(<$content>::read(from)?),)*
                    Kind::State(task) => Self::State(task, StateAnswer::read(from)?),
                    Kind::Other => Self::Other(from.name.into()),
                })
            }

            /// The contents, if anybody here knows them.
            pub(super) fn said(&self) -> Option<&dyn Wire> {
                Some(match self {
                    $(Self::$variant(said) => said,)*
                    Self::State(_, said) => said,
                    Self::Other(_) => return None,
                })
            }
        }

        impl Kind {
            /// Every kind that has one name.
            pub const NAMED: &[Self] = &[$(Self::$variant,)*];

            /// The `message_type` that we write.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::State(Task::KeepAlive) => "KEEP_ALIVE_RESPONSE",
                    Self::State(Task::Pause) => "CRITICAL_PAUSE_RESPONSE",
                    Self::State(Task::Continue) => "CRITICAL_CONTINUE_RESPONSE",
                    Self::State(Task::Reset) => "CRITICAL_RESET_RESPONSE",
                    Self::Other => "UNKNOWN",
                }
            }
        }
    };
}

bodies! {
    /// A season opens.
    StartSeason(StartSeason) = "BROADCAST_START_SEASON";
    /// Somebody wants to play in it.
    RegistrationRequest(RegistrationRequest) = "SEASON_REGISTRATION_REQUEST";
    /// It may, or not.
    RegistrationAnswer(RegistrationAnswer) = "SEASON_REGISTRATION_RESPONSE";
    /// Who meets whom.
    AssignmentTable(AssignmentTable) = "BROADCAST_ASSIGNMENT_TABLE";
    /// A referee has the table.
    RefereeAck(AssignmentAck) = "RESPONSE_GROUP_ASSIGNMENT";
    /// A player has the table.
    PlayerAck(AssignmentAck) = "GROUP_ASSIGNMENT_RESPONSE";
    /// Somebody has lost the table.
    TableRequest(TableRequest) = "REQUEST_ASSIGNMENT_TABLE";
    /// The table again, for one.
    TableAnswer(AssignmentTable) = "RESPONSE_ASSIGNMENT_TABLE";
    /// A round begins.
    NewRound(NewRound) = "BROADCAST_NEW_LEAGUE_ROUND";
    /// A round is over.
    EndRound(EndRound) = "BROADCAST_END_LEAGUE_ROUND";
    /// The table after it.
    RoundResults(RoundResults) = "BROADCAST_ROUND_RESULTS";
    /// The season is over.
    LeagueCompleted(LeagueCompleted) = "LEAGUE_COMPLETED";
    /// A referee's result.
    ResultReport(ResultReport) = "MATCH_RESULT_REPORT";
    /// A player's report. The same name; the sender's role decides.
    StatusReport(StatusReport) = "MATCH_RESULT_REPORT";
    /// Are you there?
    KeepAlive(KeepAlive) = "BROADCAST_KEEP_ALIVE";
    /// Stop for now.
    Pause(Halt) = "BROADCAST_CRITICAL_PAUSE";
    /// Go on.
    Continue(Halt) = "BROADCAST_CRITICAL_CONTINUE";
    /// Forget the season.
    Reset(Halt) = "BROADCAST_CRITICAL_RESET";
    /// News for people.
    FreeText(FreeText) = "BROADCAST_FREE_TEXT";
    /// An answer to it.
    FreeTextAnswer(FreeText) = "FREE_TEXT_RESPONSE";
    /// Somebody wants to be told of seasons.
    LeagueRegistration(LeagueRegistration) = "LEAGUE_REGISTER_REQUEST";
    /// It is, or not.
    LeagueRegistrationAnswer(LeagueRegistrationAnswer) = "RESPONSE_LEAGUE_REGISTER";
    /// Still here.
    Heartbeat(FreeText) = "HEARTBEAT";
    /// Does my mail arrive?
    ConnectivityCall(Connectivity) = "CONNECTIVITY_TEST_CALL";
    /// It does.
    ConnectivityEcho(Connectivity) = "CONNECTIVITY_TEST_ECHO";
    /// More time, please.
    Extension(Extension) = "EXTENSION_REQUEST";
    /// Granted, or not.
    ExtensionDecision(ExtensionDecision) = "RESPONSE_EXTENSION";
    /// It came too late.
    Rejection(Rejection) = "REJECTION_NOTIFICATION";
    /// It came too late already before.
    AlreadyRejected(Rejection) = "ALREADY_REJECTED_NOTIFICATION";
    /// Nobody could have played.
    ForceMajeure(ForceMajeure) = "FORCE_MAJEURE_REQUEST";
    /// What becomes of that.
    ForceMajeureDecision(ForceMajeureDecision) = "FORCE_MAJEURE_DECISION";
    /// Something went wrong.
    Problem(Problem) = "ERROR_RESPONSE";
    /// Are you ready?
    WarmupCall(WarmupCall) = "Q21WARMUPCALL";
    /// Yes.
    WarmupResponse(WarmupResponse) = "Q21WARMUPRESPONSE";
    /// What is to be found out.
    RoundStart(RoundStart) = "Q21ROUNDSTART";
    /// Twenty questions.
    QuestionsBatch(QuestionsBatch) = "Q21QUESTIONSBATCH";
    /// Their answers.
    AnswersBatch(AnswersBatch) = "Q21ANSWERSBATCH";
    /// The guess.
    GuessSubmission(GuessSubmission) = "Q21GUESSSUBMISSION";
    /// What it was worth.
    ScoreFeedback(ScoreFeedback) = "Q21SCOREFEEDBACK";
}

impl Kind {
    /// Whether it belongs to a game, and not to the league.
    pub const fn is_of_game(self) -> bool {
        matches!(
            self,
            Self::WarmupCall
                | Self::WarmupResponse
                | Self::RoundStart
                | Self::QuestionsBatch
                | Self::AnswersBatch
                | Self::GuessSubmission
                | Self::ScoreFeedback
        )
    }
}
