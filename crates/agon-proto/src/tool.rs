//! Tools: methods that carry no message. Reads for people, and the operator's commands.
//!
//! Spec: docs/protocol/query.md

mod agents;
mod messages;
mod schedule;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::MovesHash;
pub use crate::dialect::league_v2::{MatchSummary, PlayedMatch, PlayedResult};
use crate::json::{objects, words};
use crate::message::{MatchPhase, Record, StandingsRow, Transcript};
use crate::{
    AuthToken, DisplayName, GameId, LeagueId, MatchId, PlayerId, RefereeId, RoundId, SeasonId,
    Timestamp,
};
pub use agents::{AgentEntry, AgentPlace, AgentRole, AgentsAnswer, InvitationEntry, Invited};
pub use messages::{
    AttemptMessages, Direction, KeptMessage, MessagePiece, PieceBody, PieceId, PieceKept, PieceOf,
    WireText,
};
pub use schedule::{ScheduleAnswer, ScheduledEntry};

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
        /// Who is in, who waits, and who was invited, of the manager.
        ListAgents = "list_agents";
        /// Who plays whom, and what came of it, of the manager.
        GetSchedule = "get_schedule";
        /// A referee hands messages of its matches to the manager.
        KeepMessages = "keep_messages";
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
        /// Whoever shows a code is let in.
        Invite = "invite_agent";
        /// Nobody new comes by that invitation.
        RevokeInvitation = "revoke_invitation";
        /// An agent that waits is let in.
        ApproveAgent = "approve_agent";
        /// An agent belongs to the league no more.
        RemoveAgent = "remove_agent";
    }
}

objects! {
    /// What a tool may be told. All of it is optional, and so is the object itself.
    #[derive(Eq, Default)]
    pub struct ToolParams {
        /// Whose authority.
        optional auth_token: Option<AuthToken>,
        /// Which match, as any league calls it.
        #[serde(deserialize_with = "any_spelling")]
        optional match_id: Option<MatchId>,
        /// Which player.
        optional player_id: Option<PlayerId>,
        /// Which referee.
        optional referee_id: Option<RefereeId>,
        /// Who gives the order, by name. For the record: the token alone decides.
        optional by: Option<DisplayName>,
        /// Why.
        optional reason: Option<DisplayName>,
        /// As what somebody is invited.
        optional role: Option<AgentRole>,
        /// For whom an invitation is.
        optional label: Option<DisplayName>,
        /// How many may come by it.
        optional uses: Option<u32>,
        /// Until when.
        optional until: Option<Timestamp>,
        /// Which invitation.
        optional invitation: Option<u32>,
        /// Which round of the schedule.
        optional round_id: Option<RoundId>,
        /// Messages that a referee hands in.
        optional piece: Option<Box<MessagePiece>>,
    }

    /// The table.
    pub struct StandingsAnswer {
        /// The league.
        required league_id: LeagueId,
        /// Rounds that are over.
        required rounds_completed: u32,
        /// The table, best first.
        required standings: Vec<StandingsRow>,
        /// Its scores are what referees judged, which nobody can check.
        optional judged: bool,
    }

    /// Where the league stands.
    pub struct LeagueState {
        /// The league.
        required league_id: LeagueId,
        /// The season, where a league may have several: another one after each reset.
        #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
        optional season_id: Option<SeasonId>,
        /// Its phase.
        required phase: LeaguePhase,
        /// Whether the operator has paused it.
        required paused: bool,
        /// Who paused it and why.
        optional paused_by: Option<GivenOrder>,
        /// Players that are in.
        required players: u32,
        /// Referees that are in.
        required referees: u32,
        /// The round under way; 0 before the first.
        required round: RoundId,
        /// The phase of that round.
        required round_phase: RoundPhase,
        /// Rounds of the season; 0 before it is scheduled.
        required rounds: u32,
        /// Matches that have a result.
        required matches_completed: u64,
        /// Matches of the season.
        required matches: u64,
        /// Who won, once it is over.
        optional champion: Option<PlayerId>,
        /// Whether matches wait because no referee answers.
        optional waiting_for_referee: bool,
        /// What a season that is open still needs before it can begin.
        optional needs: Option<Box<str>>,
        /// Matches that are with their referees now.
        optional matches_under_way: u32,
        /// Referees that are in, and do not answer.
        optional referees_silent: u32,
        /// Agents that wait for the operator's word.
        optional agents_waiting: u32,
        /// Agents of the season before that have not come to this one yet.
        optional agents_expected: u32,
        /// Matches of which a report did not count, or of which a player says that it made other
        /// moves than were reported; the first ones.
        optional disputed: Vec<MatchId>,
        /// When it was over.
        optional ended_at: Option<Timestamp>,
        /// In the answer to a command: whether it changed anything.
        optional changed: Option<bool>,
    }

    /// An order of the operator's that was written down.
    #[derive(Eq)]
    pub struct GivenOrder {
        /// Who gave it.
        required by: DisplayName,
        /// Why.
        required reason: DisplayName,
        /// When.
        required timestamp: Timestamp,
    }

    /// What an agent that was reset must show to come back. Shown once.
    pub struct FreshToken {
        /// The player, if it is one.
        optional player_id: Option<PlayerId>,
        /// The referee, if it is one.
        optional referee_id: Option<RefereeId>,
        /// Its token from now on; the old one is dead.
        required auth_token: AuthToken,
        /// Whether it was withdrawn, and may play again.
        required readmitted: bool,
    }

    /// One match: where it stands, and all of it once it is over.
    pub struct MatchState {
        /// The league.
        required league_id: LeagueId,
        /// The match.
        required match_id: MatchId,
        /// The same as the league's letters call it, where it is played by letters.
        optional game_id: Option<GameId>,
        /// Its round.
        required round_id: RoundId,
        /// Where it stands.
        required state: MatchPhase,
        /// Which attempt.
        required attempt: u32,
        /// Its referee, once it has one.
        nullable referee_id: Option<RefereeId>,
        /// The first player.
        required player_a_id "player_A_id": PlayerId,
        /// The second player.
        required player_b_id "player_B_id": PlayerId,
        /// How it ended.
        optional result: Option<MatchSummary>,
        /// Who would have no result of it, and why.
        optional voided: Option<GivenOrder>,
        /// Who had it played again, and why: the last time.
        optional rerun: Option<GivenOrder>,
        /// Reports of it that contradicted themselves and did not count.
        optional contradictions: Vec<ContradictedReport>,
        /// What its players say of it, where that contradicts the result.
        optional evidence: Vec<Evidence>,
        /// Every message, with its times.
        #[serde(skip_serializing_if = "Transcript::is_empty")]
        defaulted transcript: Transcript,
        /// Every message whole, attempt by attempt.
        optional messages: Vec<AttemptMessages>,
    }

    /// A report that contradicted itself: it did not count.
    #[derive(Eq)]
    pub struct ContradictedReport {
        /// Who sent it.
        required referee_id: RefereeId,
        /// Of which attempt, if it said so.
        optional attempt: Option<u32>,
        /// What contradicts what; told when the match is over.
        optional contradiction: Option<Box<str>>,
        /// When it came.
        required timestamp: Timestamp,
    }

    /// What a player says of a match, against its result.
    pub struct Evidence {
        /// Who says it.
        required player_id: PlayerId,
        /// How far the match came for it: `COMPLETED`, or where it was when it stopped.
        required phase: Box<str>,
        /// Why it stopped.
        required reason: Box<str>,
        /// The league points that it was told.
        optional league_points: Option<u32>,
        /// The private score that it was told, 0 to 100.
        optional private_score: Option<f64>,
        /// Its moves, if they are not those of the result.
        optional moves: Option<MovesHash>,
    }

    /// A player, as it sees itself.
    pub struct PlayerState {
        /// Its id, once it has one.
        nullable player_id: Option<PlayerId>,
        /// Its name.
        required display_name: DisplayName,
        /// What it is doing.
        required state: PlayerPhase,
        /// Where its life stands.
        required lifecycle: Lifecycle,
        /// Its record.
        required stats: Record,
        /// Its matches, oldest first.
        required matches: Vec<PlayedMatch>,
        /// What is left on its clock, as the league said last; nothing, if it never did.
        optional clock_ms: Option<u64>,
    }
}

