//! How letters spell what is said around the matches: each field with every name that a known
//! generation of agents gives it.
//!
//! Spec: docs/protocol/q21.md

use super::codec::{Fields, Row, in_digits, or_empty, or_null, spelled, spelling};
use crate::act::*;
use crate::{Address, Contact, GameId, Letter};

/// What is played, where a message says so.
const GAME: &str = "Q21";

const GROUP: [&str; 3] = ["user_id", "group_id", "group_name"];
const NAME: [&str; 3] = ["display_name", "player_name", "agent_name"];
const ROLE: [&str; 3] = ["participant_role", "agent_type", "role"];
const ROUND_NUMBER: [&str; 2] = ["round_number", "round_starting"];
const TEXT: [&str; 2] = ["message_text", "message"];

spelling! {
    StartSeason {
        season = season([]),
        name = season_name(["season_name"]),
        + "game_type" = |_, _| Some(GAME),
        total_rounds = number(["total_rounds"]),
        registration_deadline = time(["registration_deadline"])
            => or_empty ["registration_deadline"],
        registered_players = number(["registered_players"]),
        registered_referees = number(["registered_referees"]),
        text = text(TEXT),
    }

    AssignmentTable {
        season = season([]),
        rows = needed_rows(["assignments"]),
        + "total_count" = |said, _| Some(said.rows.len()),
        text = text(TEXT),
    }

    AssignmentRow {
        + "role" = |row, _| Some(row.part),
        + "email" = |row, _| row.address.clone(),
        game = listed_game(["game_id", "match_id"]),
        part = part(["role"]) => [],
        address = address(["email"]) => [],
        group = group(["group_id", "participant_id"]),
        auth_token = token(["auth_token"]),
    }

    AssignmentAck {
        season = season([]),
        + "status" = |_, letter| Some(acknowledged(letter)),
        + "referee_id" = |_, letter| {
            letter.head.from.logical_id.clone().filter(|_| is(letter, ActKind::RefereeAck))
        },
        + "player_email" = |_, letter| sender_of(letter, ActKind::PlayerAck),
        group = group(["group_id", "user_id"]),
        received = number(["assignments_received"]),
    }

    TableRequest {
        season = season([]),
        group = group(GROUP) => ["group_id"],
    }

    NewRound {
        number = round_begun(ROUND_NUMBER) => ["round_number", "round_starting"],
        total_rounds = number(["total_rounds"]),
        + "is_final_round" = |said, _| said.total_rounds.map(|total| said.number >= total),
        ends_at = time(["round_ends_at"]),
        present = present(["participant_lookup_table"]),
        text = text(["message_text"]),
    }

    EndRound {
        number = number(ROUND_NUMBER),
        matches_completed = number(["matches_completed"]),
        matches_total = number(["matches_total"]),
    }

    StandingRow {
        rank = number(["rank"]),
        + "participant_id" = |row, _| Some(listed_as(row)),
        participant = group(["group_id", "participant_id", "player_id", "user_id"])
            or Self::NEEDS => ["group_id", "player_id"],
        address = ranked_address(["email"]),
        name = name(["display_name"]),
        points = number(["total_points", "points", "total_score"])
            => ["total_points", "points", "total_score"],
        played = number(["games_played", "matches_played", "played"]),
        won = number(["games_won", "wins", "matches_won"]) => ["games_won", "wins"],
        drawn = number(["games_drawn", "draws", "matches_drawn"])
            => ["games_drawn", "draws"],
        lost = number(["games_lost", "losses", "matches_lost"])
            => ["games_lost", "losses"],
        average = score(["avg_score"]),
    }

    RoundWinner {
        game = id::<GameId>(["match_id", "game_id"]) or Self::NEEDS,
        winner = group(["winner_id"]) => or_null ["winner_id"],
    }

    RoundResults {
        number = number(ROUND_NUMBER),
        standings = rows(["standings"]),
        results = rows(["results"]),
    }

    SeasonCompleted {
        season = season([]),
        standings = rows(["final_standings", "standings"]),
        text = text(["message_text"]),
    }

    KeepAlive {
        text = text(TEXT),
    }

    Halt {
        reason = text(["reason", "reset_scope", "message_text", "message"]),
        + "reset_scope" = |said, letter| is(letter, ActKind::Reset).then(|| said.reason.clone()),
    }

    FreeText {
        + "player_email" = |_, letter| sender_of(letter, ActKind::StillHere),
        + "status" = |_, letter| is(letter, ActKind::StillHere).then_some("active"),
        text = text(TEXT),
    }

    Connectivity {
        ping = word(["ping_id"]),
        echo_from = address(["echo_from"]),
        at = time(["original_timestamp", "timestamp"])
            => ["timestamp", "original_timestamp"],
    }

    LeagueRegistration {
        role = role(ROLE),
        group = group(GROUP),
        name = meta_name(NAME),
        + "game_types" = |_, _| Some(vec![GAME]),
        contact = meta_address(["contact_email", "contact_endpoint"]),
    }

    LeagueRegistrationAnswer {
        status = verdict(["status"])
            => spelled("ACCEPTED", "rejected") ["status"],
        agent = name(["agent_id", "player_id", "referee_id"])
            => ["agent_id", "player_id"],
        reason = word(["reason"]),
    }

    Extension {
        + "correlation_id" = |_, letter| letter.head.answers.clone(),
        reason = text(["reason"]),
        seconds = number(["requested_extension"]) => in_digits ["requested_extension"],
    }

    ExtensionDecision {
        status = verdict(["decision", "status"])
            => spelled("APPROVED", "DENIED") ["decision", "status"],
        new_deadline = time(["new_deadline"])
            => ["new_deadline", "new_deadline_display"],
        text = text(["message", "message_text"]),
    }

    Rejection {
        original = word(["original_message_type"]),
        deadline = time(["deadline"]),
        received_at = time(["received_at"]),
        reason = text(["reason"]),
    }

    ForceMajeure {
        game = game(["game_id", "match_id"]),
        reason = text(["reason"]),
    }

    ForceMajeureDecision {
        status = verdict(["decision", "status"])
            => spelled("APPROVED", "REJECTED") ["decision"],
        notes = text(["admin_notes", "message"]),
    }

    Problem {
        code = word(["error_code", "code"]),
        text = text(["error_message", "error_description", "message"]),
        original = word(["original_message_type"]),
        recoverable = flag(["recoverable", "retryable"]),
    }
}

