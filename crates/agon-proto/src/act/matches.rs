//! One match in letters: what a referee and a player say to each other, and what becomes of it in
//! the referee's result and a player's status report.
//!
//! Questions are counted from 0. What is shown and what is moved only the game reads.
//!
//! Spec: docs/protocol/match.md

use serde::{Deserialize, Serialize};

use crate::json::words;
use crate::message::{Blame, Cause};
use crate::{Address, GameId, GroupId, Payload, Score, SeasonId, StatedScore, Timestamp};

/// A referee puts a question to a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The match.
    pub game: GameId,
    /// Which question of it.
    pub number: u16,
    /// What the letter shows.
    pub view: Payload,
    /// Until when an answer is awaited.
    pub deadline: Option<Timestamp>,
    /// What every further letter of this match carries.
    pub token: Option<Box<str>>,
}

/// A player answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The match.
    pub game: GameId,
    /// Which question it answers.
    pub number: u16,
    /// Its move.
    pub said: Payload,
    /// The match's token, if the player echoes it.
    pub token: Option<Box<str>>,
}

/// One player is through: what its play was worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worth {
    /// The match.
    pub game: GameId,
    /// In the league.
    pub league_points: u32,
    /// In the match itself.
    pub private_score: Score,
    /// What the player sees of it.
    pub view: Payload,
    /// The match's token.
    pub token: Option<Box<str>>,
}

/// A referee's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultReport {
    /// The game.
    pub game: GameId,
    /// Whether it came to its end.
    pub status: ReportStatus,
    /// The winner's group; `None` if nobody won.
    pub winner: Option<GroupId>,
    /// Whether it is a draw.
    pub is_draw: bool,
    /// One row for each player; none if nobody played.
    pub scores: Vec<ScoreRow>,
    /// Why it was broken off, if it was.
    pub abort_reason: Option<Aborted>,
    /// How far each player had come, if it was broken off.
    pub player_states: Vec<PlayerReached>,
    /// What happened, in one word. Ours.
    pub cause: Option<Cause>,
    /// Who caused it. Ours.
    pub blame: Option<Blame>,
}

/// Why a match was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// The next round began.
    NewRound,
    /// Its round ended.
    RoundEnded,
    /// The league is over.
    LeagueCompleted,
    /// Another season began.
    NewSeason,
    /// The referee could not go on.
    RefereeFailed,
    /// A player was silent.
    Silence,
    /// A player said what is no answer.
    NoAnswer,
}

/// The same in the words of whoever reports it, with the player that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aborted(pub Box<str>);

/// Whether a game came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReportStatus {
    /// Both players, or the only one, were scored.
    Completed,
    /// It was broken off, or never began.
    Abandoned,
    /// It ended because somebody did not answer in time.
    Timeout,
}

/// One player's row of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreRow {
    /// The player's group.
    pub participant: GroupId,
    /// Its address, if the referee says it.
    pub address: Option<Address>,
    /// As the referee counts them, if it says so. The manager applies its own thresholds.
    pub league_points: Option<u32>,
    /// What its play was worth, if the referee says so.
    pub private_score: Option<StatedScore>,
    /// What it saw when it was through, if the referee says so.
    pub view: Option<Payload>,
    /// Why it is what it is, such as `TECHNICAL_LOSS_MALFUNCTION`.
    pub reason: Option<Box<str>>,
}

/// How far a player had come when its game was broken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerReached {
    /// Its address.
    pub address: Option<Address>,
    /// Its group.
    pub participant: GroupId,
    /// The referee's word for it.
    pub phase_reached: Box<str>,
    /// Whether it had its score.
    pub scored: bool,
    /// `referee`, or the player's group.
    pub last_actor: Box<str>,
}

/// What a player says about a game that it was in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusReport {
    /// The game.
    pub game: GameId,
    /// Its round.
    pub round: u32,
    /// The season.
    pub season: Option<SeasonId>,
    /// Where the game stood.
    pub phase: Progress,
    /// Who had to act last.
    pub last_actor: LastActor,
    /// The last message that the player sent, in the words of its dialect.
    pub last_sent: Option<Box<str>>,
    /// The last message that it received.
    pub last_received: Option<Box<str>>,
    /// When the game stopped for it.
    pub at: Option<Timestamp>,
    /// Why.
    pub reason: StopReason,
    /// Who reports.
    pub reporter: Reporter,
    /// What the game brought, if it came to its end.
    pub points: Option<(u32, Score)>,
    /// What it saw of its score, if that was told.
    pub view: Option<Payload>,
}

/// Who reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reporter {
    /// Its address.
    pub address: Option<Address>,
    /// Its place in the game: `PLAYER_A`, `PLAYER_B` or just `PLAYER`.
    pub role: Box<str>,
}

/// How far a match has come, for one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Progress {
    /// So many of its questions are answered.
    Answered(u16),
    /// The score has come.
    Completed,
    /// The round ended first.
    Terminated,
}

words! {
    /// Who did something last in a game, as its player sees it.
    #[derive(Default)]
    pub enum LastActor {
        /// Nobody yet, or it does not matter any more.
        #[default]
        None = "NONE",
        /// The player: it waits for the referee.
        Player = "PLAYER",
        /// The referee: the player still thinks.
        Referee = "REFEREE",
    }

    /// Why a game stopped for its player.
    pub enum StopReason {
        /// The next round began.
        NewRoundStarted = "NEW_ROUND_STARTED",
        /// The league is over.
        LeagueCompleted = "LEAGUE_COMPLETED",
        /// It had come to its end.
        GameCompleted = "GAME_COMPLETED",
    }
}

/// Where a player is in its season.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeasonState {
    /// No season is open.
    InitStart,
    /// A season is open, and we have not asked yet.
    RegistrationOpen,
    /// We have asked.
    WaitingForConfirmation,
    /// We are not in.
    SeasonRejected,
    /// We are in, and there is no table yet.
    AwaitingAssignment,
    /// The table is here, and no game of ours is under way.
    AssignmentsReceived,
    /// A game of ours is under way, and its referee has said nothing yet.
    Invited,
    /// The question of that number is before us, counted from 0.
    Asked(u16),
    /// So many questions are answered, and we wait for the referee.
    Answered(u16),
    /// All our games of this round are over.
    MatchComplete,
    /// Game letters are held back.
    Paused,
    /// The season is over.
    SeasonCompleted,
}

/// Where a referee is in its season.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefereeState {
    /// Not in, and it has not asked.
    Outside,
    /// It has asked.
    WaitingForConfirmation,
    /// It is in, and there is no table yet.
    AwaitingAssignment,
    /// The table is here, and no match of its own is under way.
    Running,
    /// A match of its own is under way.
    InGame,
    /// Matches stand still.
    Paused,
    /// The season is over.
    SeasonCompleted,
}
