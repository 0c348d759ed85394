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
        // Who hears later than that was given up by a manager that was late itself, or had other
        // waits.
        let whole = self.book.league().settings.notice();
        self.charge(match_id, seat, self.book.now, |waited| waited <= whole);
    }

    /// Who has not heard of that match is waited for no longer. A manager that is late itself
    /// charges nobody.
    pub(super) fn charge_whole_wait(&mut self, match_id: MatchId, until: Timestamp) {
        let late = self.book.now.since(until);
        if late > self.book.league().settings.lateness_max() {
            return;
        }
        for seat in Seat::BOTH {
            if self.in_play.assignments.is_unheard_by(match_id, seat) {
                self.charge(match_id, seat, until, |_| true);
            }
        }
    }

    /// What a player is told later because of others is nothing that it holds up.
    fn charge(
        &mut self,
        match_id: MatchId,
        seat: Seat,
        until: Timestamp,
        counts: impl FnOnce(Duration) -> bool,
    ) {
        let League { season, settings, .. } = self.book.league();
        let Some(fixture) = season.fixture(match_id) else { return };
        let player = fixture.players()[seat.index()];
        let waited = self.book.heard.told_since(player, until).filter(|it| counts(*it));
        let waited = waited.unwrap_or_default().min(settings.notice());
        let waited = waited.saturating_sub(settings.lateness_max());
        if !waited.is_zero() && settings.slow_budget().is_some() {
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
