//! What a league has to say of itself: its season, a round, the table, the end. Reads only.
//!
//! Spec: docs/protocol/season.md

use std::time::Duration;

use agon_proto::announcement::{
    Participant, RoundBeginning, RoundEnd, Schedule, ScheduleRow, SeasonEnd, SeasonOpening,
    TableAfter, TableRow,
};
use agon_proto::message::{AnnouncedMatch, Champion, StandingsRow};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Address, AgentId, Contact, GroupId, MatchId, RoundId};

use super::League;
use crate::Pace;

/// A schedule of so many rows fits the body of a request, whatever the addresses in it.
const ROWS_MAX: u64 = 600;

impl League {
    /// The season, before it begins.
    pub(crate) fn opening(&self) -> SeasonOpening {
        let terms = &self.settings.seasons;
        SeasonOpening {
            name: terms.name.clone(),
            rounds: terms.rounds,
            until: self.calendar.until,
            players: self.registry.player_count(),
            referees: self.registry.referee_count(),
        }
    }

    /// The beginning of the round under way, of which these matches are told.
    pub(crate) fn round_beginning(&self, matches: Vec<AnnouncedMatch>) -> RoundBeginning {
        let round = self.season.round();
        let (began, _) = self.season.round_times(round).unwrap_or_default();
        let present = self.calendar.check_in_for(round);
        RoundBeginning {
            round,
            rounds: self.season.rounds(),
            matches,
            ends_at: self.round_length().map(|length| began + length),
            present: present.map(|check_in| check_in.present.iter().cloned().collect()),
            repeated: false,
        }
    }

    /// The end of that round, of which so many results came by themselves.
    pub(crate) fn round_end(&self, round: RoundId, reported: u32) -> RoundEnd {
        let rows = self.is_told_whole().then(|| self.table_rows(usize::MAX));
        // Who won is told by teams.
        let teams = self.settings.says().teams;
        let winners = self.season.matches_in(round).filter(|_| teams);
        RoundEnd {
            round,
            table: rows.map(|rows| TableAfter { round, rows }),
            summary: self.season.summary(round),
            reported,
            winners: winners.map(|id| (id, self.winner(id))).collect(),
            next: self.goes_on_after(round).then_some(round + 1),
            repeated: false,
        }
    }

    /// How the season ended; `None` as long as it has not.
    pub(crate) fn season_end(&self) -> Option<SeasonEnd> {
        let champion = self.season.champion()?;
        let row = self.row(1, champion)?;
        let limit =
            if self.is_told_whole() { usize::MAX } else { self.settings.standings_top as usize };
        Some(SeasonEnd {
            name: self.settings.seasons.name.clone(),
            rounds: self.season.rounds(),
            matches: self.season.completed(),
            champion: Champion {
                player_id: champion,
                display_name: row.display_name,
                points: row.points,
            },
            rows: self.table_rows(limit),
        })
    }

    /// Whether everybody hears everything. Where it is settled who referees what, everybody knows
    /// the whole season anyway.
    pub(crate) fn is_told_whole(&self) -> bool {
        !self.is_large() || self.settings.format.settles_referees()
    }

    /// How long a round takes at most, if there is such a bound.
    pub(crate) fn round_length(&self) -> Option<Duration> {
        let longest = self.settings.round_time_max()?;
        Some(match self.settings.seasons.pace {
            Pace::Completion => longest,
            Pace::Clock { every_ms, .. } => longest.min(Duration::from_millis(every_ms)),
        })
    }

    pub(crate) fn table_rows(&self, limit: usize) -> Vec<TableRow> {
        let table = self.table(limit);
        let mut rows = Vec::with_capacity(table.len());
        rows.extend(table.into_iter().filter_map(|row| self.table_row(row)));
        rows
    }

    pub(crate) fn table_row(&self, row: StandingsRow) -> Option<TableRow> {
        let agent = self.registry.player(row.player_id)?;
        let party = Participant { contact: agent.contact.clone(), group: agent.group.clone() };
        Some(TableRow { party, average: self.average(row.player_id), row })
    }

    fn winner(&self, match_id: MatchId) -> Option<GroupId> {
        let seat = self.season.result(match_id)?.verdict.winner()?;
        let fixture = self.season.fixture(match_id)?;
        let winner = [fixture.a, fixture.b][seat.index()];
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
    pub(crate) fn schedule_for(&self, reader: Option<AgentId>, vouched: bool) -> Schedule {
        let season = &self.season;
        let mut rows = Vec::new();
        for match_id in season.ids() {
            let parties = self.parties(match_id);
            if reader.is_some_and(|reader| !parties.iter().any(|(_, who)| *who == reader)) {
                continue;
            }
            rows.extend(parties.into_iter().filter_map(|(part, who)| {
                let agent = self.registry.agent(who)?;
                let contact = agent.contact_for(vouched).clone();
                let party = Participant { contact, group: agent.group.clone() };
                Some(ScheduleRow { match_id, part, party })
            }));
        }
        Schedule { matches: season.matches(), rounds: season.rounds(), rows }
    }

    /// Whether that reader gets its own matches only.
    pub(crate) fn has_own_copy(&self, reader: &Contact) -> bool {
        let long = self.season.matches() * 3 > ROWS_MAX;
        !reader.vouches() && (self.is_large() || long)
    }
}
