//! One match: invitation, the moves of games that have no messages of their own, and the news of
//! its end, with what was played: the fields of Even/Odd, or the public view of any other game.
//!
//! Spec: docs/protocol/match.md

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use super::super::even_odd::Parity;
use super::referee::{ReportDetails, ResultStatus};
use crate::json::{Field, Object, objects, words};
use crate::{
    DisplayName, GameType, LeagueId, MatchId, Payload, PerPlayer, PlayerId, RoundId, Timestamp,
};

objects! {
    /// GAME_INVITATION.
    pub struct GameInvitation {
        /// The league.
        required league_id: LeagueId,
        /// The round.
        required round_id: RoundId,
        /// The match.
        required match_id: MatchId,
        /// What is played.
        required game_type: GameType,
        /// The recipient's seat.
        required role_in_match: RoleInMatch,
        /// Whom it meets.
        required opponent_id: PlayerId,
        /// The settings of the game, where the league has some.
        optional game_settings: Option<Box<Payload>>,
    }

    /// GAME_JOIN_ACK.
    pub struct GameJoinAck {
        /// The match.
        required match_id: MatchId,
        /// Who answers. Who was asked is known, and nobody believes anything else.
        optional player_id: Option<PlayerId>,
        /// When the invitation arrived.
        required arrival_timestamp: Timestamp,
        /// Whether it plays.
        required accept: bool,
    }

    /// Wins, losses and draws so far.
    #[derive(Copy, Eq, Default)]
    pub struct Record {
        /// Matches won.
        required wins: u32,
        /// Matches lost.
        required losses: u32,
        /// Matches drawn.
        required draws: u32,
    }

    /// GAME_OVER.
    pub struct GameOver {
        /// The match.
        required match_id: MatchId,
        /// What was played.
        required game_type: GameType,
        /// How it ended.
        required game_result: GameResult => GameResult,
    }

    /// GAME_MOVE_CALL.
    pub struct GameMoveCall {
        /// The match.
        required match_id: MatchId,
        /// Who is asked.
        required player_id: PlayerId,
        /// What is played.
        required game_type: GameType,
        /// What is asked.
        required move_request: MoveRequest => MoveRequest,
        /// When the answer must be in.
        required deadline: Timestamp,
    }

    /// What is asked.
    #[derive(Eq)]
    pub struct MoveRequest {
        /// The kind of move, in the game's own word.
        required move_type: DisplayName,
        /// What a move looks like, where the game can say it: a JSON Schema.
        optional schema: Option<Payload>,
        /// What the player may know.
        defaulted context: MoveContext,
        /// What may be answered, where the league tells it.
        optional valid_options: Option<Vec<Payload>>,
    }

    /// What a player may know before it moves.
    #[derive(Eq, Default)]
    pub struct MoveContext {
        /// The game as this player sees it, in the game's own words.
        defaulted view: Payload,
        /// Which question of the match this is, counted from 1. A repeat has the same number.
        defaulted step: u32,
        /// The player's own seat.
        defaulted seat: Option<RoleInMatch>,
    }

    /// GAME_MOVE_RESPONSE.
    pub struct GameMoveResponse {
        /// The match.
        required match_id: MatchId,
        /// Who answers. Who was asked is known, and nobody believes anything else.
        optional player_id: Option<PlayerId>,
        /// What is played.
        required game_type: GameType,
        /// The answer.
        required move_data: MoveData => MoveData,
    }

    /// The answer.
    #[derive(Eq)]
    pub struct MoveData {
        /// The kind of move that was asked for.
        required move_type: DisplayName,
        /// The move, in the game's own words.
        required choice: Payload,
    }
}

words! {
    /// A seat at the table.
    pub enum RoleInMatch {
        /// The first.
        #[serde(alias = "PLAYER1", alias = "player_a")]
        PlayerA = "PLAYER_A",
        /// The second.
        #[serde(alias = "PLAYER2", alias = "player_b")]
        PlayerB = "PLAYER_B",
    }
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameResult {
    /// In one word.
    pub status: ResultStatus,
    /// Who won; null if nobody did.
    pub winner_player_id: Option<PlayerId>,
    /// The number; null if none was drawn.
    pub drawn_number: Option<u32>,
    /// Its parity.
    pub number_parity: Option<Parity>,
    /// What was chosen, as far as it was.
    #[serde(default)]
    pub choices: PerPlayer<Parity>,
    /// Of any other game, in place of these three: what was played.
    #[serde(default)]
    pub details: Option<Box<PlayedDetails>>,
    /// In a sentence.
    #[serde(default)]
    pub reason: Box<str>,
}

impl Object for GameResult {
    const FIELDS: &'static [Field] = &[Field { name: "status", required: true, within: &[] }];
}

objects! {
    /// What was played, in the game's own words.
    #[derive(Eq)]
    pub struct PlayedDetails {
        /// The game as everybody may see it. The first of two in it is PLAYER_A.
        defaulted view: Payload,
        /// What it was worth to each, in the game's own count.
        defaulted gains: PerPlayer<i32>,
        /// Of a report: all that was played, in order. Ours; without it the result is marked.
        optional acts: Option<Payload>,
    }
}

impl Serialize for ReportDetails {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(played) = &self.played {
            return played.serialize(serializer);
        }
        let mut to = serializer.serialize_struct("ReportDetails", 2)?;
        to.serialize_field("drawn_number", &self.drawn_number)?;
        to.serialize_field("choices", &self.choices)?;
        to.end()
    }
}

/// As it comes: of one game or another.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    drawn_number: Option<u32>,
    #[serde(default)]
    choices: PerPlayer<Parity>,
    #[serde(default)]
    view: Option<Payload>,
    #[serde(default)]
    gains: PerPlayer<i32>,
    #[serde(default)]
    acts: Option<Payload>,
}

impl<'de> Deserialize<'de> for ReportDetails {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { drawn_number, choices, view, gains, acts } =
            Written::deserialize(deserializer)?;
        let played = view.map(|view| Box::new(PlayedDetails { view, gains, acts }));
        Ok(Self { drawn_number, choices, played })
    }
}

impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut to = serializer.serialize_struct("GameResult", 6)?;
        to.serialize_field("status", &self.status)?;
        to.serialize_field("winner_player_id", &self.winner_player_id)?;
        if let Some(details) = &self.details {
            to.serialize_field("details", details)?;
        } else {
            to.serialize_field("drawn_number", &self.drawn_number)?;
            to.serialize_field("number_parity", &self.number_parity)?;
            to.serialize_field("choices", &self.choices)?;
        }
        to.serialize_field("reason", &self.reason)?;
        to.end()
    }
}
