//! How `league.v2` says acts: one kind per `message_type`, in the order of the spec.
//!
//! Spec: docs/protocol/README.md

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::act::Act;
use crate::json::{Field, Object};

mod errors;
mod game;
mod referee;
mod registration;
mod round;
mod transcript;

pub use super::even_odd::{
    ChooseParityCall, ChooseParityResponse, Parity, ParityContext, StatedParity,
};
pub use super::spelling::{
    AskedMove, MoveCall, MoveResponse, Shown, answer_type, drawn_number, game_settings,
    game_settings_of, invalid_move, misstate, move_message, question, settings_in_limits,
    stated_move, stated_player,
};
pub use errors::{ErrorContext, GameError, LeagueError, MatchPhase, RetryInfo};
pub use game::{
    GameInvitation, GameJoinAck, GameMoveCall, GameMoveResponse, GameOver, GameResult, MoveContext,
    MoveData, MoveRequest, PlayedDetails, Record, RoleInMatch,
};
pub use referee::{
    Blame, Cause, Heartbeat, MatchAssignment, MatchResultReport, ReportDetails, ReportedResult,
    ResultStatus, StepLimits,
};
use registration::{
    LeagueRegisterRequest, LeagueRegisterResponse, RefereeRegisterRequest, RefereeRegisterResponse,
};
pub use round::{
    AnnouncedMatch, Champion, FinalRow, LeagueCompleted, LeagueQuery, LeagueQueryResponse,
    LeagueStandingsUpdate, NextMatch, PlayerWithdrawn, QueryData, QueryParams, QueryType,
    RoundAnnouncement, RoundCompleted, RoundSummary, ScheduledRound, StandingsRow,
};
pub use transcript::{EntryKind, NotedMove, Party, Transcript, TranscriptEntry};

/// An act that a message says as it stands, or one of several that say it.
macro_rules! said {
    ($message:ident, $body:tt) => {
        Act::$message($body)
    };
    ($message:ident in $act:ident, $body:tt) => {
        Act::$act($act::$message($body))
    };
}

