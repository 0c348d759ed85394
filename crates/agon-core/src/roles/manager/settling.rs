//! What ends a match for the league: a result, a player who is gone, and who says something else.
//!
//! Spec: docs/protocol/season.md

use agon_proto::act::{Progress, StatusReport};
use agon_proto::message::Cause;
use agon_proto::{MatchId, PlayerId};

use super::conduct::Conduct;
use super::reports::{Claim, Ruling};
use crate::fact::{LeagueFact, Order, SeasonFact};
use crate::format::Fixture;
use crate::league::League;
use crate::season::Attempt;
use crate::verdict::{End, Ended, Seat, Verdict, conclude};

impl Conduct<'_> {
    /// That is the result of that match.
    pub(super) fn accept(&mut self, match_id: MatchId, attempt: Attempt, ruling: Ruling) {
        self.write_result(match_id, attempt, ruling);
        self.note_contradictions(match_id);
        self.in_play.assignments.finish(match_id);
        self.withdraw_absent(match_id);
        self.hand_out(attempt.referee);
    }

    fn write_result(
        &mut self,
        match_id: MatchId,
        Attempt { number: attempt, referee }: Attempt,
        Ruling { verdict, details, claim }: Ruling,
    ) {
        let (unverified, at) = (claim == Claim::Unverified, self.book.now);
        self.book.record(LeagueFact::ResultAccepted {
            match_id,
            attempt,
            referee,
            verdict,
            details,
            unverified,
            at,
        });
    }

    /// Withdraws whoever was absent from too many matches in a row.
    fn withdraw_absent(&mut self, match_id: MatchId) {
        let league = self.book.league();
        let bound = league.settings.withdraw_after;
        let Some(fixture) = league.season.fixture(match_id).filter(|_| bound > 0) else {
            return;
        };
        for player in [fixture.a, fixture.b] {
            if self.book.league().season.absences(player) >= bound {
                self.withdraw(player, None);
            }
        }
    }

    /// That player plays no more. Saying so twice is no error, and changes nothing.
    pub(super) fn withdraw(&mut self, player: PlayerId, order: Option<Order>) {
        let season = &self.book.league().season;
        if season.is_withdrawn(player) {
            return;
        }
        let reason = match &order {
            Some(order) => order.reason.as_str().into(),
            None => format!("absent from {} matches in a row", season.absences(player)),
        };
        let at = self.book.now;
        self.book.record(LeagueFact::PlayerWithdrawn { player, order, at });
        self.book.tell().withdrawn(player, reason.into());
        self.forfeit(self.in_play.assignments.waiting());
    }

    /// Gives those matches that somebody cannot play any more to the others. One that is with its
    /// referee is played to its end.
    pub(super) fn forfeit(&mut self, open: Vec<MatchId>) {
        for match_id in open {
            let league = self.book.league();
            let held = league.season.attempt(match_id);
            if let Some((attempt, verdict)) = held.zip(forfeited(match_id, league)) {
                self.write_result(match_id, attempt, Ruling::ours(verdict));
                self.in_play.assignments.finish(match_id);
            }
        }
    }

    /// Writes down which players say something else than the result, once for each.
    pub(super) fn note_contradictions(&mut self, match_id: MatchId) {
        if self.book.league().evidence.is_empty() {
            return;
        }
        let season = &self.book.league().season;
        let result = season.fixture(match_id).zip(season.result(match_id));
        let Some((Fixture { a, b }, verdict)) = result.map(|(it, record)| (it, record.verdict))
        else {
            return;
        };
        for (seat, player) in Seat::BOTH.into_iter().zip([a, b]) {
            let evidence = &self.book.league().evidence;
            let report = evidence.of(match_id, player);
            let against = report.is_some_and(|report| contradicts(report, &verdict, seat));
            if against && !evidence.is_contradicted(match_id, player) {
                let fact = SeasonFact::Contradicted { match_id, player, at: self.book.now };
                self.book.record(LeagueFact::Season(fact));
            }
        }
    }
}

/// The verdict on a match that cannot be played because somebody has left the league.
fn forfeited(match_id: MatchId, league: &League) -> Option<Verdict> {
    let away = league.season.away(match_id);
    if away == [false; 2] {
        return None;
    }
    let (scoring, ended) = (league.settings.scoring(), Ended::new([End::Open; 2], [None; 2]));
    // Where playing is worth something by itself, who is left plays alone.
    let gone = !scoring.is_earned_alone() || away == [true; 2];
    gone.then(|| conclude(&Ended { away, ..ended }, &scoring))
}

/// Whether a player cannot be right if the verdict is.
fn contradicts(report: &StatusReport, verdict: &Verdict, seat: Seat) -> bool {
    match (report.phase, report.points) {
        (Progress::Completed, Some((points, score))) => {
            verdict.score(seat) != Some(score) || verdict.points[seat.index()] != points
        }
        (Progress::Completed, None) => false,
        (Progress::Answered(_) | Progress::Terminated, _) => verdict.cause == Cause::Played,
    }
}
