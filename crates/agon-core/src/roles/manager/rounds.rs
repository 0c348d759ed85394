//! The steps of a season: it opens and begins, its rounds are announced, played and completed, and
//! it ends.
//!
//! Spec: docs/protocol/season.md

mod reset;

use std::time::Duration;

use agon_proto::message::{Blame, Cause};
use agon_proto::tool::LeaguePhase;
use agon_proto::{MatchId, PlayerId, Timestamp};

use super::agenda::{AT_ONCE, Agenda, Step};
use super::book::Book;
use super::conduct::Conduct;
use super::in_play::InPlay;
use super::news::Times;
use super::reports::Ruling;
use crate::Refusal;
use crate::fact::{LeagueFact, Order, SeasonFact};
use crate::league::League;
use crate::verdict::{Cut, Ended, Verdict, conclude};

/// The rounds of a season, one after the other.
pub(super) struct Rounds<'a> {
    pub(super) book: Book<'a>,
    pub(super) in_play: &'a mut InPlay,
    pub(super) deaf_until: &'a mut Option<Timestamp>,
}

impl Rounds<'_> {
    fn conduct(&mut self) -> Conduct<'_> {
        self.book.conduct(self.in_play)
    }

    /// Does everything that is due, one after the other. All is known that happened until `heard`.
    pub(super) fn turn(&mut self, heard: Timestamp) {
        self.book.clear_out(heard);
        while let Some((step, due)) = self.due(heard) {
            match step {
                Step::Begin => {
                    if self.begin_season(None).is_err() {
                        return;
                    }
                }
                // Who runs so late could not hear anybody: the round goes on for a while.
                Step::EndRound if due > AT_ONCE && self.is_late(due, heard) => self.be_deaf(),
                Step::EndRound => self.end_round(),
                Step::CheckIn => self.open_check_in(),
                Step::NewRound => self.begin_round(),
                Step::Complete => self.complete_season(),
            }
        }
    }

    fn due(&self, heard: Timestamp) -> Option<(Step, Timestamp)> {
        let start_when = self.book.records().options.start_when;
        let (league, deaf_until) = (self.book.league(), *self.deaf_until);
        Agenda { league, start_when, deaf_until }.next().filter(|(_, due)| *due <= heard)
    }

    fn is_late(&self, due: Timestamp, now: Timestamp) -> bool {
        now.since(due) > self.book.league().settings.lateness_max()
    }

    /// For a while nobody is late, because we could not hear.
    fn be_deaf(&mut self) {
        *self.deaf_until = Some(self.book.now + self.book.league().settings.match_time_max());
    }

    /// Tells everybody who is expected of the season, once.
    pub(super) fn open_season(&mut self) {
        let (at, league) = (self.book.now, self.book.league());
        let open = league.season.phase() == LeaguePhase::AcceptingRegistrations;
        let known = league.calendar.announced || !league.settings.says().seasons;
        if known || !open {
            return;
        }
        let terms = &league.settings.seasons;
        let season = terms.season.clone();
        let until = terms.registration_ms.map(|length| at + Duration::from_millis(length));
        let expected = reset::expected(league);
        self.book.record(LeagueFact::Season(SeasonFact::SeasonAnnounced { season, until, at }));
        self.book.tell().opening(expected);
    }

    /// The season begins, by an order or by itself.
    pub(super) fn begin_season(&mut self, order: Option<Order>) -> Result<(), Refusal> {
        let lineup = self.book.league().lineup().map_err(Refusal::OutOfTurn)?;
        let at = self.book.now;
        self.book.record(LeagueFact::SeasonStarted { lineup, order, at });
        self.book.wait_for_everybody();
        self.book.tell().incomplete();
        self.book.tell().schedule();
        Ok(())
    }

    /// Asks everybody whether they are there for the next round.
    fn open_check_in(&mut self) {
        let (round, at) = (self.book.league().season.round() + 1, self.book.now);
        self.book.record(LeagueFact::Season(SeasonFact::CheckInOpened { round, at }));
        self.book.tell().check_in(round);
    }

    fn begin_round(&mut self) {
        let (league, at) = (self.book.league(), self.book.now);
        let Some(fixtures) = league.next() else { return };
        let (round, referees) =
            (league.season.round() + 1, self.in_play.draw_up(&fixtures, league));
        self.book.record(LeagueFact::RoundAnnounced { round, fixtures, referees, at });
        *self.deaf_until = None;
        self.book.tell().round(Times::First);
        self.in_play.lay_out(self.book.league());
        let matches = self.book.league().season.matches_in(round).collect();
        self.conduct().forfeit(matches);
        self.conduct().hand_out_all();
    }

    /// Everything is in, or the time is up. A match without a result has lost its referee.
    fn end_round(&mut self) {
        let season = &self.book.league().season;
        let (round, at) = (season.round(), self.book.now);
        let ids: Vec<_> = season.matches_in(round).collect();
        let open: Vec<_> = ids.iter().filter(|id| season.result(**id).is_none()).collect();
        let reported = u32::try_from(ids.len() - open.len()).unwrap_or(u32::MAX);
        for match_id in open {
            let league = self.book.league();
            if let Some(attempt) = league.season.attempt(*match_id) {
                let ruling = Ruling::ours(without_referee(*match_id, league));
                self.conduct().accept(*match_id, attempt, ruling);
            }
        }
        self.book.record(LeagueFact::RoundCompleted { round, at });
        self.book.wait_for_everybody();
        self.book.tell().round_over((round, Times::First), reported);
    }

    fn complete_season(&mut self) {
        let (season, at) = (&self.book.league().season, self.book.now);
        let top = season.standings().top(1, season);
        let champion = top.first().map_or(PlayerId::new(1), |(_, player)| *player);
        self.book.record(LeagueFact::LeagueCompleted { champion, at });
        self.book.tell().end();
    }

    /// After a restart: everything that somebody may have missed. Every reader takes it twice.
    pub(super) fn tell_again(&mut self) {
        match self.book.league().season.phase() {
            LeaguePhase::Startup
            | LeaguePhase::AcceptingRegistrations
            | LeaguePhase::Scheduling => {}
            LeaguePhase::Running => {
                self.conduct().wait_for_news();
                self.tell_last_round();
                if self.book.league().season.open() > 0 {
                    self.book.tell().round(Times::Again);
                    for match_id in self.book.league().season.again().collect::<Vec<_>>() {
                        self.book.tell().played_again(match_id);
                    }
                    self.in_play.lay_out(self.book.league());
                    self.conduct().hand_out_all();
                }
            }
            LeaguePhase::Completed => {
                self.conduct().wait_for_news();
                self.tell_last_round();
                self.book.tell().end();
            }
        }
    }

    /// How the last round that is complete ended, and what the table is since.
    fn tell_last_round(&mut self) {
        let season = &self.book.league().season;
        let round = season.rounds_completed();
        if round > 0 {
            let reported = season.summary(round).total_matches;
            self.book.tell().round_over((round, Times::Again), reported);
        }
    }

    /// After a restart, by letters: all of them that were not taken yet go out again.
    pub(super) fn send_again(&mut self) {
        self.book.send_again();
        // What was delivered while nobody was here is read now: nobody is late before that.
        if self.book.league().calendar.announced {
            self.be_deaf();
        }
    }
}

/// The verdict on a match whose referee never reported.
fn without_referee(match_id: MatchId, league: &League) -> Verdict {
    let cut = Cut { cause: Cause::RefereeLost, blame: Blame::Referee, last: true };
    let ended = Ended { away: league.season.away(match_id), ..Ended::cut(cut) };
    conclude(&ended, &league.settings.scoring())
}
