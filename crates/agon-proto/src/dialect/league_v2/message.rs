//! Everything the league can say: one variant per `message_type`, in the order of the spec.
//!
//! Spec: docs/protocol/README.md

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::act::{Applying, Decided};
use crate::json::{Field, Object};
use crate::{AuthToken, Contact, ConversationId, Endpoint, MatchId, Sender, Timestamp};

mod assignment;
mod errors;
mod game;
mod played;
mod query;
mod registration;
mod report;
mod round;
mod transcript;

pub use super::even_odd::{
    ChooseParityCall, ChooseParityResponse, Parity, ParityContext, StatedParity,
};
pub use super::spelling::{
    AskedMove, Asking, Shown, answer_type, asks_for_move, drawn_number, game_settings,
    game_settings_of, invalid_move, misstate, move_message, question, settings_in_limits,
    stated_move,
};
pub use assignment::{Heartbeat, MatchAssignment, StepLimits};
pub use errors::{ErrorContext, GameError, LeagueError, MatchPhase, RetryInfo};
pub use game::{
    GameInvitation, GameJoinAck, GameMoveCall, GameMoveResponse, GameOver, GameResult, MoveContext,
    MoveData, MoveRequest, Record, RoleInMatch,
};
pub use played::PlayedDetails;
pub use query::{
    LeagueQuery, LeagueQueryResponse, NextMatch, QueryData, QueryParams, QueryType, ScheduledRound,
};
use registration::{
    LeagueRegisterRequest, LeagueRegisterResponse, RefereeRegisterRequest, RefereeRegisterResponse,
};
pub use report::{Blame, Cause, MatchResultReport, ReportDetails, ReportedResult, ResultStatus};
pub use round::{
    AnnouncedMatch, Champion, FinalRow, LeagueCompleted, LeagueStandingsUpdate, PlayerWithdrawn,
    RoundAnnouncement, RoundCompleted, RoundSummary, StandingsRow,
};
pub use transcript::{EntryKind, NotedMove, Party, Transcript, TranscriptEntry};

