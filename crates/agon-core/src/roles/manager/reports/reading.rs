//! What a report says, in whatever words: a verdict, and what it follows from.
//!
//! Spec: docs/protocol/match.md

use agon_proto::act::ResultReport;
use agon_proto::message::{Blame, Cause, MatchResultReport, ReportedResult, ResultStatus};
use agon_proto::{MatchId, Payload};

use super::Ruling;
use super::bounds;
use super::claims::Claims;
use super::scores::{self, Candidate};
use crate::format::Fixture;
use crate::league::League;
use crate::verdict::{Ended, Outcome, Scoring, Verdict, blamed, conclude};
use crate::{Contradiction, Refusal};

/// A referee's report.
pub(super) enum Report<'a> {
    /// It says what was played, as its game shows it to everybody.
    Shown(&'a MatchResultReport),
    /// It says what each player's part was worth. The players are those of the match.
    Scored(&'a ResultReport, [Candidate; 2]),
}

/// What a report says.
pub(super) struct Reading {
    /// What it amounts to, or what contradicts what in it.
    pub(super) verdict: Result<Verdict, Contradiction>,
    /// The same, had nobody left the league since.
    before: Option<Verdict>,
    /// What was played.
    pub(super) details: Payload,
}

impl Reading {
    /// Whether that is what was written down. The last void attempt was written as cancelled,
    /// without what was played in it. What was not said is ours: gains and points.
    pub(super) fn says(&self, (written, details): (&Verdict, &Payload)) -> bool {
        let said = self.verdict.as_ref().ok().into_iter().chain(&self.before);
        said.into_iter().any(|said| {
            let unsaid = Verdict { gains: written.gains, points: written.points, ..*said };
            let said = if said.gains.is_none() { unsaid } else { *said };
            let cancelled = Verdict { outcome: Outcome::Cancelled, ..said };
            let void = said.outcome == Outcome::Void && cancelled == *written;
            void || said == *written && self.details == *details
        })
    }
}

impl Report<'_> {
    /// Which attempt it is about, if it says so.
    pub(super) fn attempt(&self) -> Option<u32> {
        match self {
            Self::Shown(report) => report.result.attempt,
            Self::Scored(..) => None,
        }
    }

    /// What it says of that match.
    pub(super) fn read(
        &self,
        league: &League,
        (match_id, fixture): (MatchId, Fixture),
    ) -> Result<Reading, Refusal> {
        let scoring = league.settings.scoring();
        match self {
            Self::Shown(report) => {
                let winner = report.result.winner;
                if winner.is_some_and(|winner| fixture.seat_of(winner).is_none()) {
                    return Err(Refusal::BadValue("winner is not a player of this match"));
                }
                if report.round_id != match_id.round {
                    return Err(Refusal::BadValue("round_id and match_id disagree"));
                }
                let verdict = read(&report.result, fixture, &scoring);
                let game = league.settings.game_type();
                let details = report.result.details.shown(&game, fixture.players());
                Ok(Reading { verdict, before: None, details })
            }
            Self::Scored(report, players) => {
                let ended = scores::ended(report, players.each_ref());
                let before = conclude(&ended, &scoring);
                let ended = Ended { away: league.season.away(match_id), ..ended };
                let verdict = Ok(conclude(&ended, &scoring));
                Ok(Reading { verdict, before: Some(before), details: Payload::default() })
            }
        }
    }

    /// What it comes to, if nothing contradicts it.
    pub(super) fn check(
        &self,
        league: &League,
        fixture: Fixture,
        Reading { verdict, details, .. }: Reading,
    ) -> Result<Ruling, Contradiction> {
        let (verdict, scoring) = (verdict?, league.settings.scoring());
        match self {
            Self::Shown(report) => {
                let rules = &league.settings.game;
                let (said, verdict, scoring) = (&report.result, &verdict, &scoring);
                let claims = Claims { said, verdict, fixture, rules, scoring };
                let (verdict, claim) = claims.check(&details)?;
                Ok(Ruling { verdict, details, claim })
            }
            Self::Scored(report, players) => {
                let claim = bounds::check(report, players.each_ref(), &scoring)?;
                Ok(Ruling { verdict, details, claim })
            }
        }
    }
}

/// Makes a verdict of what a referee says. The points are ours to give, so its score is not read.
pub(super) fn read(
    result: &ReportedResult,
    fixture: Fixture,
    scoring: &Scoring,
) -> Result<Verdict, Contradiction> {
    let winner = result.winner.and_then(|winner| fixture.seat_of(winner));
    let status = result.status.unwrap_or(match winner {
        Some(_) => ResultStatus::Win,
        None => ResultStatus::Draw,
    });
    let outcome = match (status, winner) {
        (ResultStatus::Win, Some(seat)) => Outcome::Won(seat),
        (ResultStatus::Draw, None) => Outcome::Drawn,
        (ResultStatus::TechnicalLoss, Some(seat)) => Outcome::Forfeited(seat.other()),
        (ResultStatus::TechnicalLoss, None) => Outcome::BothForfeited,
        (ResultStatus::Cancelled, None) => Outcome::Cancelled,
        (ResultStatus::Aborted, None) => Outcome::Void,
        (ResultStatus::Win, None)
        | (ResultStatus::Draw | ResultStatus::Cancelled | ResultStatus::Aborted, Some(_)) => {
            let winner = result.winner.map_or("null".to_owned(), |id| id.to_string());
            let said = format!("`status` {}", status.as_str());
            return Err(Contradiction::new(said, format!("`winner` {winner}")));
        }
    };
    Ok(Verdict {
        outcome,
        cause: result.reason.unwrap_or(default_cause(outcome)),
        blame: result.blame.or_else(|| default_blame(outcome)),
        gains: None,
        points: scoring.by_outcome(outcome),
    })
}

/// What a referee means that does not say what happened.
const fn default_cause(outcome: Outcome) -> Cause {
    match outcome {
        Outcome::Won(_) | Outcome::Drawn => Cause::Played,
        Outcome::Forfeited(_) | Outcome::BothForfeited => Cause::TimedOut,
        Outcome::Cancelled => Cause::NoShow,
        Outcome::Void => Cause::RefereeLost,
    }
}

const fn default_blame(outcome: Outcome) -> Option<Blame> {
    match outcome {
        Outcome::Won(_) | Outcome::Drawn => None,
        Outcome::Forfeited(seat) => Some(blamed(seat)),
        Outcome::BothForfeited | Outcome::Cancelled => Some(Blame::Both),
        Outcome::Void => Some(Blame::Referee),
    }
}
