//! One match: invitation, the moves of games that have no messages of their own, and the news of
//! its end.
//!
//! Spec: docs/protocol/match.md

use serde::Deserialize;

use super::super::even_odd::Parity;
use super::played::PlayedDetails;
use super::report::ResultStatus;
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
        /// Who answers.
        required player_id: PlayerId,
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
        /// Who answers.
        required player_id: PlayerId,
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
