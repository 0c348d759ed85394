//! What comes next in a season, and when: its beginning, its rounds, its end. Read off the state,
//! so that no timer can be lost, doubled or stale.
//!
//! Spec: docs/protocol/season.md

use std::time::Duration;

use agon_proto::tool::LeaguePhase;
use agon_proto::{RoundId, Timestamp};

use super::{Manager, Out};
use crate::{Moment, Pace};

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
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
const AT_ONCE: Timestamp = Timestamp::from_micros(0);

impl Manager {
    /// When `turn` is due next.
    pub(super) fn next_turn(&self) -> Option<Timestamp> {
        let due = self.agenda().map(|(_, due)| due);
        [due, self.letterbox.deadline()].into_iter().flatten().min()
    }

    /// Does everything that is due, one after the other.
    pub(super) fn turn(&mut self, moment: Moment, out: &mut Out) {
        let Moment { now, heard } = moment;
        self.clear_out(heard, out);
        while let Some((step, due)) = self.agenda().filter(|(_, due)| *due <= heard) {
            match step {
                Step::Begin => {
                    if self.begin_season(None, now, out).is_err() {
                        return;
                    }
                }
                // Who runs so late could not hear anybody: the round goes on for a while.
                Step::EndRound if due > AT_ONCE && self.is_late(due, heard) => {
                    self.deaf_until = Some(now + self.league.settings.match_time_max());
                }
                Step::EndRound => self.end_round(now, out),
                Step::CheckIn => self.open_check_in(now, out),
                Step::NewRound => self.begin_round(now, out),
                Step::Complete => self.complete_season(now, out),
            }
        }
    }

    fn is_late(&self, due: Timestamp, now: Timestamp) -> bool {
        now.since(due) > self.league.settings.lateness_max()
    }

    fn agenda(&self) -> Option<(Step, Timestamp)> {
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
        let full = self.options.start_when.is_some_and(|enough| players >= enough);
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
        let window = self.league.settings.q21.keep_alive();
        if window.is_zero() {
            return (Step::NewRound, begins);
        }
        match self.league.calendar.check_in_for(round) {
            None if begins == AT_ONCE => (Step::CheckIn, AT_ONCE),
            None => (Step::CheckIn, begins - window),
            Some(check_in) => {
                let mut everybody = self.league.everybody();
                let complete = everybody.all(|(_, one)| check_in.present.contains(&one.address()));
                let closes = self.heard_by(check_in.opened + window + check_in.halted);
                (Step::NewRound, if complete { begins } else { begins.max(closes) })
            }
        }
    }

    /// When that round is to begin; `None`: when the one before is over. Who waits for the clock
    /// has the whole time between two rounds, also when the one before began late.
    fn begins(&self, round: RoundId) -> Option<Timestamp> {
        let pace = self.league.settings.q21.pace;
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
        let length = self.round_length()?;
        let round = self.league.season.round();
        let (began, _) = self.league.season.round_times(round).unwrap_or_default();
        Some(self.heard_by(began + length + self.league.calendar.halted_in_round))
    }

    /// That time, or when everything that was delivered until then is read.
    fn heard_by(&self, due: Timestamp) -> Timestamp {
        self.deaf_until.map_or(due, |deaf_until| due.max(deaf_until))
    }

    /// How long a round takes at most, if there is such a bound.
    pub(super) fn round_length(&self) -> Option<Duration> {
        let longest = self.league.settings.round_time_max()?;
        Some(match self.league.settings.q21.pace {
            Pace::Completion => longest,
            Pace::Clock { every_ms, .. } => longest.min(Duration::from_millis(every_ms)),
        })
    }
}