/// Declares the messages once: the act, `message_type`, the method that carries it as a request;
/// first those that spell an act in fields of their own, last the acts that have no words here.
macro_rules! messages {
    ({$($(#[doc = $doc_spelled:literal])*
        $spelled:ident spells $act:ident = $spelled_name:literal, $spelled_method:expr;)*}
    $($(#[doc = $doc:literal])*
        $variant:ident $(in $whole:ident)? = $name:literal, $method:expr;)*
    {$($unsaid:ident),* $(,)?}) => {
        /// The kind of a message.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum MessageType {
            $($(#[doc = $doc_spelled])* $spelled,)*
            $($(#[doc = $doc])* $variant,)*
        }

        impl MessageType {
            /// Every kind, in the order of the spec.
            pub const ALL: &[Self] = &[$(Self::$spelled,)* $(Self::$variant,)*];

            /// As it stands in `message_type`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$spelled => $spelled_name,)*
                    $(Self::$variant => $name,)*
                }
            }

            /// The JSON-RPC method that carries it, or `None` for what only ever is an answer.
            pub const fn method(self) -> Option<&'static str> {
                match self {
                    $(Self::$spelled => $spelled_method,)*
                    $(Self::$variant => $method,)*
                }
            }

            /// The fields of its body, as far as something must be there.
            pub(super) const fn fields(self) -> &'static [Field] {
                match self {
                    $(Self::$spelled => $spelled::FIELDS,)*
                    $(Self::$variant => $variant::FIELDS,)*
                }
            }

            /// What its body looks like.
            #[cfg(feature = "schema")]
            pub(super) fn body_schema(
                self,
                generator: &mut schemars::SchemaGenerator,
            ) -> schemars::Schema {
                use schemars::JsonSchema;
                match self {
                    $(Self::$spelled => $spelled::json_schema(generator),)*
                    $(Self::$variant => $variant::json_schema(generator),)*
                }
            }

            /// The kind of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($spelled_name => Some(Self::$spelled),)*
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The kind by which an act is said; `None` if there are no words for it here.
            pub fn of(act: &Act) -> Option<Self> {
                Some(match act {
                    Act::Apply(said) => registration::kinds(said.role)[0],
                    Act::Decide(said) => registration::kinds(said.role)[1],
                    $(said!($variant $(in $whole)?, _) => Self::$variant,)*
                    $(Act::$unsaid(..) => return None,)*
                })
            }

            /// Reads a body of that kind.
            pub(super) fn read_body<'de, D: Deserializer<'de>>(
                self,
                from: D,
            ) -> Result<Act, D::Error> {
                match self {
                    $(Self::$spelled => {
                        $spelled::deserialize(from).map(|said| Act::$act(Box::new(said.into())))
                    })*
                    $(Self::$variant => $variant::deserialize(from).map(Act::from),)*
                }
            }
        }

        /// Writes the body alone.
        pub(super) fn write_body<S: Serializer>(act: &Act, to: S) -> Result<S::Ok, S::Error> {
            match (act, MessageType::of(act)) {
                $((Act::$act(said), Some(MessageType::$spelled)) => {
                    $spelled::from(&**said).serialize(to)
                })*
                $((said!($variant $(in $whole)?, body), _) => body.serialize(to),)*
                // One of these is what the first two are called.
                (Act::Apply(_) | Act::Decide(_) $(| Act::$unsaid(..))*, _) => {
                    to.serialize_map(Some(0))?.end()
                }
            }
        }

        $(impl From<$variant> for Act {
            fn from(said: $variant) -> Self {
                let said = said.into();
                said!($variant $(in $whole)?, said)
            }
        })*
    };
}

messages! {
    {
        /// A referee asks to be admitted.
        RefereeRegisterRequest spells Apply = "REFEREE_REGISTER_REQUEST", Some("register_referee");
        /// The manager's answer to it.
        RefereeRegisterResponse spells Decide = "REFEREE_REGISTER_RESPONSE", None;
        /// A player asks to be admitted.
        LeagueRegisterRequest spells Apply = "LEAGUE_REGISTER_REQUEST", Some("register_player");
        /// The manager's answer to it.
        LeagueRegisterResponse spells Decide = "LEAGUE_REGISTER_RESPONSE", None;
    }
    /// A round begins: who meets whom, and where.
    RoundAnnouncement = "ROUND_ANNOUNCEMENT", Some("notify_round");
    /// A round is over.
    RoundCompleted = "ROUND_COMPLETED", Some("notify_round_completed");
    /// The season is over, with its champion.
    LeagueCompleted = "LEAGUE_COMPLETED", Some("notify_league_completed");
    /// A referee invites a player to a match.
    GameInvitation = "GAME_INVITATION", Some("handle_game_invitation");
    /// The player's answer to it.
    GameJoinAck = "GAME_JOIN_ACK", None;
    /// A referee asks for even or odd.
    ChooseParityCall in MoveCall = "CHOOSE_PARITY_CALL", Some("choose_parity");
    /// The player's answer to it.
    ChooseParityResponse in MoveResponse = "CHOOSE_PARITY_RESPONSE", None;
    /// A match is over.
    GameOver = "GAME_OVER", Some("notify_match_result");
    /// A referee reports a result.
    MatchResultReport = "MATCH_RESULT_REPORT", Some("report_match_result");
    /// The table.
    LeagueStandingsUpdate = "LEAGUE_STANDINGS_UPDATE", Some("update_standings");
    /// The manager refuses something, or tells an agent that it is no longer in.
    LeagueError = "LEAGUE_ERROR", Some("notify_league_error");
    /// A referee warns a player.
    GameError = "GAME_ERROR", Some("notify_game_error");
    /// A question to the manager.
    LeagueQuery = "LEAGUE_QUERY", Some("league_query");
    /// The manager's answer to it.
    LeagueQueryResponse = "LEAGUE_QUERY_RESPONSE", None;
    /// A referee asks for a move, in any other game.
    GameMoveCall in MoveCall = "GAME_MOVE_CALL", Some("game_move");
    /// The player's answer to it.
    GameMoveResponse in MoveResponse = "GAME_MOVE_RESPONSE", None;
    /// The manager gives a match to a referee. Ours.
    MatchAssignment = "MATCH_ASSIGNMENT", Some("assign_match");
    /// A referee is still there. Ours.
    Heartbeat = "HEARTBEAT", Some("heartbeat");
    /// A player plays no more. Ours.
    PlayerWithdrawn = "PLAYER_WITHDRAWN", Some("notify_player_withdrawn");
    {
        StartSeason, AssignmentTable, RefereeAck, PlayerAck, TableRequest, TableAnswer, NewRound,
        EndRound, RoundResults, SeasonCompleted, ResultReport, StatusReport, KeepAlive, Pause,
        Continue, Reset, FreeText, FreeTextAnswer, LeagueRegistration, LeagueRegistrationAnswer,
        StillHere, ConnectivityCall, ConnectivityEcho, Extension, ExtensionDecision, Rejection,
        AlreadyRejected, ForceMajeure, ForceMajeureDecision, Problem, State, Ask, Move, Worth,
        Other,
    }
}

/// Methods under which agents in the wild send messages, besides the proper ones.
const ALIASES: &[&str] = &["parity_choose", "mcp_message", "handle_message", "league_register"];

/// What an act is called that has no words here. Nobody knows it.
const UNSAID: &str = "UNKNOWN";

impl MessageType {
    /// What an act is called here.
    pub fn name_of(act: &Act) -> &'static str {
        Self::called(Self::of(act))
    }

    /// Whether a referee says it to a player of its match.
    pub const fn is_to_player(self) -> bool {
        matches!(
            self,
            Self::GameInvitation
                | Self::ChooseParityCall
                | Self::GameMoveCall
                | Self::GameError
                | Self::GameOver
        )
    }

    /// What stands in `message_type`.
    pub(super) fn called(kind: Option<Self>) -> &'static str {
        kind.map_or(UNSAID, Self::name)
    }

    /// The method of a request that says it. What is only ever an answer goes by its own name.
    pub(crate) fn method_of(kind: Option<Self>) -> &'static str {
        kind.and_then(Self::method).unwrap_or(Self::called(kind))
    }

    /// Whether a method of that name carries messages: by its proper name, the message's own, or
    /// one that agents in the wild use.
    pub(crate) fn any_carried_by(method: &str) -> bool {
        let carried =
            |kind: &Self| kind.method() == Some(method) || kind.name().eq_ignore_ascii_case(method);
        Self::ALL.iter().any(carried) || ALIASES.contains(&method)
    }

    /// What a player is expected to answer to it; `None` if a receipt is enough.
    #[expect(clippy::wildcard_enum_match_arm, reason = "three of 23 messages ask a player")]
    pub const fn answer(self) -> Option<Self> {
        match self {
            Self::GameInvitation => Some(Self::GameJoinAck),
            Self::ChooseParityCall => Some(Self::ChooseParityResponse),
            Self::GameMoveCall => Some(Self::GameMoveResponse),
            _ => None,
        }
    }
}
