//! Which fields a message cannot do without. Asked only when one could not be read.
//!
//! The types say the same by having no default; a test compares the two through the schemas.

use super::diagnose::{Members, elements, members};
use crate::MessageType;

/// A field, and what it must hold if it is an object, or a list of objects.
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) need: Need,
    pub(super) within: &'static [Field],
}

/// Whether the field itself must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Must,
    May,
}

/// Writes a list of fields: `must name`, `may name`, what it holds in braces or by name.
macro_rules! fields {
    ($($need:ident $name:ident $({ $($inner:tt)* })? $(= $shared:ident)?),* $(,)?) => {
        &[$(Field {
            name: stringify!($name),
            need: need!($need),
            within: within!($({ $($inner)* })? $(= $shared)?),
        }),*]
    };
}
macro_rules! need {
    (must) => {
        Need::Must
    };
    (may) => {
        Need::May
    };
}
macro_rules! within {
    () => { &[] };
    ({ $($inner:tt)* }) => { fields!($($inner)*) };
    (= $shared:ident) => { $shared };
}

/// The envelope's own, besides the two by which it is recognised.
pub(super) const ENVELOPE: &[Field] = fields!(must sender, must timestamp, must conversation_id);

const RECORD: &[Field] = fields!(must wins, must losses, must draws);
const ANNOUNCED: &[Field] = fields!(
    must match_id, must game_type, must player_A_id, must player_B_id, must referee_endpoint,
);
const ROW: &[Field] = fields!(
    must rank, must player_id, must display_name, must played,
    must wins, must draws, must losses, must points,
);
const QUERY_DATA: &[Field] = fields!(
    may standings = ROW,
    may schedule { must round_id, must matches = ANNOUNCED },
    may next_match { must match_id, must round_id, must opponent_id, must referee_endpoint },
    may player_stats = ROW,
);
const ASSIGNMENT: &[Field] = fields!(
    must league_id, must round_id, must match_id, must attempt, must game_type, must referee_id,
    must player_A_id, must player_A_endpoint, must player_A_display_name, must player_A_token,
    must player_A_standings = RECORD,
    must player_B_id, must player_B_endpoint, must player_B_display_name, must player_B_token,
    must player_B_standings = RECORD,
    must limits {
        must join_ms, must choice_ms, must backoff_ms, must draw_min, must draw_max,
    },
);
const GAME_ERROR: &[Field] = fields!(
    must match_id, must error_code, must error_description, must affected_player,
    must action_required, must retry_count, must max_retries,
    may retry_info { must retry_count, must max_retries },
    must consequence,
);
const REPORT: &[Field] = fields!(
    must league_id, must round_id, must match_id, must game_type, must result,
    may transcript { must timestamp, must message_type, must from, must to },
);

/// The fields of a body.
pub(super) const fn of(kind: MessageType) -> &'static [Field] {
    match kind {
        MessageType::RefereeRegisterRequest => fields!(must referee_meta {
            must display_name, must version, must game_types, must contact_endpoint,
            must max_concurrent_matches,
        }),
        MessageType::LeagueRegisterRequest => fields!(must player_meta {
            must display_name, must version, must game_types, must contact_endpoint,
        }),
        MessageType::RefereeRegisterResponse | MessageType::LeagueRegisterResponse => {
            fields!(must status)
        }
        MessageType::RoundAnnouncement => {
            fields!(must league_id, must round_id, must matches = ANNOUNCED)
        }
        MessageType::RoundCompleted => fields!(
            must league_id, must round_id, must matches_played,
            may summary { must total_matches, must wins, must draws, must technical_losses },
        ),
        MessageType::LeagueCompleted => fields!(
            must league_id, must total_rounds, must total_matches,
            must champion { must player_id, must display_name, must points },
            must final_standings { must rank, must player_id, must points },
        ),
        MessageType::GameInvitation => fields!(
            must league_id, must round_id, must match_id,
            must game_type, must role_in_match, must opponent_id,
        ),
        MessageType::GameJoinAck => {
            fields!(must match_id, must player_id, must arrival_timestamp, must accept)
        }
        MessageType::ChooseParityCall => fields!(
            must match_id, must player_id, must game_type,
            must context { must opponent_id, must round_id, may your_standings = RECORD },
            must deadline,
        ),
        MessageType::ChooseParityResponse => {
            fields!(must match_id, must player_id, must parity_choice)
        }
        MessageType::GameOver => {
            fields!(must match_id, must game_type, must game_result { must status })
        }
        MessageType::MatchResultReport => REPORT,
        MessageType::LeagueStandingsUpdate => {
            fields!(must league_id, must round_id, must standings = ROW)
        }
        MessageType::LeagueError => fields!(must error_code, must error_description),
        MessageType::GameError => GAME_ERROR,
        MessageType::LeagueQuery => fields!(must league_id, must query_type),
        MessageType::LeagueQueryResponse => {
            fields!(must query_type, must success, may data = QUERY_DATA)
        }
        MessageType::GameMoveCall => fields!(
            must match_id, must player_id, must game_type,
            must move_request { must move_type },
            must deadline,
        ),
        MessageType::GameMoveResponse => fields!(
            must match_id, must player_id, must game_type,
            must move_data { must move_type, must choice },
        ),
        MessageType::MatchAssignment => ASSIGNMENT,
        MessageType::Heartbeat => fields!(must league_id),
        MessageType::PlayerWithdrawn => fields!(must league_id, must player_id),
    }
}

/// The path of the first field that is not there, such as `matches[1].player_A_id`.
pub(super) fn missing(fields: &[Field], object: &Members<'_>) -> Option<String> {
    fields.iter().find_map(|field| {
        let Some(value) = object.get(field.name) else {
            return (field.need == Need::Must).then(|| field.name.to_owned());
        };
        if field.within.is_empty() {
            return None;
        }
        if let Some(object) = members(value) {
            let path = missing(field.within, &object)?;
            return Some(format!("{}.{path}", field.name));
        }
        let elements = elements(value).unwrap_or_default();
        elements.into_iter().enumerate().find_map(|(index, element)| {
            let path = missing(field.within, &members(element)?)?;
            Some(format!("{}[{index}].{path}", field.name))
        })
    })
}
