//! The schedule of the season: who meets whom and who referees, all of it computed from the format.
//!
//! Where each gets a copy of its own, it gets its own matches only, if there are many.
//!
//! Spec: docs/protocol/season.md

use agon_proto::announcement::{Announcement, Participant, Schedule, ScheduleRow};
use agon_proto::q21::Address;
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, Contact, Timestamp};

use super::news::Times;
use super::saying::Reader;
use super::{Manager, Out};

/// A schedule of so many rows fits the body of a request, whatever the addresses in it.
const ROWS_MAX: u64 = 600;

impl Manager {
    /// Who that address is in the season; nobody, if it takes no part.
    pub(super) fn agent_at(&self, address: &Address) -> Option<AgentId> {
        let begun = self.league.season.phase() != LeaguePhase::AcceptingRegistrations;
        let agent = self.league.registry.at(&Contact::of(address));
        agent.filter(|agent| begun && self.league.season.lineup().holds(*agent))
    }

    /// The schedule, or what of it concerns that reader, with the addresses that are of use to who
    /// is vouched for, or to who is called.
    pub(super) fn schedule_for(&self, reader: Option<AgentId>, vouched: bool) -> Schedule {
        let season = &self.league.season;
        let mut rows = Vec::new();
        for match_id in season.ids() {
            let parties = self.league.parties(match_id);
            if reader.is_some_and(|reader| !parties.iter().any(|(_, who)| *who == reader)) {
                continue;
            }
            rows.extend(parties.into_iter().filter_map(|(part, who)| {
                let agent = self.league.registry.agent(who)?;
                let contact = agent.contact_for(vouched).clone();
                let party = Participant { contact, group: agent.group.clone() };
                Some(ScheduleRow { match_id, part, party })
            }));
        }
        Schedule { matches: season.matches(), rounds: season.rounds(), rows }
    }

    /// Sends the schedule to everybody who is in the season.
    pub(super) fn tell_schedule(&mut self, now: Timestamp, out: &mut Out) {
        // Where matches are given out one by one, nobody needs it.
        if self.league.settings.says().assigns {
            return;
        }
        let (own, whole): (Vec<_>, Vec<_>) =
            self.readers().into_iter().partition(|reader| self.has_own_copy(&reader.contact));
        for reader in own {
            self.tell_schedule_to(reader, now, out);
        }
        let (vouched, called): (Vec<_>, Vec<_>) =
            whole.into_iter().partition(|reader| reader.contact.vouches());
        for (readers, vouched) in [(called, false), (vouched, true)] {
            if !readers.is_empty() {
                let schedule = self.schedule_for(None, vouched);
                self.say(Announcement::Schedule(schedule), readers, now, out);
            }
        }
    }

    /// Sends the schedule to one. Who has it already sees that it is the same.
    fn tell_schedule_to(&mut self, reader: Reader, now: Timestamp, out: &mut Out) {
        let own = reader.who.filter(|_| self.has_own_copy(&reader.contact));
        let schedule = self.schedule_for(own, reader.contact.vouches());
        self.say(Announcement::Schedule(schedule), vec![reader], now, out);
    }

    /// Whether that reader gets its own matches only.
    pub(super) fn has_own_copy(&self, reader: &Contact) -> bool {
        let many = self.league.is_large();
        let long = self.league.season.matches() * 3 > ROWS_MAX;
        !reader.vouches() && (many || long)
    }

    /// Who is called and registers again has perhaps forgotten everything, and nobody would tell
    /// it again. Who has not sees that it knows all this.
    pub(super) fn tell_all_again_to(&mut self, id: AgentId, now: Timestamp, out: &mut Out) {
        let reader = self
            .reader_of(id)
            .filter(|reader| !reader.contact.vouches() && self.league.season.lineup().holds(id));
        let Some(reader) = reader else { return };
        match self.league.season.phase() {
            LeaguePhase::Startup
            | LeaguePhase::AcceptingRegistrations
            | LeaguePhase::Scheduling => {}
            LeaguePhase::Running => {
                self.tell_schedule_to(reader.clone(), now, out);
                if self.league.season.round() > 0 && !self.league.season.round_over() {
                    self.tell_round_to(reader, Times::First, now, out);
                }
            }
            LeaguePhase::Completed => self.tell_end_to(id, now, out),
        }
    }
}
