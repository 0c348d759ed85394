//! The names under which acts travel in letters, ours and those of everybody else, and which table
//! spells which.
//!
//! Case, underscores and blanks do not matter: `Q21_WARMUP_RESPONSE` is `Q21WARMUPRESPONSE`.
//!
//! Spec: docs/protocol/q21.md

use super::codec::{Reading, Unreadable, Wire};
use crate::act::{Act, ActKind, Moved, StateAnswer, Task, Worth};

/// The letters that put the questions of a match, by their numbers.
const ASKS: [&str; 3] = ["Q21WARMUPCALL", "Q21ROUNDSTART", "Q21ANSWERSBATCH"];
/// The letters that answer them.
const MOVES: [&str; 3] = ["Q21WARMUPRESPONSE", "Q21QUESTIONSBATCH", "Q21GUESSSUBMISSION"];
/// What the questions of a match ask for, by their numbers.
const KINDS: [&str; 3] = ["warmup", "questions", "guess"];
/// What the id of a letter that asks begins with.
const ASK_TAGS: [&str; 3] = ["warmup", "round-start", "answers"];
/// What the id of one that answers begins with.
const MOVE_TAGS: [&str; 3] = ["warmup-answer", "questions", "guess"];

/// Acts that stand in a letter as they are, each with the `message_type` that we write, and others
/// that are read; last the acts that no letter says.
macro_rules! bodies {
    ($($variant:ident = $name:literal $(| $alias:literal)*;)* {$($unsaid:ident),* $(,)?}) => {
        impl Act {
            /// What is said under the kind and with the fields that are being read.
            pub(super) fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
                Ok(match from.kind {
                    $(ActKind::$variant => Self::$variant(Wire::read(from)?),)*
                    ActKind::State(task) => Self::State(task, StateAnswer::read(from)?),
                    ActKind::Ask(_) => Self::Ask(Wire::read(from)?),
                    ActKind::Move(_) => Self::Move(Moved::read(from)?),
                    ActKind::Worth => Self::Worth(Worth::read(from)?),
                    ActKind::Other | ActKind::InCall => Self::Other(from.name.into()),
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
                    Self::Other(_) $(| Self::$unsaid(_))* => return None,
                })
            }
        }

        impl ActKind {
            /// Every kind that has one name.
            pub const NAMED: &[Self] = &[
                $(Self::$variant,)*
                Self::State(Task::KeepAlive), Self::State(Task::Pause),
                Self::State(Task::Continue), Self::State(Task::Reset),
                Self::Ask(0), Self::Ask(1), Self::Ask(2),
                Self::Move(0), Self::Move(1), Self::Move(2),
                Self::Worth,
            ];

            /// Names of others.
            const ALIASES: &[(&str, Self)] = &[
                $($(($alias, Self::$variant),)*)*
                ("RESPONSE_KEEP_ALIVE", Self::State(Task::KeepAlive)),
                ("RESPONSE_CRITICAL_PAUSE", Self::State(Task::Pause)),
                ("RESPONSE_CRITICAL_CONTINUE", Self::State(Task::Continue)),
                ("RESPONSE_CRITICAL_RESET", Self::State(Task::Reset)),
            ];

            /// The `message_type` that we write.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::State(Task::KeepAlive) => "KEEP_ALIVE_RESPONSE",
                    Self::State(Task::Pause) => "CRITICAL_PAUSE_RESPONSE",
                    Self::State(Task::Continue) => "CRITICAL_CONTINUE_RESPONSE",
                    Self::State(Task::Reset) => "CRITICAL_RESET_RESPONSE",
                    Self::Ask(number) => named(&ASKS, number),
                    Self::Move(number) => named(&MOVES, number),
                    Self::Worth => "Q21SCOREFEEDBACK",
                    Self::Other | Self::InCall => "UNKNOWN",
                }
            }
        }
    };
}

