//! LEAGUE_ERROR and GAME_ERROR: the union of the course's three descriptions of each.
//!
//! Spec: docs/protocol/errors.md

use crate::json::{objects, words};
use crate::{ErrorCode, MatchId, PlayerId, ShortText, Timestamp};

objects! {
    /// LEAGUE_ERROR.
    pub struct LeagueError {
        /// The number.
        required error_code: ErrorCode,
        /// The name.
        defaulted error_name: Box<str>,
        /// The name again: that is where the course puts it.
        required error_description: Box<str>,
        /// What was wrong, and what to do. Ours.
        optional problem: Option<Box<str>>,
        /// What was refused.
        optional original_message_type: Option<Box<str>>,
        /// Whether trying again can help.
        defaulted retryable: bool,
        /// What it was about.
        defaulted context: ErrorContext,
    }

    /// What an error was about.
    #[derive(Eq, Default)]
    pub struct ErrorContext {
        /// The token that was sent, made unusable.
        optional provided_token: Option<Box<str>>,
        /// What a token looks like.
        optional expected_format: Option<Box<str>>,
        /// What was attempted.
        optional action: Option<Box<str>>,
    }

    /// GAME_ERROR.
    pub struct GameError {
        /// The match.
        required match_id: MatchId,
        /// The number.
        required error_code: ErrorCode,
        /// The name.
        defaulted error_name: Box<str>,
        /// The name again: that is where the course puts it.
        required error_description: Box<str>,
        /// Who failed.
        required affected_player: PlayerId,
        /// What was expected of it.
        required action_required: Box<str>,
        /// How many times it was asked again.
        required retry_count: u32,
        /// How many times it will be at most.
        required max_retries: u32,
        /// The same two, and when. Not all referees say it.
        optional retry_info: Option<RetryInfo> => RetryInfo,
        /// Whether there is another chance.
        defaulted retryable: bool,
        /// Where the match stands. Not all referees say it.
        optional game_state: Option<MatchPhase>,
        /// What comes if it fails again.
        required consequence: Box<str>,
        /// What was wrong with its answer, if there was one. Ours.
        optional problem: Option<ShortText>,
        /// What was received: its beginning, without secrets. Ours.
        optional received: Option<ShortText>,
    }

    /// How often, and when again.
    #[derive(Copy, Eq)]
    pub struct RetryInfo {
        /// How many times it was asked again.
        required retry_count: u32,
        /// How many times it will be at most.
        required max_retries: u32,
        /// When it will be asked again; null if it will not.
        defaulted next_retry_at: Option<Timestamp>,
    }
}

impl LeagueError {
    /// With no more than what is wrong.
    pub fn new(code: ErrorCode, problem: Box<str>) -> Self {
        Self {
            error_code: code,
            error_name: code.name().into(),
            error_description: code.name().into(),
            problem: Some(problem),
            original_message_type: None,
            retryable: code.is_retryable(),
            context: ErrorContext::default(),
        }
    }
}

words! {
    /// Where a match stands, in the league's words.
    pub enum MatchPhase {
        /// Assigned, not begun.
        Created = "CREATED",
        /// Invitations are out.
        WaitingForPlayers = "WAITING_FOR_PLAYERS",
        /// Both are asked to choose.
        CollectingChoices = "COLLECTING_CHOICES",
        /// The dice are rolling.
        DrawingNumber = "DRAWING_NUMBER",
        /// The number is there, the verdict is not.
        Evaluating = "EVALUATING",
        /// Over.
        Finished = "FINISHED",
        /// Over: it could not be played.
        Cancelled = "CANCELLED",
        /// Over: somebody did not answer.
        TimeoutError = "TIMEOUT_ERROR",
        /// Over: this attempt is void.
        Aborted = "ABORTED",
    }
}
