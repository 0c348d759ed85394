//! Rounds and tables, in everybody's spelling.

use crate::{Address, GroupId};
use serde_json::Value;

use super::Reading;
use crate::dialect::q21::codec::fields::Fields;
use crate::dialect::q21::codec::unreadable::Unreadable;
use crate::dialect::q21::{
    EndRound, GameId, LeagueCompleted, NewRound, RoundResults, RoundWinner, StandingRow,
};

/// More than the players, referees and games of a round.
const ROWS_MAX: usize = 2000;
const ROUND_NUMBER: &[&str] = &["round_number", "round_starting"];

impl<'a> Reading<'a> {
    pub(super) fn new_round(&self) -> Result<NewRound, Unreadable> {
        const PRESENT: &str = "participant_lookup_table";
        let present = self.payload.list(&[PRESENT]);
        let present = present.map(|list| self.bounded(list, PRESENT, ROWS_MAX)).transpose()?;
        let addresses = |list: &[Value]| -> Vec<Address> {
            let texts = list.iter().filter_map(Value::as_str).map(Address::new);
            texts.filter(|address| !address.is_empty()).collect()
        };
        Ok(NewRound {
            number: self.payload.number(ROUND_NUMBER).unwrap_or_default(),
            total_rounds: self.payload.number(&["total_rounds"]),
            ends_at: self.payload.time(&["round_ends_at"]),
            present: present.map(addresses),
            text: self.payload.text_or_empty(&["message_text"]),
        })
    }

    pub(super) fn end_round(&self) -> EndRound {
        EndRound {
            number: self.payload.number(ROUND_NUMBER).unwrap_or_default(),
            matches_completed: self.payload.number(&["matches_completed"]).unwrap_or_default(),
            matches_total: self.payload.number(&["matches_total"]).unwrap_or_default(),
        }
    }

    pub(super) fn round_results(&self) -> Result<RoundResults, Unreadable> {
        let results = self.payload.list(&["results"]).unwrap_or_default();
        let results = self.bounded(results, "results", ROWS_MAX)?;
        let results = results.iter().enumerate().map(|(place, value)| {
            let bad = || self.bad(&format!("results[{place}]"), "an object with match_id");
            winner(value).ok_or_else(bad)
        });
        Ok(RoundResults {
            number: self.payload.number(ROUND_NUMBER).unwrap_or_default(),
            standings: self.standings(&["standings"])?,
            results: results.collect::<Result<_, _>>()?,
        })
    }

    pub(super) fn completed(&self) -> Result<LeagueCompleted, Unreadable> {
        Ok(LeagueCompleted {
            season: self.season(),
            standings: self.standings(&["final_standings", "standings"])?,
            text: self.payload.text_or_empty(&["message_text"]),
        })
    }

    fn standings(&self, names: &'static [&'static str]) -> Result<Vec<StandingRow>, Unreadable> {
        let rows = self.payload.list(names).unwrap_or_default();
        let rows = self.bounded(rows, names[0], ROWS_MAX)?;
        let rows = rows.iter().enumerate().map(|(place, value)| {
            let field = || format!("{}[{place}]", names[0]);
            standing(value).ok_or_else(|| self.bad(&field(), "an object with participant_id"))
        });
        rows.collect()
    }
}

fn winner(value: &Value) -> Option<RoundWinner> {
    let fields = Fields(value.as_object()?);
    Some(RoundWinner {
        game: GameId::new(&fields.word(&["match_id", "game_id"])?),
        winner: fields.word(&["winner_id"]).map(|id| GroupId::new(&id)),
    })
}

/// One row. `participant_id` is a group here and an address there; beside a group it is neither.
fn standing(value: &Value) -> Option<StandingRow> {
    let row = Fields(value.as_object()?);
    let group = row.word(&["group_id"]);
    let named = row.word(&["participant_id"]).filter(|id| id.contains('@') && group.is_none());
    let participant = group.or_else(|| row.word(&["participant_id", "player_id", "user_id"]))?;
    let count = |names: &'static [&'static str]| row.number(names).unwrap_or_default();
    Some(StandingRow {
        rank: count(&["rank"]),
        participant: GroupId::new(&participant),
        address: row.address(&["email"]).or_else(|| named.map(|id| Address::new(&id))),
        name: row.name(&["display_name"]),
        points: count(&["total_points", "points", "total_score"]),
        played: count(&["games_played", "matches_played", "played"]),
        won: count(&["games_won", "wins", "matches_won"]),
        drawn: count(&["games_drawn", "draws", "matches_drawn"]),
        lost: count(&["games_lost", "losses", "matches_lost"]),
        average: row.score(&["avg_score"]),
    })
}