fn is(letter: &Letter, kind: ActKind) -> bool {
    letter.act.kind() == kind
}

/// The sender's address, in the one kind of letter that repeats it.
fn sender_of(letter: &Letter, kind: ActKind) -> Option<Address> {
    letter.head.from.address.clone().filter(|_| is(letter, kind))
}

/// Referees write it small.
fn acknowledged(letter: &Letter) -> &'static str {
    if is(letter, ActKind::PlayerAck) { "ACKNOWLEDGED" } else { "acknowledged" }
}

/// The later players look for themselves under `participant_id` by their address, the earlier ones
/// under `group_id` by their group.
fn listed_as(row: &StandingRow) -> &str {
    row.address.as_ref().map_or(row.participant.as_str(), Address::as_str)
}

spelling! {
    Applying {
        season = season([]),
        group = group(GROUP),
        participant = name(["participant_id", "agent_id", "referee_id"]),
        name = name(NAME),
        role = role(ROLE),
        also = contact(["also_reached_at"]) => address_of ["also_reached_at"],
        ..Self::default()
    }

    Decided {
        denial = denial(["status"]) => status ["status"],
        season = season([]),
        + "reason" = |said, _| {
            said.denial.as_ref().map(Denial::word).filter(|word| !word.is_empty())
        },
        text = text(["message", "message_text"]),
        registration = word(["registration_id"]),
        pending = pending(["admission"]) => admission ["admission"],
        name = name(["display_name"]),
        token = token(["auth_token"]),
        ..Self::default()
    }
}

fn address_of(contact: &Option<Contact>) -> Option<Address> {
    contact.as_ref().map(Contact::address)
}

/// Said if the operator has to say yes first.
const PENDING: &str = "pending";

fn admission(pending: &bool) -> Option<&'static str> {
    pending.then_some(PENDING)
}

impl Fields<'_> {
    fn pending(self, names: &[&str]) -> Option<bool> {
        self.text(names).map(|said| said.eq_ignore_ascii_case(PENDING))
    }
}

/// Some readers compare it without case; one takes only capitals for a yes. All take the first for
/// a yes, and the other for a no.
fn status(denial: &Option<Denial>) -> &'static str {
    if denial.is_none() { "ACCEPTED" } else { "rejected" }
}

/// The manager's words for what keeps somebody out.
static DENIALS: [(&str, Denial); 8] = [
    ("already_registered", Denial::AlreadyIn),
    ("registration_closed", Denial::Closed),
    ("unknown_season", Denial::UnknownSeason),
    ("not_on_roster", Denial::NotOnRoster),
    ("group_taken", Denial::TeamTaken),
    ("incomplete_team", Denial::TeamIncomplete),
    ("league_full", Denial::Full),
    ("code_needed", Denial::LeaveNeeded),
];

impl Denial {
    /// As it is sent.
    pub fn word(&self) -> Box<str> {
        if let Self::Other(word) = self {
            return word.clone();
        }
        let known = DENIALS.iter().find(|(_, denial)| denial == self);
        known.map(|(word, _)| (*word).into()).unwrap_or_default()
    }

    /// What that word means.
    pub fn of(word: &str) -> Self {
        let same = |(known, _): &&(&str, Self)| word.trim().eq_ignore_ascii_case(known);
        let known = DENIALS.iter().find(same).map(|(_, denial)| denial.clone());
        known.unwrap_or_else(|| Self::Other(word.into()))
    }
}