bodies! {
    StartSeason = "BROADCAST_START_SEASON";
    Apply = "SEASON_REGISTRATION_REQUEST";
    Decide = "SEASON_REGISTRATION_RESPONSE" | "RESPONSE_SEASON_REGISTRATION";
    AssignmentTable = "BROADCAST_ASSIGNMENT_TABLE";
    RefereeAck = "RESPONSE_GROUP_ASSIGNMENT";
    PlayerAck = "GROUP_ASSIGNMENT_RESPONSE";
    TableRequest = "REQUEST_ASSIGNMENT_TABLE" | "ASSIGNMENT_TABLE_REQUEST";
    TableAnswer = "RESPONSE_ASSIGNMENT_TABLE" | "ASSIGNMENT_TABLE_RESPONSE";
    NewRound = "BROADCAST_NEW_LEAGUE_ROUND";
    EndRound = "BROADCAST_END_LEAGUE_ROUND";
    RoundResults = "BROADCAST_ROUND_RESULTS";
    SeasonCompleted = "LEAGUE_COMPLETED" | "BROADCAST_END_SEASON";
    ResultReport = "MATCH_RESULT_REPORT";
    StatusReport = "MATCH_RESULT_REPORT";
    KeepAlive = "BROADCAST_KEEP_ALIVE";
    Pause = "BROADCAST_CRITICAL_PAUSE";
    Continue = "BROADCAST_CRITICAL_CONTINUE";
    Reset = "BROADCAST_CRITICAL_RESET";
    FreeText = "BROADCAST_FREE_TEXT";
    FreeTextAnswer = "FREE_TEXT_RESPONSE" | "RESPONSE_FREE_TEXT";
    LeagueRegistration = "LEAGUE_REGISTER_REQUEST" | "REFEREE_REGISTER_REQUEST";
    LeagueRegistrationAnswer = "RESPONSE_LEAGUE_REGISTER" | "LEAGUE_REGISTER_RESPONSE"
        | "REFEREE_REGISTER_RESPONSE" | "RESPONSE_REFEREE_REGISTER";
    StillHere = "HEARTBEAT";
    ConnectivityCall = "CONNECTIVITY_TEST_CALL";
    ConnectivityEcho = "CONNECTIVITY_TEST_ECHO";
    Extension = "EXTENSION_REQUEST";
    ExtensionDecision = "RESPONSE_EXTENSION" | "EXTENSION_RESPONSE";
    Rejection = "REJECTION_NOTIFICATION";
    AlreadyRejected = "ALREADY_REJECTED_NOTIFICATION";
    ForceMajeure = "FORCE_MAJEURE_REQUEST";
    ForceMajeureDecision = "FORCE_MAJEURE_DECISION" | "FORCE_MAJEURE_RESULT";
    Problem = "ERROR_RESPONSE" | "LEAGUE_ERROR" | "GAME_ERROR";
    {
        RoundAnnouncement, RoundCompleted, LeagueCompleted, GameInvitation, GameJoinAck,
        MoveCall, MoveResponse, GameOver, MatchResultReport, LeagueStandingsUpdate,
        LeagueError, GameError, LeagueQuery, LeagueQueryResponse,
        MatchAssignment, Heartbeat, PlayerWithdrawn,
    }
}

impl ActKind {
    /// What such a letter of a match asks for, or brings.
    pub fn wanted(self) -> &'static str {
        if let Self::Ask(number) | Self::Move(number) = self {
            named(&KINDS, number)
        } else {
            "score"
        }
    }

    /// Which question must be answered before this one says anything.
    pub const fn needs(self) -> Option<u16> {
        // Answers say nothing to whoever has not asked.
        if let Self::Ask(2) = self { Some(1) } else { None }
    }

    /// What the id of such a letter of a match begins with.
    pub fn tag(self) -> &'static str {
        if let Self::Ask(number) = self {
            named(&ASK_TAGS, number)
        } else if let Self::Move(number) = self {
            named(&MOVE_TAGS, number)
        } else {
            self.wanted()
        }
    }
}

/// There is nothing after the last.
pub(super) const fn named(names: &[&'static str], number: u16) -> &'static str {
    let (number, last) = (number as usize, names.len() - 1);
    names[if number < last { number } else { last }]
}

/// What a name means, if anybody here knows it. MATCH_RESULT_REPORT is the referee's; whether it is
/// a player's, only the letter tells.
pub(crate) fn kind_of(name: &str) -> Option<ActKind> {
    let own = ActKind::NAMED.iter().map(|kind| (kind.name(), *kind));
    let mut all = own.chain(ActKind::ALIASES.iter().copied());
    all.find(|(known, _)| same(known, name)).map(|(_, kind)| kind)
}

/// Whether two names are the same but for case, underscores and blanks.
pub(super) fn same(one: &str, other: &str) -> bool {
    squashed(one).eq(squashed(other))
}

fn squashed(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-') && !c.is_whitespace());
    letters.map(|c| c.to_ascii_uppercase())
}
