//! Rounds: announced, played, completed; and the end of the season.
//!
//! Spec: docs/protocol/season.md

use agon_proto::tool::LeaguePhase;
use agon_proto::{PlayerId, RoundId, Timestamp};

use super::news::Times;
use super::{Manager, Out};
use crate::fact::{LeagueFact, Order};
use crate::league::Lineup;

impl Manager {
    /// Starts by itself, if that was asked for and enough agents are in.
    pub(super) fn start_if_ready(&mut self, now: Timestamp, out: &mut Out) {
        let open = self.league.season.phase() == LeaguePhase::AcceptingRegistrations;
        let enough = self.options.start_when;
        let lineup = enough.filter(|_| open).and_then(|_| self.league.lineup().ok());
        if let Some(lineup) =
            lineup.filter(|it| enough.is_some_and(|enough| it.players() >= enough))
        {
            self.start(lineup, None, now, out);
        }
    }

    pub(super) fn start(
        &mut self,
        lineup: Lineup,
        order: Option<Order>,
        now: Timestamp,
        out: &mut Out,
    ) {
        self.record(LeagueFact::SeasonStarted { lineup, order, at: now }, out);
        self.heard.wait_until(now + self.league.settings.notice());
        self.announce(1, now, out);
        self.advance(now, out);
    }

    fn announce(&mut self, round: RoundId, now: Timestamp, out: &mut Out) {
        let referees = self.draw_up();
        self.record(LeagueFact::RoundAnnounced { round, referees, at: now }, out);
        self.tell_round(Times::First, now, out);
        self.lay_out_assignments();
        self.forfeit_waiting(now, out);
        self.hand_out_all(now, out);
    }

    /// Goes on when the last result of a round is in. After a restart it goes on from whatever was
    /// written down last.
    pub(super) fn advance(&mut self, now: Timestamp, out: &mut Out) {
        // A round in which nobody can play any more is over at once, and so may be the next.
        while self.league.season.open() == 0 && self.league.season.phase() == LeaguePhase::Running {
            let round = self.league.season.round();
            if round > 0 && !self.league.season.round_over() {
                self.record(LeagueFact::RoundCompleted { round, at: now }, out);
                self.heard.wait_until(now + self.league.settings.notice());
                self.tell_standings(now, out);
                self.tell_round_completed((round, Times::First), now, out);
            }
            if round < self.league.season.format().rounds() {
                self.announce(round + 1, now, out);
                continue;
            }
            let champion = self.leader();
            self.record(LeagueFact::LeagueCompleted { champion, at: now }, out);
            self.tell_end(now, out);
        }
    }

    /// Who is on top of the table.
    pub(super) fn leader(&self) -> PlayerId {
        let top = self.league.season.standings().top(1, &self.league.season);
        top.first().map_or(PlayerId::new(1), |(_, player)| *player)
    }

    /// After a restart: everything that somebody may have missed. Every reader takes it twice.
    pub(super) fn tell_again(&mut self, now: Timestamp, out: &mut Out) {
        match self.league.season.phase() {
            LeaguePhase::Startup
            | LeaguePhase::AcceptingRegistrations
            | LeaguePhase::Scheduling => {}
            LeaguePhase::Running => {
                self.wait_for_news(now);
                self.tell_last_round(now, out);
                if self.league.season.open() > 0 {
                    self.tell_round(Times::Again, now, out);
                    for match_id in self.league.season.again().collect::<Vec<_>>() {
                        self.tell_again_played(match_id, now, out);
                    }
                    self.lay_out_assignments();
                    self.hand_out_all(now, out);
                }
                self.advance(now, out);
            }
            LeaguePhase::Completed => {
                self.wait_for_news(now);
                self.tell_last_round(now, out);
                self.tell_end(now, out);
            }
        }
    }

    /// How the last round that is complete ended, and what the table is since.
    fn tell_last_round(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.league.season.rounds_completed();
        if round > 0 {
            self.tell_standings(now, out);
            self.tell_round_completed((round, Times::Again), now, out);
        }
    }
}
