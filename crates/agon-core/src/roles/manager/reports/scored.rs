//! Reports of scores: what they amount to, and whether they agree with themselves and with the
//! league's thresholds. The referee says what happened, the points are ours.
//!
//! Scores count, as far as they were given; league points come from our thresholds. Only a player's
//! own fault costs it points: who could not be scored and was not to blame gets what a lost referee
//! gives. Some referees call it a draw where two have the same league points, others decide by the
//! private score: both are believed. What is refused is what no rule makes of the scores.
//!
//! Spec: docs/protocol/match.md

use agon_proto::act::{Aborted, ReportStatus, ResultReport, ScoreRow};
use agon_proto::message::{Blame, Cause};
use agon_proto::{Address, GroupId, Score, StatedScore};

use super::Claim;
use crate::format::Fixture;
use crate::league::League;
use crate::verdict::{Cut, End, Ended, Fault, Scoring, Seat, Thresholds, blamed};
use crate::{Contradiction, Refusal};

/// A player, as a report names it.
#[derive(Debug)]
struct Candidate {
    address: Address,
    group: GroupId,
}

impl Candidate {
    /// Whether a text is its group or its address, in whatever case.
    fn is_called(&self, text: &str) -> bool {
        let text = text.trim();
        text.eq_ignore_ascii_case(self.group.as_str())
            || text.eq_ignore_ascii_case(self.address.as_str())
    }

    /// Whether that group or that address is its own.
    fn is(&self, group: &GroupId, address: Option<&Address>) -> bool {
        address == Some(&self.address) || self.is_called(group.as_str())
    }

    fn row<'a>(&self, report: &'a ResultReport) -> Option<&'a ScoreRow> {
        let rows = || report.scores.iter();
        rows()
            .find(|row| row.address.as_ref() == Some(&self.address))
            .or_else(|| rows().find(|row| self.is_called(row.participant.as_str())))
    }
}

/// A report, and what it says of each of the two players.
pub(super) struct Scores<'a> {
    report: &'a ResultReport,
    players: [Candidate; 2],
    rows: [Option<&'a ScoreRow>; 2],
    /// Who failed: as the report says in our words, or else in those of others.
    faults: [bool; 2],
}

impl<'a> Scores<'a> {
    /// Of that match.
    pub(super) fn of(
        report: &'a ResultReport,
        league: &League,
        fixture: Fixture,
    ) -> Result<Self, Refusal> {
        let player = |id| {
            let agent = league.registry.player(id).ok_or(Refusal::NoSuchMatch)?;
            Ok(Candidate { address: agent.contact.address(), group: agent.group() })
        };
        Ok(Self::new(report, [player(fixture.a)?, player(fixture.b)?]))
    }

    fn new(report: &'a ResultReport, players: [Candidate; 2]) -> Self {
        let rows = players.each_ref().map(|player| player.row(report));
        let awaited = report.abort_reason.as_ref().and_then(Aborted::whose);
        let faults = Seat::BOTH.map(|seat| match report.blame {
            Some(blame) => blame == Blame::Both || blame == blamed(seat),
            None => {
                rows[seat.index()].is_some_and(ScoreRow::has_failed)
                    || awaited.is_some_and(|whose| players[seat.index()].is_called(whose))
            }
        });
        Self { report, players, rows, faults }
    }

    /// How the game ended that it tells of.
    pub(super) fn ended(&self) -> Ended {
        let scores = Seat::BOTH.map(|seat| self.score(seat));
        let finished = scores.iter().all(Option::is_some);
        let cause = self.cause(finished);
        // Who both failed before anything could be scored never came, whatever they said instead.
        let nobody = self.faults == [true; 2] && self.report.scores.is_empty();
        let fault = Fault { joining: nobody || cause == Cause::NoShow, cause, unreachable: false };
        let ends = Seat::BOTH.map(|seat| match (self.faults[seat.index()], scores[seat.index()]) {
            (true, _) => End::Failed(fault),
            (false, Some(_)) => End::Played,
            (false, None) => End::Open,
        });
        // Broken off, and no player's fault.
        let broken_off = self.faults == [false; 2] && !finished;
        let cut = Cut { cause, blame: not_a_players(self.report.blame), last: true };
        let gains = scores.map(|score| score.and_then(|score| score.hundredths().try_into().ok()));
        Ended { cut: broken_off.then_some(cut), ..Ended::new(ends, gains) }
    }

