//! The steps of a season: it opens and begins, its rounds are announced, played and completed, and
//! it ends. What comes next, and when, is read off the state, so that no timer can be lost, doubled
//! or stale.
//!
//! Spec: docs/protocol/season.md

use std::time::Duration;

use agon_proto::message::{Blame, Cause};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, PlayerId, RoundId, Timestamp};

use super::book::Records;
use super::conduct::Conduct;
use super::in_play::InPlay;
use super::news::Times;
use super::reports::Ruling;
use super::tools::expected;
use crate::fact::{LeagueFact, Order, SeasonFact};
use crate::league::League;
use crate::verdict::{Cut, Ended};
use crate::{Pace, Refusal};

/// The rounds of a season, one after the other.
pub(super) struct Rounds<'a>(pub(super) Conduct<'a>);

impl Rounds<'_> {
    /// Does everything that is due, one after the other. All is known that happened until `heard`.
    pub(super) fn turn(&mut self, heard: Timestamp) {
        self.0.book.clear_out(heard);
        let lateness_max = self.0.book.league().settings.lateness_max();
        while let Some((step, due)) = Agenda::of(self.0.book.records(), self.0.in_play).next()
            && due <= heard
        {
            match step {
                Step::Begin => {
                    if self.begin_season(None).is_err() {
                        return;
                    }
                }
                // Who runs so late could not hear anybody: the round goes on for a while.
                Step::EndRound if due > AT_ONCE && heard.since(due) > lateness_max => {
                    self.be_deaf()
                }
                Step::EndRound => self.end_round(),
                Step::CheckIn => self.open_check_in(),
                Step::NewRound => self.begin_round(),
                Step::Complete => self.complete_season(),
            }
        }
    }

    /// For a while nobody is late, because we could not hear.
    fn be_deaf(&mut self) {
        self.0.in_play.deaf_until =
            Some(self.0.book.now + self.0.book.league().settings.match_time_max());
    }

    /// Tells everybody who is expected of the season, once.
    pub(super) fn open_season(&mut self) {
        let (at, league) = (self.0.book.now, self.0.book.league());
        let open = league.season.phase == LeaguePhase::AcceptingRegistrations;
        let known = league.calendar.announced || !league.settings.says().seasons;
        if known || !open {
            return;
        }
        let terms = &league.settings.seasons;
        let season = terms.season.clone();
        let until = terms.registration_ms.map(|length| at + Duration::from_millis(length));
        let expected = expected(league);
        self.0.book.record_season(SeasonFact::SeasonAnnounced { season, until, at });
        self.0.book.tell_opening(expected);
    }

    /// The season begins, by an order or by itself.
    pub(super) fn begin_season(&mut self, order: Option<Order>) -> Result<(), Refusal> {
        let lineup = self.0.book.league().lineup().map_err(Refusal::OutOfTurn)?;
        let at = self.0.book.now;
        self.0.book.record(LeagueFact::SeasonStarted { lineup, order, at });
        self.0.book.tell_incomplete();
        self.0.book.tell_schedule();
        // Who may still come is a referee where matches are given out one by one.
        let league = self.0.book.league();
        let late =
            |id: &AgentId| matches!(id, AgentId::Player(_)) || !league.settings.says().assigns;
        let too_late: Vec<_> = league.registry.all_waiting().filter(late).collect();
        for agent in too_late {
            self.0.decline(agent, "the season has begun");
        }
        Ok(())
    }

    /// Asks everybody whether they are there for the next round.
    fn open_check_in(&mut self) {
        let (round, at) = (self.0.book.league().season.round() + 1, self.0.book.now);
        self.0.book.record_season(SeasonFact::CheckInOpened { round, at });
        self.0.book.tell_check_in(round);
    }

    fn begin_round(&mut self) {
        let (league, at) = (self.0.book.league(), self.0.book.now);
        let Some(fixtures) = league.next() else { return };
        let (round, referees) =
            (league.season.round() + 1, self.0.in_play.draw_up(&fixtures, league));
        self.0.book.record(LeagueFact::RoundAnnounced { round, fixtures, referees, at });
        self.0.in_play.deaf_until = None;
        self.0.book.wait_for_everybody();
        self.0.book.tell_round(Times::First);
        self.0.in_play.lay_out(self.0.book.league());
        let matches = self.0.book.league().season.matches_in(round).collect();
        self.0.forfeit(matches);
        self.0.hand_out_all();
    }

    /// Everything is in, or the time is up. A match without a result has lost its referee.
    fn end_round(&mut self) {
        let season = &self.0.book.league().season;
        let (round, at) = (season.round(), self.0.book.now);
        let ids: Vec<_> = season.matches_in(round).collect();
        let open: Vec<_> = ids.iter().filter(|id| season.result(**id).is_none()).collect();
        let reported = u32::try_from(ids.len() - open.len()).unwrap_or(u32::MAX);
        for match_id in open {
            let league = self.0.book.league();
            if let Some(attempt) = league.season.attempt(*match_id) {
                let cut = Cut { cause: Cause::RefereeLost, blame: Blame::Referee, last: true };
                let ended = Ended { away: league.season.away(*match_id), ..Ended::cut(cut) };
                let ruling = Ruling::ours(&ended, league);
                self.0.accept(*match_id, attempt, ruling);
            }
        }
        self.0.book.record(LeagueFact::RoundCompleted { round, at });
        self.0.book.tell_round_over((round, Times::First), reported);
    }

    fn complete_season(&mut self) {
        let (season, at) = (&self.0.book.league().season, self.0.book.now);
        let top = season.standings.top(1, season);
        let champion = top.first().map_or(PlayerId::new(1), |(_, player)| *player);
        self.0.book.record(LeagueFact::LeagueCompleted { champion, at });
        self.0.book.tell_end();
    }

    /// After a restart: everything that somebody may have missed. Every reader takes it twice.
    pub(super) fn tell_again(&mut self) {
        if !self.0.book.league().season.has_begun() {
            return;
        }
        self.0.wait_for_news();
        let season = &self.0.book.league().season;
        let (over, open) = (season.phase == LeaguePhase::Completed, season.open() > 0);
        // How the last round that is complete ended, and what the table is since.
        let round = season.rounds_completed();
        if round > 0 {
            let reported = season.summary(round).total_matches;
            self.0.book.tell_round_over((round, Times::Again), reported);
        }
        if over {
            self.0.book.tell_end();
        } else if open {
            self.0.book.tell_round(Times::Again);
            for match_id in self.0.book.league().season.again().collect::<Vec<_>>() {
                self.0.book.tell_played_again(match_id);
            }
            self.0.in_play.lay_out(self.0.book.league());
            self.0.hand_out_all();
        }
    }

    /// After a restart, by letters: all of them that were not taken yet go out again.
    pub(super) fn send_again(&mut self) {
        self.0.book.send_again();
        // What was delivered while nobody was here is read now: nobody is late before that.
        if self.0.book.league().calendar.announced {
            self.be_deaf();
        }
    }
}

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
const AT_ONCE: Timestamp = Timestamp::from_micros(0);

