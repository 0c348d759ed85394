//! What the table cannot say of seasons, registration and rounds.
//!
//! Spec: docs/protocol/q21.md

use serde_json::Value;

use super::Unreadable;
use super::fields::display_name;
use super::read::{Reading, Row};
use super::wire::Wire;
use super::write::{Put, Writing};
use crate::dialect::q21::{
    ActKind, Approval, AssignmentRow, Context, Denial, GameId, Part, RoundWinner, StandingRow,
    StateAnswer, Task,
};
use crate::{Address, Contact, DisplayName, MatchId};

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

    /// Why somebody is not let in, if it is not.
    pub(crate) fn denial(&self, names: &[&str]) -> Result<Option<Denial>, Unreadable> {
        let denied = self.verdict(names)? == Approval::Rejected;
        Ok(denied.then(|| Denial::of(&self.word(&["reason"]).unwrap_or_default())))
    }

    /// Where somebody is reached.
    pub(crate) fn contact(&self, names: &[&str]) -> Option<Contact> {
        self.address(names).as_ref().map(Contact::of)
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

    /// A game of a table by its id, or in older ones by its round and its number.
    pub(crate) fn listed_game(&self, names: &[&str]) -> Result<GameId, Unreadable> {
        let counted = || {
            let round = self.number(&["round_number"])?;
            Some(GameId::of(SEASON, MatchId::new(round, self.number(&["game_number"])?)))
        };
        let game = self.id(names).or_else(counted);
        game.ok_or_else(|| self.bad(".game_id", "the game's id"))
    }

    /// A place at the table.
    pub(crate) fn part(&self, names: &[&str]) -> Result<Part, Unreadable> {
        let word = self.word(names).unwrap_or_default();
        let word: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        match word.to_ascii_uppercase().as_str() {
            "PLAYER1" | "PLAYERA" => Ok(Part::Player1),
            "PLAYER2" | "PLAYERB" => Ok(Part::Player2),
            "REFEREE" => Ok(Part::Referee),
            _ => Err(self.bad(".role", "player1, player2 or referee")),
        }
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