    /// What that player's play was worth, if it was scored.
    fn score(&self, seat: Seat) -> Option<Score> {
        let (player, row) = (&self.players[seat.index()], self.rows[seat.index()]?);
        let score = stated(row).unwrap_or(Score::ZERO);
        let nothing = score == Score::ZERO && row.league_points.unwrap_or(0) == 0;
        let mut reached = self.report.player_states.iter();
        let reached = reached.find(|it| player.is(&it.participant, it.address.as_ref()));
        // Who was scored with nothing, and who never was, look the same in a game broken off.
        let ended = self.report.status == ReportStatus::Completed;
        let scored = reached.map_or(ended, |reached| reached.scored) || !nothing;
        scored.then_some(score)
    }

    /// What happened. A referee cannot say what only the league knows, and where no player failed a
    /// game that has no two scores was the referee's to finish.
    fn cause(&self, finished: bool) -> Cause {
        let told = self.report.cause.filter(|cause| {
            !matches!(cause, Cause::Played | Cause::CancelledByOperator | Cause::Withdrawn)
        });
        match self.faults {
            [false, false] if finished => Cause::Played,
            [false, false] => told
                .filter(|cause| matches!(cause, Cause::Network | Cause::HostOverloaded))
                .unwrap_or(Cause::RefereeLost),
            [true, _] | [_, true] => told.unwrap_or_else(|| self.report.presumed()),
        }
    }

    /// What it is worth, or what contradicts what in it.
    pub(super) fn check(&self, scoring: &Scoring) -> Result<Claim, Contradiction> {
        for (player, row) in self.players.iter().zip(self.rows) {
            row.map_or(Ok(()), |row| self.check_row(player, row))?;
        }
        let winner = self.winner()?;
        self.check_blame(winner)?;
        // What was broken off and has two scores all the same counts as played.
        let played = self.ended().ends == [End::Played; 2];
        if self.report.status == ReportStatus::Abandoned && !played {
            return Ok(Claim::Verified);
        }
        let Scoring::ByGain { thresholds, .. } = scoring else {
            return Ok(Claim::Unverified);
        };
        let mut known = true;
        for seat in Seat::BOTH.into_iter().filter(|seat| !self.faults[seat.index()]) {
            known &= self.check_points(seat, thresholds)?;
        }
        if known && self.faults == [false; 2] {
            self.check_outcome(winner, thresholds)?;
        }
        Ok(if known { Claim::Verified } else { Claim::Unverified })
    }

    /// A score has bounds, and a player that stands in two rows has the same one in both.
    fn check_row(&self, player: &Candidate, row: &ScoreRow) -> Result<(), Contradiction> {
        if let Some(StatedScore::Beyond(digits)) = &row.private_score {
            let said = format!("`private_score` {digits:.20} of {}", player.group);
            return Err(Contradiction::new(said, "the bounds 0 to 100"));
        }
        let mut mine = self.report.scores.iter();
        let other = mine.find(|other| {
            player.is(&other.participant, other.address.as_ref())
                && (other.league_points, &other.private_score)
                    != (row.league_points, &row.private_score)
        });
        Contradiction::unless(other.is_none(), || {
            (format!("one row of `scores` for {}", player.group), "another one")
        })
    }

