//! What becomes of a game: the referee's result, and a player's status report.
//!
//! Both are called MATCH_RESULT_REPORT on the wire; the sender's role tells them apart.

use serde::{Deserialize, Serialize};

use super::codec::{Row, by_player, or_null, wire};
use super::game::{GAME, POINTS};
use super::{Breakdown, Feedback, GameId, Score};
use crate::message::{Blame, Cause};
use crate::words::words;
use crate::{Address, GroupId, SeasonId, StatedScore, Timestamp};

const EMAIL: [&str; 2] = ["email", "player_email"];

wire! {
    /// A referee's result.
    pub struct ResultReport {
        /// The game.
        pub game: GameId = game(GAME) or "the game's id",
        /// Whether it came to its end.
        pub status: ReportStatus = ended(["status"])
            or "`completed`, `abandoned` or `timeout`",
        /// The winner's group; `None` if nobody won.
        pub winner: Option<GroupId> = group(["winner_id"]) => or_null ["winner_id"],
        /// Whether it is a draw.
        pub is_draw: bool = flag(["is_draw"]),
        /// One row for each player; none if nobody played.
        pub scores: Vec<ScoreRow> = rows(["scores"]),
        /// Why it was broken off, such as `new_round_started` or `player_timeout:ada@league.test`.
        pub abort_reason: Option<Box<str>> = word(["abort_reason"]),
        /// How far each player had come, if it was broken off.
        pub player_states: Vec<PlayerState> = player_states(["player_states"])
            => by_player ["player_states"],
        /// What happened, in one word. Ours.
        pub cause: Option<Cause> = cause(["cause"]),
        /// Who caused it. Ours.
        pub blame: Option<Blame> = blame(["blame"]),
    }
}

/// Whether a game came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReportStatus {
    /// Both players, or the only one, were scored.
    Completed,
    /// It was broken off, or never began.
    Abandoned,
    /// It ended because somebody did not answer in time.
    Timeout,
}

impl ReportStatus {
    /// As it is sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Abandoned => "abandoned",
            Self::Timeout => "timeout",
        }
    }
}

wire! {
    /// One player's row of a result.
    pub struct ScoreRow {
        /// The player's group.
        pub participant: GroupId = scored(["participant_id", "group_id", "user_id", "player_id"])
            or Self::NEEDS,
        /// Its address, if the referee says it.
        pub address: Option<Address> = address(EMAIL),
        /// As the referee counts them, if it says so. The manager applies its own thresholds.
        pub league_points: Option<u32> = number(POINTS) => ["league_points", "league_score"],
        /// What its play was worth, if the referee says so.
        pub private_score: Option<StatedScore> = stated(["private_score"]),
        /// In words.
        pub feedback: Option<Feedback> = feedback(["feedback"]),
        /// Why it is what it is, such as `TECHNICAL_LOSS_MALFUNCTION`.
        pub reason: Option<Box<str>> = word(["score_reason"]),
    }
}

wire! {
    /// How far a player had come when its game was broken off.
    pub struct PlayerState {
        /// Its address.
        pub address: Option<Address> = address(EMAIL) => or_null ["email"],
        /// Its group.
        pub participant: GroupId = group(["participant_id"]),
        /// The referee's word for it: `warmup_sent`, `questions_submitted` and so on.
        pub phase_reached: Box<str> = word(["phase_reached"]),
        /// Whether it had its score.
        pub scored: bool = flag(["scored"]),
        /// `referee`, or the player's group.
        pub last_actor: Box<str> = word(["last_actor"]),
    }

    /// What a player says about a game that it was in.
    pub struct StatusReport {
        + "message_type" = |_, _| Some("MATCH_RESULT_REPORT"),
        + "version" = |_, _| Some("1.0"),
        /// The game.
        pub game: GameId = game(GAME) or "the game's id" => ["match_id", "game_id"],
        /// Its round.
        pub round: u32 = number(["round_number"]),
        /// The season.
        pub season: Option<SeasonId> = season([]),
        + "status" = |said, _| Some(said.reason.status()),
        /// Where the game stood.
        pub phase: PlayerPhase = phase(["phase_at_termination", "phase"]),
        /// Who had to act last.
        pub last_actor: LastActor = one_of::<LastActor>(["last_actor"]),
        /// The last message that the player sent, `Q21QUESTIONSBATCH` for example.
        pub last_sent: Option<Box<str>> = word(["last_message_sent"])
            => or_null ["last_message_sent"],
        /// The last message that it received.
        pub last_received: Option<Box<str>> = word(["last_message_received"])
            => or_null ["last_message_received"],
        /// When the game stopped for it.
        pub at: Option<Timestamp> = time(["reported_at", "terminated_at"])
            => ["reported_at", "terminated_at"],
        /// Why.
        pub reason: StopReason = stop_reason(["reason", "termination_reason"])
            or "NEW_ROUND_STARTED, LEAGUE_COMPLETED or GAME_COMPLETED",
        /// Who reports.
        pub reporter: Reporter = reporter(["reporter"]),
        /// What the game brought, if it came to its end.
        pub points: Option<(u32, Score)> = points(POINTS)
            => of_league ["league_points", "league_score"],
        + "private_score" = |said, _| said.points.map(|(_, score)| score),
        /// The parts of the private score, if they were told.
        pub breakdown: Option<Breakdown> = nested::<Breakdown>(["breakdown"]),
    }

    /// Who reports.
    pub struct Reporter {
        /// Its address.
        pub address: Option<Address> = address(EMAIL) => or_null ["email"],
        /// Its place in the game: `PLAYER_A`, `PLAYER_B` or just `PLAYER`.
        pub role: Box<str> = reporter_role(["role"]),
    }
}

/// The first half of what a game brought.
fn of_league(points: &Option<(u32, Score)>) -> Option<u32> {
    points.map(|(points, _)| points)
}

words! {
    /// Where a game stands, for one player.
    #[derive(PartialOrd, Ord)]
    pub enum PlayerPhase {
        /// Nothing was answered yet.
        Initialized = "INITIALIZED",
        /// The warm-up is answered.
        WarmupComplete = "WARMUP_COMPLETE",
        /// The questions are sent.
        QuestionsSent = "QUESTIONS_SENT",
        /// The guess is sent.
        GuessSubmitted = "GUESS_SUBMITTED",
        /// The score has come.
        Completed = "COMPLETED",
        /// The round ended first.
        Terminated = "TERMINATED",
    }

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

impl StopReason {
    /// Whether the game came to its end, in a word.
    fn status(self) -> &'static str {
        if self == Self::GameCompleted { "COMPLETED" } else { "TERMINATED" }
    }
}
