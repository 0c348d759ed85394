//! What the table cannot say of seasons, registration and rounds.

use serde_json::Value;

use super::fields::display_name;
use super::put::Put;
use super::read::{Reading, Row};
use super::unreadable::Unreadable;
use super::wire::Wire;
use super::write::Writing;
use crate::dialect::q21::{
    ActKind, AssignmentRow, Context, GameId, Part, RoundWinner, StandingRow, StateAnswer, Task,
};
use crate::{Address, DisplayName, MatchId};

/// The season of a table that only counts rounds and games.
const SEASON: u32 = 1;
/// More than the players, referees and games of a round.
const OF_ROUND_MAX: usize = 2000;

impl Reading<'_> {
    /// A season's name for people; without one, its id.
    pub(crate) fn season_name(&self, names: &[&str]) -> Result<DisplayName, Unreadable> {
        let named = || display_name(self.season(&[]).unwrap_or_default().as_str());
        Ok(self.name(names).unwrap_or_else(named))
    }

    /// A name that may stand one object deeper.
    pub(crate) fn meta_name(&self, names: &[&str]) -> Option<DisplayName> {
        self.name(names).or_else(|| self.object(&META)?.name(names))
    }

    /// An address that may stand one object deeper.
    pub(crate) fn meta_address(&self, names: &[&str]) -> Option<Address> {
        self.address(names).or_else(|| self.object(&META)?.address(names))
    }

    /// Who is there, if anybody keeps that list.
    pub(crate) fn present(
        &self,
        names: &[&'static str],
    ) -> Result<Option<Vec<Address>>, Unreadable> {
        let addresses = |list: &[Value]| {
            let texts = list.iter().filter_map(Value::as_str).map(Address::new);
            texts.filter(|address| !address.is_empty()).collect()
        };
        Ok(self.bounded(names, OF_ROUND_MAX)?.map(addresses))
    }

    /// `participant_id` is a group here and an address there; beside a group it is neither.
    pub(crate) fn ranked_address(&self, names: &[&str]) -> Option<Address> {
        let alone = || self.word(&["group_id"]).is_none();
        let named = || self.word(&["participant_id"]).filter(|id| id.contains('@') && alone());
        self.address(names).or_else(|| named().map(|id| Address::new(&id)))
    }
}

const META: [&str; 2] = ["player_meta", "referee_meta"];

impl Row for RoundWinner {
    const MAX: usize = OF_ROUND_MAX;
    const NEEDS: &'static str = "an object with match_id";
}

impl Row for StandingRow {
    const MAX: usize = OF_ROUND_MAX;
    const NEEDS: &'static str = "an object with participant_id";
}

impl Row for AssignmentRow {
    /// 99 rounds of 100 games, three rows each, are the largest season that game ids can name.
    const MAX: usize = 30_000;
    const NEEDS: &'static str = "an object";
}

/// A game by its id, or in older tables by its round and its number.
impl Wire for AssignmentRow {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        let counted = || {
            let round = from.number(&["round_number"])?;
            Some(GameId::of(SEASON, MatchId::new(round, from.number(&["game_number"])?)))
        };
        let game = from.id(&["game_id", "match_id"]).or_else(counted);
        let part = from.word(&["role"]).and_then(|word| part(&word));
        Ok(Self {
            game: game.ok_or_else(|| from.bad(".game_id", "the game's id"))?,
            part: part.ok_or_else(|| from.bad(".role", "player1, player2 or referee"))?,
            address: from.address(&["email"]),
            group: from.group(&["group_id", "participant_id"]).unwrap_or_default(),
            auth_token: from.token(&["auth_token"]),
        })
    }

    fn write(&self, to: &mut Writing<'_>) {
        to.put("role", &self.part);
        to.put("email", &self.address);
        to.put("game_id", &self.game);
        to.put("group_id", &self.group);
        to.put("auth_token", &self.auth_token);
    }
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

/// Each of the four answers has its own names for what became of the thing.
impl Wire for StateAnswer {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        let status = ["status", "pause_status", "continue_status", "reset_status"];
        let state =
            ["machine_state", "previous_state", "restored_state", "current_game_state", "state"];
        Ok(Self {
            status: from.word(&status).unwrap_or_default(),
            state: from.word(&state).unwrap_or_default(),
            game: from.game(&["match_id_paused", "restored_match_id", "match_id", "game_id"]),
            text: from.text(&["message_text", "message", "state_detail"]).unwrap_or_default(),
        })
    }

    fn write(&self, to: &mut Writing<'_>) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "no other letter holds it")]
        let [status, state, game] = match to.letter.act.kind() {
            ActKind::State(Task::Pause) => ["pause_status", "previous_state", "match_id_paused"],
            ActKind::State(Task::Continue) => {
                ["continue_status", "restored_state", "restored_match_id"]
            }
            ActKind::State(Task::Reset) => ["reset_status", "machine_state", "match_id"],
            _ => ["status", "machine_state", "match_id"],
        };
        to.put(status, &self.status);
        to.put(state, &self.state);
        to.put(game, &self.game);
        to.put("message_text", &self.text);
    }

    fn tell(&self, context: &mut Context) {
        self.game.tell(context);
    }
}
