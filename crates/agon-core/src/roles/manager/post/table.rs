//! The season's table: three rows for each game, all of it computed from the format.
//!
//! By call everybody gets a copy of its own, and in a large league only its own games.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::q21::{
    Address, AssignmentRow, AssignmentTable, Body, GameId, Letter, Part, Problem,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, Contact, MatchId, Timestamp};

use super::super::{Manager, Out};
use super::admission::Voice;
use super::outbox::News;
use crate::format::Fixture;
use crate::league::registry::Agent;

/// A table of so many rows fits the body of a request, whatever the addresses in it.
const ROWS_MAX: u64 = 600;

impl Manager {
    pub(super) fn game(&self, match_id: MatchId) -> GameId {
        GameId::of(self.league.settings.q21.season_number, match_id)
    }

    /// Who has that part in that game.
    pub(super) fn party(&self, match_id: MatchId, part: Part) -> Option<&Agent> {
        let Fixture { a, b } = self.league.season.fixture(match_id)?;
        let agent = match part {
            Part::Player1 => AgentId::Player(a),
            Part::Player2 => AgentId::Player(b),
            Part::Referee => AgentId::Referee(self.league.season.referee_of(match_id)?),
        };
        self.league.registry.agent(agent)
    }

    /// Who that address is in the season; nobody, if it takes no part.
    pub(super) fn agent_at(&self, address: &Address) -> Option<AgentId> {
        let begun = self.league.season.phase() != LeaguePhase::AcceptingRegistrations;
        let agent = self.league.registry.at(&Contact::of(address));
        agent.filter(|agent| begun && self.league.season.lineup().holds(*agent))
    }

    pub(super) fn table_for(&self, reader: Option<&Address>) -> AssignmentTable {
        let format = self.league.season.format();
        let numbers = 1..=format.matches_per_round();
        let ids = (1..=format.rounds())
            .flat_map(|round| numbers.clone().map(move |number| MatchId::new(round, number)));
        let mut rows = Vec::new();
        for match_id in ids {
            let parts = [Part::Player1, Part::Player2, Part::Referee];
            let parties = parts.map(|part| (part, self.party(match_id, part)));
            let mut agents = parties.iter().filter_map(|(_, agent)| *agent);
            if reader.is_some_and(|reader| !agents.any(|agent| agent.address() == *reader)) {
                continue;
            }
            rows.extend(parties.iter().filter_map(|(part, agent)| {
                let agent = (*agent)?;
                Some(AssignmentRow {
                    game: self.game(match_id),
                    part: *part,
                    address: Some(agent.address()),
                    group: agent.group(),
                    auth_token: None,
                })
            }));
        }
        let text = format!("{} games in {} rounds", format.matches(), format.rounds());
        AssignmentTable {
            season: Some(self.league.settings.q21.season.clone()),
            rows,
            text: text.into(),
        }
    }

    /// Sends the table to everybody who is in the season.
    pub(super) fn tell_table(&mut self, now: Timestamp, out: &mut Out) {
        let everybody = self.everybody();
        if !self.has_own_copies() {
            let body = Body::AssignmentTable(self.table_for(None));
            return self.tell(everybody, News::once("assign", body), now, out);
        }
        for address in everybody {
            self.tell_table_to(address, now, out);
        }
    }

    /// Sends the table to one. Who has it already sees that it is the same letter.
    fn tell_table_to(&mut self, address: Address, now: Timestamp, out: &mut Out) {
        let reader = Some(&address).filter(|_| self.has_own_copies());
        let body = Body::AssignmentTable(self.table_for(reader));
        self.tell(vec![address], News::once("assign", body), now, out);
    }

    /// Whether everybody gets its own games only.
    fn has_own_copies(&self) -> bool {
        let many = self.league.is_large();
        let long = self.league.season.format().matches() * 3 > ROWS_MAX;
        self.league.settings.q21.by_call && (many || long)
    }

    /// Somebody has lost the table.
    pub(super) fn answer_table(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) {
        let body = if self.agent_at(&voice.address).is_some() {
            let reader = Some(&voice.address).filter(|_| self.has_own_copies());
            Body::TableAnswer(self.table_for(reader))
        } else {
            Body::Problem(Problem {
                code: "INVALID_STATE".into(),
                text: "There is no table for this address: the season has not begun, or without it"
                    .into(),
                original: Some("REQUEST_ASSIGNMENT_TABLE".into()),
                recoverable: self.league.season.phase() == LeaguePhase::AcceptingRegistrations,
            })
        };
        self.reply(&voice.address, letter, body, now, out);
    }

    /// Who is called and registers again has perhaps forgotten everything, and nobody would tell
    /// it again. Who has not sees that it knows these letters.
    pub(super) fn tell_again_to(&mut self, address: &Address, now: Timestamp, out: &mut Out) {
        if !self.league.settings.q21.by_call || self.agent_at(address).is_none() {
            return;
        }
        match self.league.season.phase() {
            LeaguePhase::Startup
            | LeaguePhase::AcceptingRegistrations
            | LeaguePhase::Scheduling => {}
            LeaguePhase::Running => {
                self.tell_table_to(address.clone(), now, out);
                if self.league.season.round() > 0 && !self.league.season.round_over() {
                    self.tell_round_to(vec![address.clone()], now, out);
                }
            }
            LeaguePhase::Completed => self.tell_end_by_letter(vec![address.clone()], now, out),
        }
    }
}
