//! What the league manager and its agents say to each other around the games.

use serde::{Deserialize, Serialize};

use super::{GameId, Role, Score};
use crate::{Address, AuthToken, DisplayName, GroupId, SeasonId, Timestamp};

/// BROADCAST_START_SEASON: whoever wants to play answers with a registration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// SEASON_REGISTRATION_REQUEST.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistrationRequest {
    /// The season; `None` or empty is the one that is open.
    pub season: Option<SeasonId>,
    /// The team. Some players never say it.
    pub group: Option<GroupId>,
    /// What the agent calls itself: a referee's id.
    pub participant: Option<DisplayName>,
    /// Its name for people.
    pub name: Option<DisplayName>,
    /// As what it comes, if the payload or the sender says so.
    pub role: Option<Role>,
    /// Another address at which it is reached: a referee by call that has a mailbox too. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<Address>,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// In, or taken.
    Accepted,
    /// Not.
    Rejected,
}

/// SEASON_REGISTRATION_RESPONSE.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistrationAnswer {
    /// Whether it is in.
    pub status: Verdict,
    /// The season.
    pub season: Option<SeasonId>,
    /// Why not: `already_registered` for somebody who is in.
    pub reason: Option<Box<str>>,
    /// For people.
    pub text: Option<Box<str>>,
    /// The registration's id, where there is one.
    pub registration: Option<Box<str>>,
    /// What proves the agent from now on, where letters travel by call. Never by mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_token: Option<AuthToken>,
}

/// A place at one game's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Part {
    /// The first player.
    Player1,
    /// The second player.
    Player2,
    /// The referee.
    Referee,
}

/// One row of the season's table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_token: Option<AuthToken>,
}

/// BROADCAST_ASSIGNMENT_TABLE: the whole season.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentTable {
    /// The season.
    pub season: Option<SeasonId>,
    /// Three rows for each game.
    pub rows: Vec<AssignmentRow>,
    /// For people.
    pub text: Box<str>,
}

/// RESPONSE_GROUP_ASSIGNMENT from a referee, GROUP_ASSIGNMENT_RESPONSE from a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentAck {
    /// The season.
    pub season: Option<SeasonId>,
    /// The team.
    pub group: Option<GroupId>,
    /// In how many games it found itself.
    pub received: u32,
}

/// REQUEST_ASSIGNMENT_TABLE.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRequest {
    /// The season.
    pub season: Option<SeasonId>,
    /// The team.
    pub group: Option<GroupId>,
}

/// BROADCAST_NEW_LEAGUE_ROUND.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewRound {
    /// Its number, counted from 1; 0 if the letter did not say one.
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

/// BROADCAST_END_LEAGUE_ROUND.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// BROADCAST_ROUND_RESULTS.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundResults {
    /// The round.
    pub number: u32,
    /// The table after it.
    pub standings: Vec<StandingRow>,
    /// Its games.
    pub results: Vec<RoundWinner>,
}

/// LEAGUE_COMPLETED, or BROADCAST_END_SEASON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeagueCompleted {
    /// The season.
    pub season: Option<SeasonId>,
    /// The final table.
    pub standings: Vec<StandingRow>,
    /// For people.
    pub text: Box<str>,
}

/// BROADCAST_KEEP_ALIVE.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepAlive {
    /// For people.
    pub text: Box<str>,
}

/// BROADCAST_CRITICAL_PAUSE, …_CONTINUE and …_RESET.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halt {
    /// Why, or what is reset.
    pub reason: Box<str>,
}

/// The answer to a keep-alive, a pause, a continue or a reset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// BROADCAST_FREE_TEXT and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeText {
    /// For people.
    pub text: Box<str>,
}

/// CONNECTIVITY_TEST_CALL and CONNECTIVITY_TEST_ECHO.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connectivity {
    /// Which call.
    pub ping: Box<str>,
    /// Who echoes; `None` in the call.
    pub echo_from: Option<Address>,
    /// When the call was made.
    pub at: Option<Timestamp>,
}

/// LEAGUE_REGISTER_REQUEST and REFEREE_REGISTER_REQUEST: I want to be told of seasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// RESPONSE_LEAGUE_REGISTER.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeagueRegistrationAnswer {
    /// Whether it is known from now on.
    pub status: Verdict,
    /// Its id.
    pub agent: Option<DisplayName>,
    /// Why not.
    pub reason: Option<Box<str>>,
}

/// EXTENSION_REQUEST: more time, please.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extension {
    /// Why.
    pub reason: Box<str>,
    /// How many seconds more.
    pub seconds: u32,
}

/// RESPONSE_EXTENSION.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtensionDecision {
    /// Whether there is more time.
    pub status: Verdict,
    /// Until when.
    pub new_deadline: Option<Timestamp>,
    /// For people.
    pub text: Option<Box<str>>,
}

/// REJECTION_NOTIFICATION, and ALREADY_REJECTED_NOTIFICATION: it came too late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// FORCE_MAJEURE_REQUEST.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForceMajeure {
    /// The game.
    pub game: Option<GameId>,
    /// Why.
    pub reason: Box<str>,
}

/// FORCE_MAJEURE_DECISION and FORCE_MAJEURE_RESULT.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForceMajeureDecision {
    /// Whether the game is played again.
    pub status: Verdict,
    /// For people.
    pub notes: Box<str>,
}

/// ERROR_RESPONSE, LEAGUE_ERROR and GAME_ERROR.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