/// What is ahead of a league.
pub(super) struct Agenda<'a> {
    league: &'a League,
    /// It begins by itself with so many players.
    start_when: Option<u32>,
    /// Nobody who writes is late before that.
    deaf_until: Option<Timestamp>,
}

impl<'a> Agenda<'a> {
    pub(super) fn of(Records { league, options, .. }: &'a Records, in_play: &InPlay) -> Self {
        Self { league, start_when: options.start_when, deaf_until: in_play.deaf_until }
    }

    /// What comes next, and since when or from when on it is due.
    pub(super) fn next(&self) -> Option<(Step, Timestamp)> {
        let has_clock = self.league.settings.round_time_max().is_some();
        match self.league.season.phase {
            LeaguePhase::Startup | LeaguePhase::Scheduling | LeaguePhase::Completed => None,
            LeaguePhase::AcceptingRegistrations => self.beginning(),
            // Where rounds have no end of their own, a pause stops no clock: nobody gets a match.
            LeaguePhase::Running if self.league.season.paused && has_clock => None,
            LeaguePhase::Running => self.next_step(),
        }
    }

    /// A season begins by itself once enough are in: when it is full, or when its time has come.
    fn beginning(&self) -> Option<(Step, Timestamp)> {
        let players = self.league.lineup().ok()?.players();
        let full = self.start_when.is_some_and(|enough| players >= enough);
        let due = if full { AT_ONCE } else { self.heard_by(self.league.calendar.until?) };
        Some((Step::Begin, due))
    }

    fn next_step(&self) -> Option<(Step, Timestamp)> {
        let round = self.league.season.round();
        if round == self.league.season.rounds_completed() {
            let more = self.league.goes_on_after(round);
            return Some(if more { self.next_round(round + 1) } else { (Step::Complete, AT_ONCE) });
        }
        let last = round >= self.league.season.rounds();
        let over = self.league.season.open() == 0;
        let end = if over { Some(AT_ONCE) } else { self.round_ends() };
        // By the clock people are asked before the round under way is over.
        let next = self.begins(round + 1).filter(|_| !last).map(|_| self.next_round(round + 1));
        let is_first = |due| end.is_none_or(|end| due < end);
        let asks = next.filter(|(step, due)| *step == Step::CheckIn && is_first(*due));
        asks.or(end.map(|end| (Step::EndRound, end)))
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
                let complete =
                    everybody.all(|one| check_in.present.contains(&one.contact.address()));
                let closes = self.heard_by(check_in.opened + window + check_in.halted);
                (Step::NewRound, if complete { begins } else { begins.max(closes) })
            }
        }
    }

    /// When that round is to begin; `None`: when the one before is over. Who waits for the clock
    /// has the whole time between two rounds, also when the one before began late.
    fn begins(&self, round: RoundId) -> Option<Timestamp> {
        let League { settings, calendar, season, .. } = self.league;
        let Pace::Clock { every_ms, first_at_ms } = settings.seasons.pace else { return None };
        let since_1970 = |ms| Timestamp::from_micros(0) + Duration::from_millis(ms);
        let first = calendar.started?.max(first_at_ms.map_or(AT_ONCE, since_1970));
        let before = round.saturating_sub(1);
        let later = Duration::from_millis(u64::from(before).saturating_mul(every_ms));
        let planned = first + later + calendar.halted;
        Some(season.round_times(before).map_or(planned, |(began, _)| {
            planned.max(began + Duration::from_millis(every_ms) + calendar.halted_in_round)
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
