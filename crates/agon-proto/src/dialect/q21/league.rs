//! What the league manager and its agents say to each other around the games.

use serde::{Deserialize, Serialize};

use super::codec::{Row, in_digits, or_empty, or_null, spelled, wire};
use super::{GameId, Kind, Letter, Role, Score};
use crate::{Address, AuthToken, DisplayName, GroupId, Part, SeasonId, Timestamp};

/// What is played, where a message says so.
const GAME: &str = "Q21";

const GROUP: [&str; 3] = ["user_id", "group_id", "group_name"];
const NAME: [&str; 3] = ["display_name", "player_name", "agent_name"];
const ROLE: [&str; 3] = ["participant_role", "agent_type", "role"];
const ROUND_NUMBER: [&str; 2] = ["round_number", "round_starting"];
const TEXT: [&str; 2] = ["message_text", "message"];

wire! {
    /// BROADCAST_START_SEASON: whoever wants to play answers with a registration.
    pub struct StartSeason {
        /// The season.
        pub season: SeasonId = season([]),
        /// Its name for people.
        pub name: DisplayName = season_name(["season_name"]),
        + "game_type" = |_, _| Some(GAME),
        /// How many rounds; 0 if that depends on who comes.
        pub total_rounds: u32 = number(["total_rounds"]),
        /// Until when; `None` if that is open.
        pub registration_deadline: Option<Timestamp> = time(["registration_deadline"])
            => or_empty ["registration_deadline"],
        /// How many players are known.
        pub registered_players: Option<u32> = number(["registered_players"]),
        /// How many referees are known.
        pub registered_referees: Option<u32> = number(["registered_referees"]),
        /// For people.
        pub text: Box<str> = text(TEXT),
    }

    /// SEASON_REGISTRATION_REQUEST.
    pub struct RegistrationRequest {
        /// The season; `None` or empty is the one that is open.
        pub season: Option<SeasonId> = season([]),
        /// The team. Some players never say it.
        pub group: Option<GroupId> = group(GROUP),
        /// What the agent calls itself: a referee's id.
        pub participant: Option<DisplayName> = name(["participant_id", "agent_id", "referee_id"]),
        /// Its name for people.
        pub name: Option<DisplayName> = name(NAME),
        /// As what it comes, if the payload or the sender says so.
        pub role: Option<Role> = role(ROLE),
        /// Another address at which it is reached: a referee by call that has a mailbox too. Ours.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub also: Option<Address> = address(["also_reached_at"]),
    }
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// In, or taken.
    Accepted,
    /// Not.
    Rejected,
}

