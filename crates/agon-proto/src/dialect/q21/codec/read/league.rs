//! Seasons, registration, the table, and everything else that is said around the games.

use serde_json::Value;

use super::Reading;
use crate::dialect::q21::codec::fields::{Fields, display_name};
use crate::dialect::q21::codec::kinds::same;
use crate::dialect::q21::codec::page::{role, token};
use crate::dialect::q21::codec::unreadable::Unreadable;
use crate::dialect::q21::{
    AssignmentAck, AssignmentRow, AssignmentTable, Connectivity, Extension, ExtensionDecision,
    ForceMajeure, ForceMajeureDecision, FreeText, GameId, Halt, KeepAlive, LeagueRegistration,
    LeagueRegistrationAnswer, Part, Problem, RegistrationAnswer, RegistrationRequest, Rejection,
    Role, StartSeason, StateAnswer, TableRequest,
};
use crate::{GroupId, MatchId, SeasonId};

const GROUP: &[&str] = &["user_id", "group_id", "group_name"];
const NAME: &[&str] = &["display_name", "player_name", "agent_name"];
const ROLE: &[&str] = &["participant_role", "agent_type", "role"];
const TEXT: &[&str] = &["message_text", "message"];
/// 99 rounds of 100 games, three rows each, are the largest season that game ids can name.
const ASSIGNMENTS_MAX: usize = 30_000;
/// The season of a table that only counts rounds and games.
const SEASON: u32 = 1;

impl<'a> Reading<'a> {
    fn group(&self) -> Option<GroupId> {
        self.payload.word(GROUP).map(|id| GroupId::new(&id))
    }

    pub(super) fn start_season(&self) -> StartSeason {
        let season = self.season().unwrap_or_else(|| SeasonId::new(""));
        let name = self.payload.name(&["season_name"]);
        StartSeason {
            name: name.unwrap_or_else(|| display_name(season.as_str())),
            season,
            total_rounds: self.payload.number(&["total_rounds"]).unwrap_or_default(),
            registration_deadline: self.payload.time(&["registration_deadline"]),
            registered_players: self.payload.number(&["registered_players"]),
            registered_referees: self.payload.number(&["registered_referees"]),
            text: self.payload.text_or_empty(TEXT),
        }
    }

    pub(super) fn registration(&self) -> RegistrationRequest {
        let said = self.payload.word(ROLE).and_then(|word| role(&word));
        RegistrationRequest {
            season: self.season(),
            group: self.group(),
            participant: self.payload.name(&["participant_id", "agent_id", "referee_id"]),
            name: self.payload.name(NAME),
            role: said.or(self.from.role),
            also: self.payload.address(&["also_reached_at"]),
        }
    }

    pub(super) fn registration_answer(&self) -> Result<RegistrationAnswer, Unreadable> {
        Ok(RegistrationAnswer {
            status: self.verdict(&["status"])?,
            season: self.season(),
            reason: self.payload.boxed(&["reason"]),
            text: self.payload.text(&["message", "message_text"]),
            registration: self.payload.boxed(&["registration_id"]),
            auth_token: token(self.payload),
        })
    }

    pub(super) fn table(&self) -> Result<AssignmentTable, Unreadable> {
        let list = self.payload.list(&["assignments"]);
        let list = list.ok_or_else(|| self.bad("assignments", "a list"))?;
        let list = self.bounded(list, "assignments", ASSIGNMENTS_MAX)?;
        let rows = list.iter().enumerate().map(|(place, value)| {
            let bad = |flaw: Flaw| self.bad(&format!("assignments[{place}]{}", flaw.0), flaw.1);
            assignment(value).map_err(bad)
        });
        Ok(AssignmentTable {
            season: self.season(),
            rows: rows.collect::<Result<_, _>>()?,
            text: self.payload.text_or_empty(TEXT),
        })
    }

    pub(super) fn table_ack(&self) -> AssignmentAck {
        AssignmentAck {
            season: self.season(),
            group: self.payload.word(&["group_id", "user_id"]).map(|id| GroupId::new(&id)),
            received: self.payload.number(&["assignments_received"]).unwrap_or_default(),
        }
    }

    pub(super) fn table_request(&self) -> TableRequest {
        TableRequest { season: self.season(), group: self.group() }
    }

    pub(super) fn keep_alive(&self) -> KeepAlive {
        KeepAlive { text: self.payload.text_or_empty(TEXT) }
    }

    pub(super) fn halt(&self) -> Halt {
        let names = &["reason", "reset_scope", "message_text", "message"];
        Halt { reason: self.payload.text_or_empty(names) }
    }

    pub(super) fn state(&self) -> StateAnswer {
        let status = &["status", "pause_status", "continue_status", "reset_status"];
        let state =
            &["machine_state", "previous_state", "restored_state", "current_game_state", "state"];
        let game = &["match_id_paused", "restored_match_id", "match_id", "game_id"];
        let game = self.payload.word(game).map(|id| GameId::new(&id));
        StateAnswer {
            status: self.payload.boxed(status).unwrap_or_default(),
            state: self.payload.boxed(state).unwrap_or_default(),
            game: game.or_else(|| self.context.game.clone()),
            text: self.payload.text_or_empty(&["message_text", "message", "state_detail"]),
        }
    }

