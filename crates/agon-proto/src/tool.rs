//! Tools: methods that carry no message. Reads for people, and the operator's commands.
//!
//! Spec: docs/protocol/query.md

use serde::{Deserialize, Serialize};

pub use crate::dialect::league_v2::{MatchSummary, PlayedMatch, PlayedResult};
use crate::message::{MatchPhase, Record, StandingsRow, Transcript};
use crate::{
    AuthToken, DisplayName, LeagueId, MatchId, PlayerId, RefereeId, RoundId, SeasonId, Timestamp,
};

/// Declares the tools once, each with its JSON-RPC method.
macro_rules! tools {
    (
        asks { $($(#[doc = $doc:literal])* $tool:ident = $method:literal;)* }
        orders { $($(#[doc = $of_command:literal])* $command:ident = $ordered:literal;)* }
    ) => {
        /// What is asked for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Tool {
            $($(#[doc = $doc])* $tool,)*
            /// What only the operator may say, to the manager. All others only ask.
            Command(Command),
        }

        /// What the operator may order.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Command { $($(#[doc = $of_command])* $command,)* }

        impl Tool {
            /// Every tool.
            pub const ALL: &[Self] =
                &[$(Self::$tool,)* $(Self::Command(Command::$command),)*];

            /// The JSON-RPC method.
            pub const fn method(self) -> &'static str {
                match self {
                    $(Self::$tool => $method,)*
                    $(Self::Command(Command::$command) => $ordered,)*
                }
            }
        }
    };
}

tools! {
    asks {
        /// Is anybody there?
        Ping = "ping";
        /// The table, of the manager.
        GetStandings = "get_standings";
        /// Where the league stands, of the manager.
        GetLeagueState = "get_league_state";
        /// One match, of the manager (with the transcript) or of the match's referee.
        GetMatchState = "get_match_state";
        /// A player, of itself.
        GetPlayerState = "get_player_state";
    }
    orders {
        /// The season begins.
        StartLeague = "start_league";
        /// Nothing new begins.
        PauseLeague = "pause_league";
        /// It goes on.
        ResumeLeague = "resume_league";
        /// A match has no result.
        VoidMatch = "void_match";
        /// A player plays no more.
        WithdrawPlayer = "withdraw_player";
        /// A match is played again.
        RerunMatch = "rerun_match";
        /// An agent gets another token.
        ResetAgent = "reset_agent";
        /// The season is forgotten.
        ResetSeason = "reset_season";
    }
}

impl Tool {
    /// The tool of that method.
    pub fn from_method(method: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.method() == method)
    }
}

/// What a tool may be told. All of it is optional, and so is the object itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolParams {
    /// Whose authority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_token: Option<AuthToken>,
    /// Which match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<MatchId>,
    /// Which player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_id: Option<PlayerId>,
    /// Which referee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee_id: Option<RefereeId>,
    /// Who gives the order, by name. For the record: the token alone decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<DisplayName>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DisplayName>,
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolAnswer {
    /// To `ping`.
    Pong,
    /// To `get_standings`.
    Standings(Box<StandingsAnswer>),
    /// To `get_league_state` and the operator's commands.
    League(Box<LeagueState>),
    /// To `get_match_state`.
    Match(Box<MatchState>),
    /// To `get_player_state`.
    Player(Box<PlayerState>),
    /// To `reset_agent`.
    Fresh(Box<FreshToken>),
}

/// The table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingsAnswer {
    /// The league.
    pub league_id: LeagueId,
    /// Rounds that are over.
    pub rounds_completed: u32,
    /// The table, best first.
    pub standings: Vec<StandingsRow>,
}

/// Where the league stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueState {
    /// The league.
    pub league_id: LeagueId,
    /// The season, where a league may have several: another one after each reset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub season_id: Option<SeasonId>,
    /// Its phase.
    pub phase: LeaguePhase,
    /// Whether the operator has paused it.
    pub paused: bool,
    /// Who paused it and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_by: Option<GivenOrder>,
    /// Players that are in.
    pub players: u32,
    /// Referees that are in.
    pub referees: u32,
    /// The round under way; 0 before the first.
    pub round: RoundId,
    /// The phase of that round.
    pub round_phase: RoundPhase,
    /// Rounds of the season; 0 before it is scheduled.
    pub rounds: u32,
    /// Matches that have a result.
    pub matches_completed: u64,
    /// Matches of the season.
    pub matches: u64,
    /// Who won, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub champion: Option<PlayerId>,
    /// Whether matches wait because no referee answers.
    #[serde(default, skip_serializing_if = "is_false")]
    pub waiting_for_referee: bool,
    /// In the answer to a command: whether it changed anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<bool>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// An order of the operator's that was written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GivenOrder {
    /// Who gave it.
    pub by: DisplayName,
    /// Why.
    pub reason: DisplayName,
    /// When.
    pub timestamp: Timestamp,
}

/// What an agent that was reset must show to come back. Shown once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FreshToken {
    /// The player, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_id: Option<PlayerId>,
    /// The referee, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee_id: Option<RefereeId>,
    /// Its token from now on; the old one is dead.
    pub auth_token: AuthToken,
    /// Whether it was withdrawn, and may play again.
    pub readmitted: bool,
}

/// The league's phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LeaguePhase {
    /// Not open yet.
    #[default]
    Startup,
    /// Agents may register.
    AcceptingRegistrations,
    /// The schedule is being made.
    Scheduling,
    /// Rounds are played.
    Running,
    /// There is a champion.
    Completed,
}

/// A round's phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RoundPhase {
    /// Not announced.
    Pending,
    /// Announced, nothing assigned.
    Announced,
    /// Matches are played.
    InProgress,
    /// Every match has a result.
    Completed,
}