/// Declares the messages once: type, `message_type`, the method that carries it as a request; first
/// those that spell an act in fields of their own. The large ones are boxed, because all pay for
/// the largest, and most letters of a season are small.
macro_rules! messages {
    ({$($(#[doc = $doc_spelled:literal])*
        $spelled:ident spells $act:ident = $spelled_name:literal, $spelled_method:expr;)*}
    $($(#[doc = $doc:literal])*
        $variant:ident($payload:ty) = $name:literal, $method:expr;)*) => {
        /// Everything the league can say.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Message {
            /// Somebody asks to be admitted.
            Apply(Box<Applying>),
            /// The manager's answer to it.
            Decide(Box<Decided>),
            $($(#[doc = $doc])* $variant($payload),)*
        }

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
        }

        impl Message {
            /// Which kind this is.
            pub fn message_type(&self) -> MessageType {
                match self {
                    Self::Apply(said) => registration::kinds(said.role)[0],
                    Self::Decide(said) => registration::kinds(said.role)[1],
                    $(Self::$variant(_) => MessageType::$variant,)*
                }
            }

            /// Writes the body alone.
            pub(crate) fn serialize_body<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match (self, self.message_type()) {
                    $((Self::$act(said), MessageType::$spelled) => {
                        $spelled::from(&**said).serialize(to)
                    })*
                    // One of these is what it is called.
                    (Self::Apply(_) | Self::Decide(_), _) => to.serialize_none(),
                    $((Self::$variant(body), _) => body.serialize(to),)*
                }
            }

            /// Reads a body of that kind.
            pub(crate) fn deserialize_body<'de, D: Deserializer<'de>>(
                kind: MessageType,
                from: D,
            ) -> Result<Self, D::Error> {
                match kind {
                    $(MessageType::$spelled => {
                        $spelled::deserialize(from).map(|said| Self::$act(Box::new(said.into())))
                    })*
                    $(MessageType::$variant => $variant::deserialize(from).map(Self::from),)*
                }
            }
        }

        $(impl From<$variant> for Message {
            fn from(message: $variant) -> Self {
                Self::$variant(message.into())
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
    RoundAnnouncement(RoundAnnouncement) = "ROUND_ANNOUNCEMENT", Some("notify_round");
    /// A round is over.
    RoundCompleted(RoundCompleted) = "ROUND_COMPLETED", Some("notify_round_completed");
    /// The season is over, with its champion.
    LeagueCompleted(LeagueCompleted) = "LEAGUE_COMPLETED", Some("notify_league_completed");
    /// A referee invites a player to a match.
    GameInvitation(GameInvitation) = "GAME_INVITATION", Some("handle_game_invitation");
    /// The player's answer to it.
    GameJoinAck(GameJoinAck) = "GAME_JOIN_ACK", None;
    /// A referee asks for even or odd.
    ChooseParityCall(ChooseParityCall) = "CHOOSE_PARITY_CALL", Some("choose_parity");
    /// The player's answer to it.
    ChooseParityResponse(ChooseParityResponse) = "CHOOSE_PARITY_RESPONSE", None;
    /// A match is over.
    GameOver(GameOver) = "GAME_OVER", Some("notify_match_result");
    /// A referee reports a result.
    MatchResultReport(Box<MatchResultReport>) = "MATCH_RESULT_REPORT", Some("report_match_result");
    /// The table.
    LeagueStandingsUpdate(LeagueStandingsUpdate) =
        "LEAGUE_STANDINGS_UPDATE", Some("update_standings");
    /// The manager refuses something.
    LeagueError(Box<LeagueError>) = "LEAGUE_ERROR", None;
    /// A referee warns a player.
    GameError(Box<GameError>) = "GAME_ERROR", Some("notify_game_error");
    /// A question to the manager.
    LeagueQuery(LeagueQuery) = "LEAGUE_QUERY", Some("league_query");
    /// The manager's answer to it.
    LeagueQueryResponse(Box<LeagueQueryResponse>) = "LEAGUE_QUERY_RESPONSE", None;
    /// A referee asks for a move, in any other game.
    GameMoveCall(Box<GameMoveCall>) = "GAME_MOVE_CALL", Some("game_move");
    /// The player's answer to it.
    GameMoveResponse(Box<GameMoveResponse>) = "GAME_MOVE_RESPONSE", None;
    /// The manager gives a match to a referee. Ours.
    MatchAssignment(Arc<MatchAssignment>) = "MATCH_ASSIGNMENT", Some("assign_match");
    /// A referee is still there. Ours.
    Heartbeat(Heartbeat) = "HEARTBEAT", Some("heartbeat");
    /// A player plays no more. Ours.
    PlayerWithdrawn(PlayerWithdrawn) = "PLAYER_WITHDRAWN", Some("notify_player_withdrawn");
}

impl Message {
    /// The match of which a referee speaks to a player; `None` if it is nothing of that kind.
    #[expect(clippy::wildcard_enum_match_arm, reason = "five of 23 messages come from referees")]
    pub const fn match_of_referee(&self) -> Option<MatchId> {
        match self {
            Self::GameInvitation(said) => Some(said.match_id),
            Self::ChooseParityCall(said) => Some(said.match_id),
            Self::GameMoveCall(said) => Some(said.match_id),
            Self::GameOver(said) => Some(said.match_id),
            Self::GameError(said) => Some(said.match_id),
            _ => None,
        }
    }

    /// Where somebody who registers can be called.
    pub fn registers_at(&self) -> Option<Endpoint> {
        if let Self::Apply(said) = self {
            said.contact.as_ref().map(Contact::endpoint)
        } else {
            None
        }
    }
}

/// Methods under which agents in the wild send messages, besides the proper ones.
const ALIASES: &[&str] = &["parity_choose", "mcp_message", "handle_message", "league_register"];

impl MessageType {
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

/// A message with who said it, when, and in which conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// Who claims to speak.
    pub sender: Sender,
    /// When it was written.
    pub timestamp: Timestamp,
    /// The dialogue it belongs to.
    pub conversation_id: ConversationId,
    /// What proves the sender.
    pub auth_token: Option<AuthToken>,
    /// What is said.
    pub message: Message,
}