    pub(super) fn free_text(&self) -> FreeText {
        FreeText { text: self.payload.text_or_empty(TEXT) }
    }

    pub(super) fn league_registration(&self) -> LeagueRegistration {
        let meta = self.payload.object(&["player_meta", "referee_meta"]);
        let within = meta.unwrap_or(self.payload);
        let contact = &["contact_email", "contact_endpoint"];
        let as_referee = same(self.name, "REFEREE_REGISTER_REQUEST").then_some(Role::Referee);
        let said = || self.payload.word(ROLE).and_then(|word| role(&word));
        LeagueRegistration {
            role: as_referee.or_else(said).or(self.from.role).unwrap_or(Role::Player),
            group: self.group(),
            name: self.payload.name(NAME).or_else(|| within.name(NAME)),
            contact: self.payload.address(contact).or_else(|| within.address(contact)),
        }
    }

    pub(super) fn league_registration_answer(
        &self,
    ) -> Result<LeagueRegistrationAnswer, Unreadable> {
        Ok(LeagueRegistrationAnswer {
            status: self.verdict(&["status"])?,
            agent: self.payload.name(&["agent_id", "player_id", "referee_id"]),
            reason: self.payload.boxed(&["reason"]),
        })
    }

    pub(super) fn connectivity(&self) -> Connectivity {
        Connectivity {
            ping: self.payload.boxed(&["ping_id"]).unwrap_or_default(),
            echo_from: self.payload.address(&["echo_from"]),
            at: self.payload.time(&["original_timestamp", "timestamp"]),
        }
    }

    pub(super) fn extension(&self) -> Extension {
        Extension {
            reason: self.payload.text_or_empty(&["reason"]),
            seconds: self.payload.number(&["requested_extension"]).unwrap_or_default(),
        }
    }

    pub(super) fn extension_decision(&self) -> Result<ExtensionDecision, Unreadable> {
        Ok(ExtensionDecision {
            status: self.verdict(&["decision", "status"])?,
            new_deadline: self.payload.time(&["new_deadline"]),
            text: self.payload.text(&["message", "message_text"]),
        })
    }

    pub(super) fn rejection(&self) -> Rejection {
        Rejection {
            original: self.payload.boxed(&["original_message_type"]),
            deadline: self.payload.time(&["deadline"]),
            received_at: self.payload.time(&["received_at"]),
            reason: self.payload.text_or_empty(&["reason"]),
        }
    }

    pub(super) fn force_majeure(&self) -> ForceMajeure {
        let game = self.payload.word(&["game_id", "match_id"]).map(|id| GameId::new(&id));
        ForceMajeure {
            game: game.or_else(|| self.context.game.clone()),
            reason: self.payload.text_or_empty(&["reason"]),
        }
    }

    pub(super) fn majeure_decision(&self) -> Result<ForceMajeureDecision, Unreadable> {
        Ok(ForceMajeureDecision {
            status: self.verdict(&["decision", "status"])?,
            notes: self.payload.text_or_empty(&["admin_notes", "message"]),
        })
    }

    pub(super) fn problem(&self) -> Problem {
        let text = &["error_message", "error_description", "message"];
        Problem {
            code: self.payload.boxed(&["error_code", "code"]).unwrap_or_default(),
            text: self.payload.text_or_empty(text),
            original: self.payload.boxed(&["original_message_type"]),
            recoverable: self.payload.flag(&["recoverable", "retryable"]).unwrap_or_default(),
        }
    }
}

/// Where in a row something is wrong, and what should stand there.
struct Flaw(&'static str, &'static str);

/// One row of the table: a game by its id, or in older tables by its round and its number.
fn assignment(value: &Value) -> Result<AssignmentRow, Flaw> {
    let row = value.as_object().map(Fields).ok_or(Flaw("", "an object"))?;
    let counted = || {
        let round = row.number(&["round_number"])?;
        Some(GameId::of(SEASON, MatchId::new(round, row.number(&["game_number"])?)))
    };
    let game = row.word(&["game_id", "match_id"]).map(|id| GameId::new(&id));
    let part = row.word(&["role"]).and_then(|word| part(&word));
    let address = row.address(&["email"]);
    let group = row.word(&["group_id", "participant_id"]);
    Ok(AssignmentRow {
        game: game.or_else(counted).ok_or(Flaw(".game_id", "the game's id"))?,
        part: part.ok_or(Flaw(".role", "player1, player2 or referee"))?,
        group: GroupId::new(&group.unwrap_or_default()),
        address,
        auth_token: token(row),
    })
}

fn part(word: &str) -> Option<Part> {
    let word: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    match word.to_ascii_uppercase().as_str() {
        "PLAYER1" | "PLAYERA" => Some(Part::Player1),
        "PLAYER2" | "PLAYERB" => Some(Part::Player2),
        "REFEREE" => Some(Part::Referee),
        _ => None,
    }
}