    /// The seat of whom it names as the winner.
    fn winner(&self) -> Result<Option<Seat>, Contradiction> {
        let Some(named) = &self.report.winner else {
            return Ok(None);
        };
        let said = || format!("`winner_id` {named}");
        if self.report.is_draw {
            return Err(Contradiction::new(said(), "`is_draw` true"));
        }
        // A referee may call its players by names of its own, as long as an address tells who is
        // who.
        let is_named = |seat: &Seat| {
            self.players[seat.index()].is_called(named.as_str())
                || self.rows[seat.index()].is_some_and(|row| row.participant == *named)
        };
        let [a, b] = self.players.each_ref().map(|player| &player.group);
        let nobody = || Contradiction::new(said(), format!("the game of {a} and {b}"));
        Seat::BOTH.into_iter().find(is_named).map(Some).ok_or_else(nobody)
    }

    /// Who failed has not won, and a game that was played to its end has nobody to blame.
    fn check_blame(&self, winner: Option<Seat>) -> Result<(), Contradiction> {
        let blame = self.report.blame.map(|blame| format!("`blame` {}", blame.as_str()));
        if let Some(seat) = winner.filter(|seat| self.faults[seat.index()]) {
            let blame = blame.unwrap_or_else(|| "its technical loss".to_owned());
            return Err(Contradiction::new(self.won(seat), blame));
        }
        match (self.report.cause, blame) {
            (Some(Cause::Played), Some(blame)) if self.faults != [false; 2] => {
                Err(Contradiction::new("`cause` PLAYED", blame))
            }
            (Some(_) | None, Some(_) | None) => Ok(()),
        }
    }

    fn won(&self, seat: Seat) -> String {
        format!("`winner_id` {}", self.players[seat.index()].group)
    }

    /// League points are what the league's thresholds make of the private score. Says whether it is
    /// known.
    fn check_points(&self, seat: Seat, thresholds: &Thresholds) -> Result<bool, Contradiction> {
        let row = self.rows[seat.index()];
        let Some((row, score)) = row.and_then(|row| Some((row, stated(row)?))) else {
            return Ok(false);
        };
        let worth = worth(thresholds, score);
        let points = row.league_points.unwrap_or(worth);
        Contradiction::unless(points == worth, || {
            let said = format!("`league_points` {points} of {}", self.players[seat.index()].group);
            (said, format!("`private_score` {score}, which is worth {worth}"))
        })?;
        Ok(true)
    }

    fn check_outcome(
        &self,
        winner: Option<Seat>,
        thresholds: &Thresholds,
    ) -> Result<(), Contradiction> {
        let scores = self.rows.map(|row| row.and_then(stated).unwrap_or(Score::ZERO));
        let ranks = scores.map(|score| (worth(thresholds, score), score));
        let [a, b] = self.players.each_ref().map(|player| &player.group);
        let against = || format!("`private_score` {} of {a} and {} of {b}", scores[0], scores[1]);
        match winner {
            Some(seat) if ranks[seat.index()] <= ranks[seat.other().index()] => {
                Err(Contradiction::new(self.won(seat), against()))
            }
            None if self.report.is_draw && ranks[0].0 != ranks[1].0 => {
                Err(Contradiction::new("`is_draw` true", against()))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// The private score of a row, if it says one.
fn stated(row: &ScoreRow) -> Option<Score> {
    row.private_score.as_ref().map(StatedScore::bounded)
}

fn worth(thresholds: &Thresholds, score: Score) -> u32 {
    thresholds.points(i32::try_from(score.hundredths()).unwrap_or(i32::MAX))
}

/// Who is to blame if no player is.
const fn not_a_players(blame: Option<Blame>) -> Blame {
    match blame {
        Some(blame @ (Blame::Network | Blame::Host)) => blame,
        Some(Blame::PlayerA | Blame::PlayerB | Blame::Both | Blame::Referee | Blame::Operator)
        | None => Blame::Referee,
    }
}

#[cfg(test)]
mod tests;