wire! {
    /// SEASON_REGISTRATION_RESPONSE.
    pub struct RegistrationAnswer {
        /// Whether it is in. Some readers compare without case; one takes only capitals for a yes.
        /// All take the first for a yes, and the other for a no.
        pub status: Verdict = verdict(["status"]) or "`accepted` or `rejected`"
            => spelled("ACCEPTED", "rejected") ["status"],
        /// The season.
        pub season: Option<SeasonId> = season([]),
        /// Why not: `already_registered` for somebody who is in.
        pub reason: Option<Box<str>> = word(["reason"]),
        /// For people.
        pub text: Option<Box<str>> = text(["message", "message_text"]),
        /// The registration's id, where there is one.
        pub registration: Option<Box<str>> = word(["registration_id"]),
        /// What proves the agent from now on, where letters travel by call. Never by mail.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub auth_token: Option<AuthToken> = token(["auth_token"]),
    }
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

wire! {
    /// BROADCAST_ASSIGNMENT_TABLE: the whole season.
    pub struct AssignmentTable {
        /// The season.
        pub season: Option<SeasonId> = season([]),
        /// Three rows for each game.
        pub rows: Vec<AssignmentRow> = needed_rows(["assignments"]),
        + "total_count" = |said, _| Some(said.rows.len()),
        /// For people.
        pub text: Box<str> = text(TEXT),
    }

    /// RESPONSE_GROUP_ASSIGNMENT from a referee, GROUP_ASSIGNMENT_RESPONSE from a player.
    pub struct AssignmentAck {
        /// The season.
        pub season: Option<SeasonId> = season([]),
        + "status" = |_, letter| Some(acknowledged(letter)),
        + "referee_id" = |_, letter| {
            letter.from.logical_id.clone().filter(|_| is(letter, Kind::RefereeAck))
        },
        + "player_email" = |_, letter| sender_of(letter, Kind::PlayerAck),
        /// The team.
        pub group: Option<GroupId> = group(["group_id", "user_id"]),
        /// In how many games it found itself.
        pub received: u32 = number(["assignments_received"]),
    }

    /// REQUEST_ASSIGNMENT_TABLE.
    pub struct TableRequest {
        /// The season.
        pub season: Option<SeasonId> = season([]),
        /// The team.
        pub group: Option<GroupId> = group(GROUP) => ["group_id"],
    }

    /// BROADCAST_NEW_LEAGUE_ROUND.
    pub struct NewRound {
        /// Its number, counted from 1; 0 if the letter did not say one.
        pub number: u32 = number(ROUND_NUMBER) => ["round_number", "round_starting"],
        /// How many there are.
        pub total_rounds: Option<u32> = number(["total_rounds"]),
        + "is_final_round" = |said, _| said.total_rounds.map(|total| said.number >= total),
        /// Until when its games must be over, if that is fixed. Ours.
        pub ends_at: Option<Timestamp> = time(["round_ends_at"]),
        /// Who has checked in; `None` if nobody keeps that list.
        pub present: Option<Vec<Address>> = present(["participant_lookup_table"]),
        /// For people.
        pub text: Box<str> = text(["message_text"]),
    }

    /// BROADCAST_END_LEAGUE_ROUND.
    pub struct EndRound {
        /// Its number.
        pub number: u32 = number(ROUND_NUMBER),
        /// Games with a result.
        pub matches_completed: u32 = number(["matches_completed"]),
        /// Games.
        pub matches_total: u32 = number(["matches_total"]),
    }

    /// One row of the table.
    pub struct StandingRow {
        /// Counted from 1; shared by those who are level.
        pub rank: u32 = number(["rank"]),
        + "participant_id" = |row, _| Some(listed_as(row)),
        /// The team.
        pub participant: GroupId = group(["group_id", "participant_id", "player_id", "user_id"])
            or Self::NEEDS => ["group_id", "player_id"],
        /// Its player's address.
        pub address: Option<Address> = ranked_address(["email"]),
        /// Its name for people.
        pub name: Option<DisplayName> = name(["display_name"]),
        /// League points.
        pub points: u32 = number(["total_points", "points", "total_score"])
            => ["total_points", "points", "total_score"],
        /// Games that count.
        pub played: u32 = number(["games_played", "matches_played", "played"]),
        /// Games won.
        pub won: u32 = number(["games_won", "wins", "matches_won"]) => ["games_won", "wins"],
        /// Games drawn.
        pub drawn: u32 = number(["games_drawn", "draws", "matches_drawn"])
            => ["games_drawn", "draws"],
        /// Games lost.
        pub lost: u32 = number(["games_lost", "losses", "matches_lost"])
            => ["games_lost", "losses"],
        /// The mean private score, if it is told.
        pub average: Option<Score> = score(["avg_score"]),
    }

    /// Who won a game.
    pub struct RoundWinner {
        /// The game.
        pub game: GameId = id::<GameId>(["match_id", "game_id"]) or Self::NEEDS,
        /// The winner's group; `None` if nobody won.
        pub winner: Option<GroupId> = group(["winner_id"]) => or_null ["winner_id"],
    }

    /// BROADCAST_ROUND_RESULTS.
    pub struct RoundResults {
        /// The round.
        pub number: u32 = number(ROUND_NUMBER),
        /// The table after it.
        pub standings: Vec<StandingRow> = rows(["standings"]),
        /// Its games.
        pub results: Vec<RoundWinner> = rows(["results"]),
    }

    /// LEAGUE_COMPLETED, or BROADCAST_END_SEASON.
    pub struct LeagueCompleted {
        /// The season.
        pub season: Option<SeasonId> = season([]),
        /// The final table.
        pub standings: Vec<StandingRow> = rows(["final_standings", "standings"]),
        /// For people.
        pub text: Box<str> = text(["message_text"]),
    }

    /// BROADCAST_KEEP_ALIVE.
    pub struct KeepAlive {
        /// For people.
        pub text: Box<str> = text(TEXT),
    }

    /// BROADCAST_CRITICAL_PAUSE, …_CONTINUE and …_RESET.
    pub struct Halt {
        /// Why, or what is reset.
        pub reason: Box<str> = text(["reason", "reset_scope", "message_text", "message"]),
        + "reset_scope" = |said, letter| is(letter, Kind::Reset).then(|| said.reason.clone()),
    }
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

wire! {
    /// BROADCAST_FREE_TEXT and its answer.
    pub struct FreeText {
        + "player_email" = |_, letter| sender_of(letter, Kind::Heartbeat),
        + "status" = |_, letter| is(letter, Kind::Heartbeat).then_some("active"),
        /// For people.
        pub text: Box<str> = text(TEXT),
    }

    /// CONNECTIVITY_TEST_CALL and CONNECTIVITY_TEST_ECHO.
    pub struct Connectivity {
        /// Which call.
        pub ping: Box<str> = word(["ping_id"]),
        /// Who echoes; `None` in the call.
        pub echo_from: Option<Address> = address(["echo_from"]),
        /// When the call was made.
        pub at: Option<Timestamp> = time(["original_timestamp", "timestamp"])
            => ["timestamp", "original_timestamp"],
    }

    /// LEAGUE_REGISTER_REQUEST and REFEREE_REGISTER_REQUEST: I want to be told of seasons.
    pub struct LeagueRegistration {
        /// As what.
        pub role: Role = role(ROLE),
        /// The team.
        pub group: Option<GroupId> = group(GROUP),
        /// Its name for people.
        pub name: Option<DisplayName> = meta_name(NAME),
        + "game_types" = |_, _| Some(vec![GAME]),
        /// Where it wants its letters.
        pub contact: Option<Address> = meta_address(["contact_email", "contact_endpoint"]),
    }

    /// RESPONSE_LEAGUE_REGISTER.
    pub struct LeagueRegistrationAnswer {
        /// Whether it is known from now on.
        pub status: Verdict = verdict(["status"]) or "`accepted` or `rejected`"
            => spelled("ACCEPTED", "rejected") ["status"],
        /// Its id.
        pub agent: Option<DisplayName> = name(["agent_id", "player_id", "referee_id"])
            => ["agent_id", "player_id"],
        /// Why not.
        pub reason: Option<Box<str>> = word(["reason"]),
    }

    /// EXTENSION_REQUEST: more time, please.
    pub struct Extension {
        + "correlation_id" = |_, letter| letter.answers.clone(),
        /// Why.
        pub reason: Box<str> = text(["reason"]),
        /// How many seconds more.
        pub seconds: u32 = number(["requested_extension"]) => in_digits ["requested_extension"],
    }

    /// RESPONSE_EXTENSION.
    pub struct ExtensionDecision {
        /// Whether there is more time.
        pub status: Verdict = verdict(["decision", "status"]) or "`accepted` or `rejected`"
            => spelled("APPROVED", "DENIED") ["decision", "status"],
        /// Until when.
        pub new_deadline: Option<Timestamp> = time(["new_deadline"])
            => ["new_deadline", "new_deadline_display"],
        /// For people.
        pub text: Option<Box<str>> = text(["message", "message_text"]),
    }

    /// REJECTION_NOTIFICATION, and ALREADY_REJECTED_NOTIFICATION: it came too late.
    pub struct Rejection {
        /// What came too late, or never.
        pub original: Option<Box<str>> = word(["original_message_type"]),
        /// When it was due.
        pub deadline: Option<Timestamp> = time(["deadline"]),
        /// When it came.
        pub received_at: Option<Timestamp> = time(["received_at"]),
        /// Why.
        pub reason: Box<str> = text(["reason"]),
    }

    /// FORCE_MAJEURE_REQUEST.
    pub struct ForceMajeure {
        /// The game.
        pub game: Option<GameId> = game(["game_id", "match_id"]),
        /// Why.
        pub reason: Box<str> = text(["reason"]),
    }

    /// FORCE_MAJEURE_DECISION and FORCE_MAJEURE_RESULT.
    pub struct ForceMajeureDecision {
        /// Whether the game is played again.
        pub status: Verdict = verdict(["decision", "status"]) or "`accepted` or `rejected`"
            => spelled("APPROVED", "REJECTED") ["decision"],
        /// For people.
        pub notes: Box<str> = text(["admin_notes", "message"]),
    }

    /// ERROR_RESPONSE, LEAGUE_ERROR and GAME_ERROR.
    pub struct Problem {
        /// `NOT_REGISTERED`, `E005`: the sender's word for it.
        pub code: Box<str> = word(["error_code", "code"]),
        /// For people.
        pub text: Box<str> = text(["error_message", "error_description", "message"]),
        /// What it answers.
        pub original: Option<Box<str>> = word(["original_message_type"]),
        /// Whether it may be tried again.
        pub recoverable: bool = flag(["recoverable", "retryable"]),
    }
}

fn is(letter: &Letter, kind: Kind) -> bool {
    letter.body.kind() == kind
}

/// The sender's address, in the one kind of letter that repeats it.
fn sender_of(letter: &Letter, kind: Kind) -> Option<Address> {
    letter.from.address.clone().filter(|_| is(letter, kind))
}

/// Referees write it small.
fn acknowledged(letter: &Letter) -> &'static str {
    if is(letter, Kind::PlayerAck) { "ACKNOWLEDGED" } else { "acknowledged" }
}

/// The later players look for themselves under `participant_id` by their address, the earlier ones
/// under `group_id` by their group.
fn listed_as(row: &StandingRow) -> &str {
    row.address.as_ref().map_or(row.participant.as_str(), Address::as_str)
}
