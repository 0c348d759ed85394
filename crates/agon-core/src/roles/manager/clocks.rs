//! The clocks of the players: what one of them holds others up is charged to it, and who has
//! nothing left is asked once.
//!
//! A referee says how long it asked somebody again. What it says is bounded by how long the match
//! can have been under way. How long a round waited until somebody had heard of it is known here.
//!
//! Spec: docs/protocol/season.md

use std::time::Duration;

use agon_proto::{MatchId, PlayerId, Timestamp};

use super::conduct::Conduct;
use crate::league::League;
use crate::verdict::Seat;

impl Conduct<'_> {
    /// One of that match's players has heard of it. What it took longer than anybody's machine may
    /// be late is charged, as soon as the match has its result.
    pub(super) fn charge_wait(&mut self, match_id: MatchId, seat: Seat) {
        let (now, settings) = (self.book.now, &self.book.league().settings);
        // Who hears later than that was given up, and is charged already.
        let Some(until) = self.book.heard.until.filter(|until| *until >= now) else { return };
        let waited = settings.notice().saturating_sub(until.since(now));
        self.charge(match_id, seat, waited);
    }

    /// These have not heard, and are waited for no longer. A manager that is late itself, or that
    /// waits for something else by now, charges nobody.
    pub(super) fn charge_whole_wait(&mut self, until: Timestamp) {
        let settings = &self.book.league().settings;
        let (whole, late) = (settings.notice(), self.book.now.since(until));
        if late > settings.lateness_max() {
            return;
        }
        for (match_id, seat) in self.in_play.assignments.unheard_players() {
            self.charge(match_id, seat, whole);
        }
    }

    fn charge(&mut self, match_id: MatchId, seat: Seat, waited: Duration) {
        let league = self.book.league();
        let waited = waited.saturating_sub(league.settings.lateness_max());
        let fixture = league.season.fixture(match_id).filter(|_| !waited.is_zero());
        if let Some(fixture) = fixture.filter(|_| league.settings.slow_budget().is_some()) {
            let player = fixture.players()[seat.index()];
            self.book.heard.held_up.insert(player, waited);
        }
    }

    /// What that match costs its players: as long as they were asked again, by the word of its
    /// referee, and as long as it waited for them.
    pub(super) fn charges(&mut self, match_id: MatchId, said_ms: [u32; 2]) -> [u32; 2] {
        let (now, League { settings, season, .. }) = (self.book.now, self.book.league());
        let times = season.round_times(match_id.round);
        let fixture = season.fixture(match_id).filter(|_| settings.slow_budget().is_some());
        let Some((fixture, (announced, _))) = fixture.zip(times) else { return [0; 2] };
        let longest = settings.match_time_max().min(now.since(announced));
        let held_up = &mut self.book.heard.held_up;
        let charged = |seat: Seat| {
            let said = Duration::from_millis(said_ms[seat.index()].into()).min(longest);
            let waited = held_up.remove(&fixture.players()[seat.index()]).unwrap_or_default();
            u32::try_from((said + waited).as_millis()).unwrap_or(u32::MAX)
        };
        Seat::BOTH.map(charged)
    }

    /// Which of these players are asked once, because their clock is empty.
    pub(super) fn asked_once(&self, players: [PlayerId; 2]) -> Vec<PlayerId> {
        let is_empty = |player: &PlayerId| {
            self.book.league().clock(*player).is_some_and(|left| left.is_zero())
        };
        players.into_iter().filter(is_empty).collect()
    }
}
