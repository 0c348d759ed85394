//! The steps of a season: it opens and begins, its rounds are announced, played and completed, and
//! it ends.
//!
//! Spec: docs/protocol/season.md

use std::time::Duration;

use agon_proto::message::{Blame, Cause};
use agon_proto::tool::LeaguePhase;
use agon_proto::{MatchId, Payload, PlayerId, Timestamp};

use super::news::Times;
use super::reports::{Claim, Ruling};
use super::{Manager, Out};
use crate::Refusal;
use crate::fact::{LeagueFact, Order, Q21Fact};
use crate::verdict::{Cut, Ended, Verdict, conclude};

impl Manager {
    /// Tells everybody who is expected of the season, once.
    pub(super) fn open_season(&mut self, now: Timestamp, out: &mut Out) {
        let open = self.league.season.phase() == LeaguePhase::AcceptingRegistrations;
        let known = self.league.calendar.announced || !self.league.settings.says().seasons;
        if known || !open {
            return;
        }
        let terms = &self.league.settings.q21;
        let season = terms.season.clone();
        let until = terms.registration_ms.map(|length| now + Duration::from_millis(length));
        let expected = self.expected();
        self.record(LeagueFact::Q21(Q21Fact::SeasonAnnounced { season, until, at: now }), out);
        self.tell_opening(expected, now, out);
    }

    /// The season begins, by an order or by itself.
    pub(super) fn begin_season(
        &mut self,
        order: Option<Order>,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let lineup = self.league.lineup().map_err(Refusal::OutOfTurn)?;
        self.record(LeagueFact::SeasonStarted { lineup, order, at: now }, out);
        self.heard.wait_until(now + self.league.settings.notice());
        self.tell_incomplete(now, out);
        self.tell_schedule(now, out);
        Ok(())
    }

    /// Asks everybody whether they are there for the next round.
    pub(super) fn open_check_in(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.league.season.round() + 1;
        self.record(LeagueFact::Q21(Q21Fact::CheckInOpened { round, at: now }), out);
        self.tell_check_in(round, now, out);
    }

    pub(super) fn begin_round(&mut self, now: Timestamp, out: &mut Out) {
        let Some(fixtures) = self.league.next() else { return };
        let (round, referees) = (self.league.season.round() + 1, self.draw_up(&fixtures));
        self.record(LeagueFact::RoundAnnounced { round, fixtures, referees, at: now }, out);
        self.deaf_until = None;
        self.tell_round(Times::First, now, out);
        self.lay_out_assignments();
        self.forfeit(self.league.season.matches_in(round).collect(), now, out);
        self.hand_out_all(now, out);
    }

    /// Everything is in, or the time is up. A match without a result has lost its referee.
    pub(super) fn end_round(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.league.season.round();
        let ids: Vec<_> = self.league.season.matches_in(round).collect();
        let open: Vec<_> =
            ids.iter().filter(|id| self.league.season.result(**id).is_none()).collect();
        let reported = u32::try_from(ids.len() - open.len()).unwrap_or(u32::MAX);
        for match_id in open {
            if let Some(attempt) = self.league.season.attempt(*match_id) {
                let (verdict, details) = (self.without_referee(*match_id), Payload::default());
                let ruling = Ruling { verdict, details, claim: Claim::Verified };
                self.accept(*match_id, attempt, ruling, now, out);
            }
        }
        self.record(LeagueFact::RoundCompleted { round, at: now }, out);
        self.heard.wait_until(now + self.league.settings.notice());
        self.tell_round_over((round, Times::First), reported, now, out);
    }

    /// The verdict on a match whose referee never reported.
    fn without_referee(&self, match_id: MatchId) -> Verdict {
        let cut = Cut { cause: Cause::RefereeLost, blame: Blame::Referee, last: true };
        let ended = Ended { away: self.league.season.away(match_id), ..Ended::cut(cut) };
        conclude(&ended, &self.league.settings.scoring())
    }

    pub(super) fn complete_season(&mut self, now: Timestamp, out: &mut Out) {
        let top = self.league.season.standings().top(1, &self.league.season);
        let champion = top.first().map_or(PlayerId::new(1), |(_, player)| *player);
        self.record(LeagueFact::LeagueCompleted { champion, at: now }, out);
        self.tell_end(now, out);
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
            let reported = self.league.season.summary(round).total_matches;
            self.tell_round_over((round, Times::Again), reported, now, out);
        }
    }
}
