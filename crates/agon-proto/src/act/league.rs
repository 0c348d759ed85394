//! What the league manager and its agents say to each other around the matches.
//!
//! Spec: docs/protocol/season.md

use serde::{Deserialize, Serialize};

use crate::{
    Address, AuthToken, DisplayName, GameId, GroupId, Part, Role, Score, SeasonId, Timestamp,
};

/// A season opens: whoever wants to play answers with a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartSeason {
    /// The season.
    pub season: SeasonId,
    /// Its name for people.
    pub name: DisplayName,
    /// How many rounds; 0 if that depends on who comes.
    pub total_rounds: u32,
    /// Until when; `None` if that is open.
    pub registration_deadline: Option<Timestamp>,
    /// How many players are known.
    pub registered_players: Option<u32>,
    /// How many referees are known.
    pub registered_referees: Option<u32>,
    /// For people.
    pub text: Box<str>,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Approval {
    /// In, or taken.
    Accepted,
    /// Not.
    Rejected,
}

/// One row of the season's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignmentRow {
    /// The game. Its round stands in it.
    pub game: GameId,
    /// What this team does in it.
    pub part: Part,
    /// By which of its addresses; `None` in tables that name only groups.
    pub address: Option<Address>,
    /// The team.
    pub group: GroupId,
    /// What proves the game's referee to this player, in the referee's own copy of the table, where
    /// letters travel by call.
    pub auth_token: Option<AuthToken>,
}

/// Who meets whom in the whole season, and who referees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignmentTable {
    /// The season.
    pub season: Option<SeasonId>,
    /// Three rows for each game.
    pub rows: Vec<AssignmentRow>,
    /// For people.
    pub text: Box<str>,
}

/// Somebody has the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignmentAck {
    /// The season.
    pub season: Option<SeasonId>,
    /// The team.
    pub group: Option<GroupId>,
    /// In how many games it found itself.
    pub received: u32,
}

/// Somebody has lost the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRequest {
    /// The season.
    pub season: Option<SeasonId>,
    /// The team.
    pub group: Option<GroupId>,
}

/// A round begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRound {
    /// Its number, counted from 1; 1 if the letter did not say one.
    pub number: u32,
    /// How many there are.
    pub total_rounds: Option<u32>,
    /// Until when its games must be over, if that is fixed. Ours.
    pub ends_at: Option<Timestamp>,
    /// Who has checked in; `None` if nobody keeps that list.
    pub present: Option<Vec<Address>>,
    /// For people.
    pub text: Box<str>,
}

/// A round is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndRound {
    /// Its number.
    pub number: u32,
    /// Games with a result.
    pub matches_completed: u32,
    /// Games.
    pub matches_total: u32,
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingRow {
    /// Counted from 1; shared by those who are level.
    pub rank: u32,
    /// The team.
    pub participant: GroupId,
    /// Its player's address.
    pub address: Option<Address>,
    /// Its name for people.
    pub name: Option<DisplayName>,
    /// League points.
    pub points: u32,
    /// Games that count.
    pub played: u32,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// The mean private score, if it is told.
    pub average: Option<Score>,
}

/// Who won a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundWinner {
    /// The game.
    pub game: GameId,
    /// The winner's group; `None` if nobody won.
    pub winner: Option<GroupId>,
}

/// What a round brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundResults {
    /// The round.
    pub number: u32,
    /// The table after it.
    pub standings: Vec<StandingRow>,
    /// Its games.
    pub results: Vec<RoundWinner>,
}

/// The season is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeasonCompleted {
    /// The season.
    pub season: Option<SeasonId>,
    /// The final table.
    pub standings: Vec<StandingRow>,
    /// For people.
    pub text: Box<str>,
}

/// Are you there?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeepAlive {
    /// For people.
    pub text: Box<str>,
}

/// Stop for now, go on, or forget the season.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Halt {
    /// Why, or what is reset.
    pub reason: Box<str>,
}

/// The answer to a keep-alive, a pause, a continue or a reset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateAnswer {
    /// `alive`, `PAUSED`, `RESUMED`, `COMPLETED`: what became of it.
    pub status: Box<str>,
    /// The agent's own word for where it is.
    pub state: Box<str>,
    /// The game that is concerned.
    pub game: Option<GameId>,
    /// For people.
    pub text: Box<str>,
}

/// A text for people, or the answer to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeText {
    /// For people.
    pub text: Box<str>,
}

/// Does my post arrive? And the answer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connectivity {
    /// Which call.
    pub ping: Box<str>,
    /// Who echoes; `None` in the call.
    pub echo_from: Option<Address>,
    /// When the call was made.
    pub at: Option<Timestamp>,
}

/// Somebody wants to be told of seasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueRegistration {
    /// As what.
    pub role: Role,
    /// The team.
    pub group: Option<GroupId>,
    /// Its name for people.
    pub name: Option<DisplayName>,
    /// Where it wants its letters.
    pub contact: Option<Address>,
}

/// Whether it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueRegistrationAnswer {
    /// Whether it is known from now on.
    pub status: Approval,
    /// Its id.
    pub agent: Option<DisplayName>,
    /// Why not.
    pub reason: Option<Box<str>>,
}

/// More time, please.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// Why.
    pub reason: Box<str>,
    /// How many seconds more.
    pub seconds: u32,
}

/// Whether there is more time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtensionDecision {
    /// Whether there is more time.
    pub status: Approval,
    /// Until when.
    pub new_deadline: Option<Timestamp>,
    /// For people.
    pub text: Option<Box<str>>,
}

/// Something came too late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// What came too late, or never.
    pub original: Option<Box<str>>,
    /// When it was due.
    pub deadline: Option<Timestamp>,
    /// When it came.
    pub received_at: Option<Timestamp>,
    /// Why.
    pub reason: Box<str>,
}

/// Nobody could have played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForceMajeure {
    /// The game.
    pub game: Option<GameId>,
    /// Why.
    pub reason: Box<str>,
}

/// What becomes of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForceMajeureDecision {
    /// Whether the game is played again.
    pub status: Approval,
    /// For people.
    pub notes: Box<str>,
}

/// Something went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// `NOT_REGISTERED`, `E005`: the sender's word for it.
    pub code: Box<str>,
    /// For people.
    pub text: Box<str>,
    /// What it answers.
    pub original: Option<Box<str>>,
    /// Whether it may be tried again.
    pub recoverable: bool,
}