/// One match: where it stands, and all of it once it is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchState {
    /// The league.
    pub league_id: LeagueId,
    /// The match.
    pub match_id: MatchId,
    /// Its round.
    pub round_id: RoundId,
    /// Where it stands.
    pub state: MatchPhase,
    /// Which attempt.
    pub attempt: u32,
    /// Its referee, once it has one.
    pub referee_id: Option<RefereeId>,
    /// The first player.
    #[serde(rename = "player_A_id")]
    pub player_a_id: PlayerId,
    /// The second player.
    #[serde(rename = "player_B_id")]
    pub player_b_id: PlayerId,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<MatchSummary>,
    /// Who would have no result of it, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voided: Option<GivenOrder>,
    /// Who had it played again, and why: the last time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerun: Option<GivenOrder>,
    /// Reports of it that contradicted themselves and did not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<ContradictedReport>,
    /// What its players say of it, where that contradicts the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Every message, with its times.
    #[serde(default, skip_serializing_if = "Transcript::is_empty")]
    pub transcript: Transcript,
}

/// A report that contradicted itself: it did not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContradictedReport {
    /// Who sent it.
    pub referee_id: RefereeId,
    /// Of which attempt, if it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// What contradicts what; told when the match is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contradiction: Option<Box<str>>,
    /// When it came.
    pub timestamp: Timestamp,
}

/// What a player says of a match, against its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// Who says it.
    pub player_id: PlayerId,
    /// How far the match came for it: `COMPLETED`, or where it was when it stopped.
    pub phase: Box<str>,
    /// Why it stopped.
    pub reason: Box<str>,
    /// The league points that it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league_points: Option<u32>,
    /// The private score that it was told, 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private_score: Option<f64>,
}

/// A player, as it sees itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerState {
    /// Its id, once it has one.
    pub player_id: Option<PlayerId>,
    /// Its name.
    pub display_name: DisplayName,
    /// What it is doing.
    pub state: PlayerPhase,
    /// Where its life stands.
    pub lifecycle: Lifecycle,
    /// Its record.
    pub stats: Record,
    /// Its matches, oldest first.
    pub matches: Vec<PlayedMatch>,
}

/// What a player is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PlayerPhase {
    /// Not in the league.
    Unregistered,
    /// In the league, nothing announced yet.
    Registered,
    /// Between two matches.
    WaitingForRound,
    /// In a match.
    InGame,
}

/// Where an agent's life stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Lifecycle {
    /// Just started.
    Init,
    /// Asking to be admitted.
    Registering,
    /// Admitted.
    Registered,
    /// The season has begun.
    Active,
    /// Does not answer at the moment.
    Suspended,
    /// Not admitted.
    Failed,
    /// Done.
    Shutdown,
}
