//! What of a league concerns whom, and for how long. Reads only.
//!
//! Spec: docs/protocol/season.md

use std::time::Duration;

use agon_proto::act::{AssignmentRow, AssignmentTable};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Address, AgentId, Contact, GameId, GroupId, MatchId};

use super::League;
use crate::{Pace, SeasonSettings};

/// A schedule of so many rows fits the body of a request, whatever the addresses in it.
const ROWS_MAX: u64 = 600;

impl League {
    /// Whether everybody hears everything. Where it is settled who referees what, everybody knows
    /// the whole season anyway.
    pub(crate) fn is_told_whole(&self) -> bool {
        !self.is_large() || self.settings.format.settles_referees()
    }

    /// How many rows of the final table everybody is told.
    pub(crate) fn told_at_the_end(&self) -> usize {
        if self.is_told_whole() { usize::MAX } else { self.settings.standings_top as usize }
    }

    /// How long a round takes at most, if there is such a bound.
    pub(crate) fn round_length(&self) -> Option<Duration> {
        let longest = self.settings.round_time_max()?;
        Some(match self.settings.seasons.pace {
            Pace::Completion => longest,
            Pace::Clock { every_ms, .. } => longest.min(Duration::from_millis(every_ms)),
        })
    }

    /// The team that won a match.
    pub(crate) fn winner(&self, match_id: MatchId) -> Option<GroupId> {
        let seat = self.season.result(match_id)?.verdict.winner()?;
        let fixture = self.season.fixture(match_id)?;
        let winner = fixture.players()[seat.index()];
        self.registry.player(winner)?.group.clone()
    }

    /// Who that address is in the season; nobody, if it takes no part.
    pub(crate) fn agent_at(&self, address: &Address) -> Option<AgentId> {
        let begun = self.season.phase() != LeaguePhase::AcceptingRegistrations;
        let agent = self.registry.at(&Contact::of(address));
        agent.filter(|agent| begun && self.season.lineup().holds(*agent))
    }

    /// The schedule, or what of it concerns that reader, with the addresses that are of use to who
    /// is vouched for, or to who is called.
    pub(crate) fn schedule_for(&self, reader: Option<AgentId>, vouched: bool) -> AssignmentTable {
        let SeasonSettings { season, season_number, .. } = &self.settings.seasons;
        let mut rows = Vec::new();
        for match_id in self.season.ids() {
            let parties = self.parties(match_id);
            if reader.is_some_and(|reader| !parties.iter().any(|(_, who)| *who == reader)) {
                continue;
            }
            rows.extend(parties.into_iter().filter_map(|(part, who)| {
                let agent = self.registry.agent(who)?;
                Some(AssignmentRow {
                    game: GameId::of(*season_number, match_id),
                    part,
                    address: Some(agent.contact_for(vouched).address()),
                    group: agent.group(),
                    auth_token: None,
                })
            }));
        }
        let (matches, rounds) = (self.season.matches(), self.season.rounds());
        let text = format!("{matches} games in {rounds} rounds").into();
        AssignmentTable { season: Some(season.clone()), rows, text }
    }

    /// Whether each who is called gets its own matches only.
    pub(crate) fn has_own_copies(&self) -> bool {
        self.is_large() || self.season.matches() * 3 > ROWS_MAX
    }
}
