//! The names under which acts travel in letters, and which table spells which.

use super::codec::{Reading, Unreadable, Wire};
use crate::act::Task;
use crate::act::{Act, ActKind, Asked, Moved, StateAnswer, Worth};

/// The letters that put the questions of a match, by their numbers.
const ASKS: [&str; 3] = ["Q21WARMUPCALL", "Q21ROUNDSTART", "Q21ANSWERSBATCH"];
/// The letters that answer them.
const MOVES: [&str; 3] = ["Q21WARMUPRESPONSE", "Q21QUESTIONSBATCH", "Q21GUESSSUBMISSION"];

/// Acts that stand in a letter as they are, each with the `message_type` that we write.
macro_rules! bodies {
    ($($variant:ident = $name:literal;)*) => {
        impl Act {
            /// What is said under the kind and with the fields that are being read.
            pub(super) fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
                Ok(match from.kind {
                    $(ActKind::$variant => Self::$variant(Wire::read(from)?),)*
                    ActKind::State(task) => Self::State(task, StateAnswer::read(from)?),
                    ActKind::Ask(_) => Self::Ask(Asked::read(from)?),
                    ActKind::Move(_) => Self::Move(Moved::read(from)?),
                    ActKind::Worth => Self::Worth(Worth::read(from)?),
                    ActKind::Other => Self::Other(from.name.into()),
                })
            }

            /// The contents, if anybody here knows them.
            pub(super) fn said(&self) -> Option<&dyn Wire> {
                Some(match self {
                    $(Self::$variant(said) => said,)*
                    Self::State(_, said) => said,
                    Self::Ask(said) => said,
                    Self::Move(said) => said,
                    Self::Worth(said) => said,
                    Self::Other(_) => return None,
                })
            }
        }

        impl ActKind {
            /// Every kind that has one name.
            pub const NAMED: &[Self] = &[
                $(Self::$variant,)*
                Self::Ask(0), Self::Ask(1), Self::Ask(2),
                Self::Move(0), Self::Move(1), Self::Move(2),
                Self::Worth,
            ];

            /// The `message_type` that we write.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::State(Task::KeepAlive) => "KEEP_ALIVE_RESPONSE",
                    Self::State(Task::Pause) => "CRITICAL_PAUSE_RESPONSE",
                    Self::State(Task::Continue) => "CRITICAL_CONTINUE_RESPONSE",
                    Self::State(Task::Reset) => "CRITICAL_RESET_RESPONSE",
                    Self::Ask(number) => one_of(&ASKS, number),
                    Self::Move(number) => one_of(&MOVES, number),
                    Self::Worth => "Q21SCOREFEEDBACK",
                    Self::Other => "UNKNOWN",
                }
            }
        }
    };
}

bodies! {
    StartSeason = "BROADCAST_START_SEASON";
    Apply = "SEASON_REGISTRATION_REQUEST";
    Decide = "SEASON_REGISTRATION_RESPONSE";
    AssignmentTable = "BROADCAST_ASSIGNMENT_TABLE";
    RefereeAck = "RESPONSE_GROUP_ASSIGNMENT";
    PlayerAck = "GROUP_ASSIGNMENT_RESPONSE";
    TableRequest = "REQUEST_ASSIGNMENT_TABLE";
    TableAnswer = "RESPONSE_ASSIGNMENT_TABLE";
    NewRound = "BROADCAST_NEW_LEAGUE_ROUND";
    EndRound = "BROADCAST_END_LEAGUE_ROUND";
    RoundResults = "BROADCAST_ROUND_RESULTS";
    SeasonCompleted = "LEAGUE_COMPLETED";
    ResultReport = "MATCH_RESULT_REPORT";
    StatusReport = "MATCH_RESULT_REPORT";
    KeepAlive = "BROADCAST_KEEP_ALIVE";
    Pause = "BROADCAST_CRITICAL_PAUSE";
    Continue = "BROADCAST_CRITICAL_CONTINUE";
    Reset = "BROADCAST_CRITICAL_RESET";
    FreeText = "BROADCAST_FREE_TEXT";
    FreeTextAnswer = "FREE_TEXT_RESPONSE";
    LeagueRegistration = "LEAGUE_REGISTER_REQUEST";
    LeagueRegistrationAnswer = "RESPONSE_LEAGUE_REGISTER";
    Heartbeat = "HEARTBEAT";
    ConnectivityCall = "CONNECTIVITY_TEST_CALL";
    ConnectivityEcho = "CONNECTIVITY_TEST_ECHO";
    Extension = "EXTENSION_REQUEST";
    ExtensionDecision = "RESPONSE_EXTENSION";
    Rejection = "REJECTION_NOTIFICATION";
    AlreadyRejected = "ALREADY_REJECTED_NOTIFICATION";
    ForceMajeure = "FORCE_MAJEURE_REQUEST";
    ForceMajeureDecision = "FORCE_MAJEURE_DECISION";
    Problem = "ERROR_RESPONSE";
}

/// There is no question after the last.
const fn one_of(names: &[&'static str; 3], number: u16) -> &'static str {
    names[if number < 2 { number as usize } else { 2 }]
}
