//! LEAGUE_ERROR and GAME_ERROR: the union of the course's three descriptions of each.
//!
//! Spec: docs/protocol/errors.md

use serde::{Deserialize, Serialize};

use crate::{ErrorCode, MatchId, PlayerId, ShortText, Timestamp};

/// LEAGUE_ERROR.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueError {
    /// The number.
    pub error_code: ErrorCode,
    /// The name.
    #[serde(default)]
    pub error_name: Box<str>,
    /// What was wrong, and what to do.
    pub error_description: Box<str>,
    /// What was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_message_type: Option<Box<str>>,
    /// Whether trying again can help.
    #[serde(default)]
    pub retryable: bool,
    /// What it was about.
    #[serde(default)]
    pub context: ErrorContext,
}

impl LeagueError {
    /// With no more than what is wrong.
    pub fn new(code: ErrorCode, error_description: Box<str>) -> Self {
        Self {
            error_code: code,
            error_name: code.name().into(),
            error_description,
            original_message_type: None,
            retryable: code.is_retryable(),
            context: ErrorContext::default(),
        }
    }
}

/// What an error was about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorContext {
    /// The token that was sent, made unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provided_token: Option<Box<str>>,
    /// What a token looks like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_format: Option<Box<str>>,
    /// What was attempted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Box<str>>,
}

/// GAME_ERROR.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameError {
    /// The match.
    pub match_id: MatchId,
    /// The number.
    pub error_code: ErrorCode,
    /// The name.
    #[serde(default)]
    pub error_name: Box<str>,
    /// The name again: that is where the course puts it.
    pub error_description: Box<str>,
    /// Who failed.
    pub affected_player: PlayerId,
    /// What was expected of it.
    pub action_required: Box<str>,
    /// How many times it was asked again.
    pub retry_count: u32,
    /// How many times it will be at most.
    pub max_retries: u32,
    /// The same two, and when. Not all referees say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_info: Option<RetryInfo>,
    /// Whether there is another chance.
    #[serde(default)]
    pub retryable: bool,
    /// Where the match stands. Not all referees say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_state: Option<MatchPhase>,
    /// What comes if it fails again.
    pub consequence: Box<str>,
    /// What was wrong with its answer, if there was one. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<ShortText>,
    /// What was received: its beginning, without secrets. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received: Option<ShortText>,
}

/// How often, and when again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RetryInfo {
    /// How many times it was asked again.
    pub retry_count: u32,
    /// How many times it will be at most.
    pub max_retries: u32,
    /// When it will be asked again; null if it will not.
    #[serde(default)]
    pub next_retry_at: Option<Timestamp>,
}

/// Where a match stands, in the league's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MatchPhase {
    /// Assigned, not begun.
    Created,
    /// Invitations are out.
    WaitingForPlayers,
    /// Both are asked to choose.
    CollectingChoices,
    /// The dice are rolling.
    DrawingNumber,
    /// The number is there, the verdict is not.
    Evaluating,
    /// Over.
    Finished,
    /// Over: it could not be played.
    Cancelled,
    /// Over: somebody did not answer.
    TimeoutError,
    /// Over: this attempt is void.
    Aborted,
}
