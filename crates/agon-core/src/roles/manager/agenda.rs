//! What comes next in a season, and when: its beginning, its rounds, its end. Read off the state,
//! so that no timer can be lost, doubled or stale.
//!
//! Spec: docs/protocol/season.md

use std::time::Duration;

use agon_proto::tool::LeaguePhase;
use agon_proto::{RoundId, Timestamp};

use crate::Pace;
use crate::league::League;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// The season begins by itself.
    Begin,
    /// The round under way is over.
    EndRound,
    /// Everybody is asked whether they are there.
    CheckIn,
    /// The next round begins.
    NewRound,
    /// The season is over.
    Complete,
}

/// Due since ever.
pub(super) const AT_ONCE: Timestamp = Timestamp::from_micros(0);

/// What is ahead of a league.
pub(super) struct Agenda<'a> {
    pub(super) league: &'a League,
    /// It begins by itself with so many players.
    pub(super) start_when: Option<u32>,
    /// Nobody who writes is late before that.
    pub(super) deaf_until: Option<Timestamp>,
}

impl Agenda<'_> {
    /// What comes next, and since when or from when on it is due.
    pub(super) fn next(&self) -> Option<(Step, Timestamp)> {
        match self.league.season.phase() {
            LeaguePhase::Startup | LeaguePhase::Scheduling | LeaguePhase::Completed => None,
            LeaguePhase::AcceptingRegistrations => self.beginning(),
            LeaguePhase::Running if self.is_halted() => None,
            LeaguePhase::Running => self.next_step(),
        }
    }

    /// A season begins by itself once enough are in: when it is full, or when its time has come.
    fn beginning(&self) -> Option<(Step, Timestamp)> {
        let players = self.league.lineup().ok()?.players();
        let full = self.start_when.is_some_and(|enough| players >= enough);
        let due = if full {
            Some(AT_ONCE)
        } else {
            self.league.calendar.until.map(|due| self.heard_by(due))
        };
        due.map(|due| (Step::Begin, due))
    }

    /// Whether the clock stands still. Where rounds have no end of their own, a pause stops no
    /// clock: it only gives nobody a match.
    fn is_halted(&self) -> bool {
        self.league.season.paused() && self.league.settings.round_time_max().is_some()
    }

    fn next_step(&self) -> Option<(Step, Timestamp)> {
        let round = self.league.season.round();
        if round == 0 || self.league.season.round_over() {
            let more = self.league.goes_on_after(round);
            return Some(if more { self.next_round(round + 1) } else { (Step::Complete, AT_ONCE) });
        }
        let last = round >= self.league.season.rounds();
        let over = self.league.season.open() == 0;
        let end = if over { Some(AT_ONCE) } else { self.round_ends() };
        // By the clock people are asked before the round under way is over.
        let ask = self.begins(round + 1).filter(|_| !last).map(|_| self.next_round(round + 1));
        match ask {
            Some((Step::CheckIn, due)) if end.is_none_or(|end| due < end) => {
                Some((Step::CheckIn, due))
            }
            Some(_) | None => end.map(|end| (Step::EndRound, end)),
        }
    }

    /// How the next round comes about.
    fn next_round(&self, round: RoundId) -> (Step, Timestamp) {
        let begins = self.begins(round).unwrap_or(AT_ONCE);
        let window = self.league.settings.seasons.keep_alive();
        if window.is_zero() {
            return (Step::NewRound, begins);
        }
        match self.league.calendar.check_in_for(round) {
            None if begins == AT_ONCE => (Step::CheckIn, AT_ONCE),
            None => (Step::CheckIn, begins - window),
            Some(check_in) => {
                let mut everybody = self.league.everybody();
                let complete = everybody.all(|one| check_in.present.contains(&one.address()));
                let closes = self.heard_by(check_in.opened + window + check_in.halted);
                (Step::NewRound, if complete { begins } else { begins.max(closes) })
            }
        }
    }

    /// When that round is to begin; `None`: when the one before is over. Who waits for the clock
    /// has the whole time between two rounds, also when the one before began late.
    fn begins(&self, round: RoundId) -> Option<Timestamp> {
        let pace = self.league.settings.seasons.pace;
        let planned =
            pace.begins(round, self.league.calendar.started?)? + self.league.calendar.halted;
        let Pace::Clock { every_ms, .. } = pace else { return Some(planned) };
        let before = round.checked_sub(1).and_then(|before| self.league.season.round_times(before));
        Some(before.map_or(planned, |(began, _)| {
            planned
                .max(began + Duration::from_millis(every_ms) + self.league.calendar.halted_in_round)
        }))
    }

    /// When the round under way ends, if its results do not come before.
    fn round_ends(&self) -> Option<Timestamp> {
        let length = self.league.round_length()?;
        let round = self.league.season.round();
        let (began, _) = self.league.season.round_times(round).unwrap_or_default();
        Some(self.heard_by(began + length + self.league.calendar.halted_in_round))
    }

    /// That time, or when everything that was delivered until then is read.
    fn heard_by(&self, due: Timestamp) -> Timestamp {
        self.deaf_until.map_or(due, |deaf_until| due.max(deaf_until))
    }
}