/// `R1M1`, or `0101001` as letters have it.
fn any_spelling<'de, D: Deserializer<'de>>(from: D) -> Result<Option<MatchId>, D::Error> {
    let said = Option::<GameId>::deserialize(from)?;
    let read = |said: GameId| said.match_id().ok_or_else(|| D::Error::custom(NO_MATCH_ID));
    said.map(read).transpose()
}

const NO_MATCH_ID: &str = "a match id is spelled R1M1 or 0101001";

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
    /// To `list_agents`.
    Agents(Box<AgentsAnswer>),
    /// To `invite`.
    Invited(Box<Invited>),
    /// To `get_schedule`.
    Schedule(Box<ScheduleAnswer>),
    /// To `keep_messages`.
    Kept(PieceKept),
}

words! {
    /// The league's phases.
    #[derive(Default)]
    pub enum LeaguePhase {
        /// Not open yet.
        #[default]
        Startup = "STARTUP",
        /// Agents may register.
        AcceptingRegistrations = "ACCEPTING_REGISTRATIONS",
        /// The schedule is being made.
        Scheduling = "SCHEDULING",
        /// Rounds are played.
        Running = "RUNNING",
        /// There is a champion.
        Completed = "COMPLETED",
    }

    /// A round's phases.
    pub enum RoundPhase {
        /// Not announced.
        Pending = "PENDING",
        /// Announced, nothing assigned.
        Announced = "ANNOUNCED",
        /// Matches are played.
        InProgress = "IN_PROGRESS",
        /// Every match has a result.
        Completed = "COMPLETED",
    }

    /// What a player is doing.
    pub enum PlayerPhase {
        /// Not in the league.
        Unregistered = "UNREGISTERED",
        /// In the league, nothing announced yet.
        Registered = "REGISTERED",
        /// Between two matches.
        WaitingForRound = "WAITING_FOR_ROUND",
        /// In a match.
        InGame = "IN_GAME",
    }

    /// Where an agent's life stands.
    pub enum Lifecycle {
        /// Just started.
        Init = "INIT",
        /// Asking to be admitted.
        Registering = "REGISTERING",
        /// Admitted.
        Registered = "REGISTERED",
        /// The season has begun.
        Active = "ACTIVE",
        /// Does not answer at the moment.
        Suspended = "SUSPENDED",
        /// Not admitted.
        Failed = "FAILED",
        /// Done.
        Shutdown = "SHUTDOWN",
    }
}
