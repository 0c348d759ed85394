//! Reports that say what was played: what they amount to, and whether they agree with themselves
//! and with the rules of their game.
//!
//! Who won is computed again from what it says was played, by the game's own rules. What a report
//! leaves out may be anything; it is refused if nothing that could stand there fits.
//!
//! Spec: docs/protocol/match.md

use std::cmp::Ordering;

use agon_games::{BadShown, Gains, Position, Retraced, Rules, Seats, Turn};
use agon_proto::message::{Blame, Cause, ReportedResult, ResultStatus};
use agon_proto::{Payload, PlayerId};

use super::Claim;
use crate::Contradiction;
use crate::format::Fixture;
use crate::verdict::{End, Ended, Outcome, Scoring, Seat, Verdict, blamed, conclude, is_a_players};

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
    let (cause, blame) = presumed(outcome);
    Ok(Verdict {
        outcome,
        cause: result.reason.unwrap_or(cause),
        blame: result.blame.or(blame),
        gains: None,
        points: scoring.by_outcome(outcome),
    })
}

/// What a referee means that does not say what happened, or who caused it.
const fn presumed(outcome: Outcome) -> (Cause, Option<Blame>) {
    match outcome {
        Outcome::Won(_) | Outcome::Drawn => (Cause::Played, None),
        Outcome::Forfeited(seat) => (Cause::TimedOut, Some(blamed(seat))),
        Outcome::BothForfeited => (Cause::TimedOut, Some(Blame::Both)),
        Outcome::Cancelled => (Cause::NoShow, Some(Blame::Both)),
        Outcome::Void => (Cause::RefereeLost, Some(Blame::Referee)),
    }
}

/// Everything that a report claims.
pub(super) struct Claims<'a> {
    pub(super) said: &'a ReportedResult,
    pub(super) verdict: &'a Verdict,
    pub(super) fixture: Fixture,
    pub(super) rules: &'a Rules,
    pub(super) scoring: &'a Scoring,
}

impl Claims<'_> {
    /// The verdict that follows, if nothing contradicts it.
    pub(super) fn check(&self, details: &Payload) -> Result<(Verdict, Claim), Contradiction> {
        self.check_names()?;
        let shown = self.shown(details).map_err(|error| match error {
            BadShown::Impossible(what) => Contradiction::new(what.said, what.against),
            BadShown::Unreadable(why) => Contradiction::new("`details`", why.to_string()),
            BadShown::Act { number, why } => {
                Contradiction::new(format!("`acts`, number {number},"), format!("the rules: {why}"))
            }
        })?;
        self.check_reason()?;
        self.check_blame()?;
        self.check_score()?;
        let played = matches!(self.verdict.outcome, Outcome::Won(_) | Outcome::Drawn);
        match shown {
            Some(Retraced { shown, .. }) if played => self.check_play(&shown),
            Some(shown) => self.check_unplayed(&shown).map(|()| (*self.verdict, Claim::Verified)),
            None if played => Ok((*self.verdict, Claim::Unverified)),
            None => Ok((*self.verdict, Claim::Verified)),
        }
    }

    /// The position at the end: by all that was played, or as far as the view tells it.
    fn shown(&self, details: &Payload) -> Result<Option<Retraced<Position>>, BadShown> {
        match self.said.details.acts() {
            _ if details.is_null() => Ok(None),
            Some(acts) => {
                let shown = self.rules.replay(acts.as_bytes(), details.as_bytes())?;
                Ok(Some(Retraced { shown, gaps: false }))
            }
            None => self.rules.retrace(details.as_bytes()),
        }
    }

    /// Whether what it says was played is all that was, so that nothing had to be believed.
    fn is_whole(&self) -> bool {
        self.rules.info().shows_all || self.said.details.acts().is_some()
    }

    /// Only the two players of the match have chosen, gained and scored.
    fn check_names(&self) -> Result<(), Contradiction> {
        let ReportedResult { score, details, .. } = self.said;
        self.check_named("choices", details.choices.iter().map(|(player, _)| player))?;
        if let Some(played) = &details.played {
            self.check_named("gains", played.gains.iter().map(|(player, _)| player))?;
        }
        self.check_named("score", score.iter().map(|(player, _)| player))
    }

    fn check_named(
        &self,
        field: &str,
        mut named: impl Iterator<Item = PlayerId>,
    ) -> Result<(), Contradiction> {
        let Fixture { a, b } = self.fixture;
        let stranger = named.find(|player| self.fixture.seat_of(*player).is_none());
        stranger.map_or(Ok(()), |player| {
            let said = format!("`{field}` of {player}");
            Err(Contradiction::new(said, format!("the match of {a} and {b}")))
        })
    }

    /// What happened fits how it ended. Only the league can say who has left it, and only its
    /// operator what the operator has cancelled.
    fn check_reason(&self) -> Result<(), Contradiction> {
        let Verdict { outcome, cause, .. } = *self.verdict;
        let by_a_player = is_a_players(cause);
        let by_the_league = matches!(cause, Cause::CancelledByOperator | Cause::Withdrawn);
        let fits = match outcome {
            Outcome::Won(_) | Outcome::Drawn => cause == Cause::Played,
            Outcome::Forfeited(_) | Outcome::BothForfeited => by_a_player,
            Outcome::Cancelled => cause != Cause::Played && !by_the_league,
            // An attempt that is over for a player is refused by it.
            Outcome::Void if cause == Cause::Refused => true,
            Outcome::Void => !by_a_player && cause != Cause::Played && !by_the_league,
        };
        Contradiction::unless(fits, || (format!("`reason` {}", cause.as_str()), self.status()))
    }

    /// Nobody is to blame for what was played, and only who failed for a technical loss.
    fn check_blame(&self) -> Result<(), Contradiction> {
        let Verdict { outcome, cause, blame: Some(blame), .. } = *self.verdict else {
            return Ok(());
        };
        let is_one_players = matches!(blame, Blame::PlayerA | Blame::PlayerB);
        let fits = match outcome {
            Outcome::Won(_) | Outcome::Drawn => false,
            Outcome::Forfeited(loser) => blame == blamed(loser),
            Outcome::BothForfeited => blame == Blame::Both,
            Outcome::Cancelled => true,
            Outcome::Void if cause == Cause::Refused => is_one_players,
            Outcome::Void => !is_one_players && blame != Blame::Both,
        };
        Contradiction::unless(fits, || (format!("`blame` {}", blame.as_str()), self.status()))
    }

    /// A score is not read, so it may count in whatever way; but it favours who won.
    fn check_score(&self) -> Result<(), Contradiction> {
        let Fixture { a, b } = self.fixture;
        let score = self.said.score;
        let (Some(of_a), Some(of_b)) = (score.get(a), score.get(b)) else {
            return Ok(());
        };
        let expected = match self.verdict.winner() {
            Some(Seat::A) => Ordering::Greater,
            Some(Seat::B) => Ordering::Less,
            None => Ordering::Equal,
        };
        Contradiction::unless(of_a.cmp(&of_b) == expected, || {
            (format!("`score` {a} {of_a}, {b} {of_b}"), self.status())
        })
    }

    /// A match that was played: its outcome must be able to follow from what is said of it.
    fn check_play(&self, shown: &Position) -> Result<(Verdict, Claim), Contradiction> {
        let played = |gains: Gains| conclude(&Ended::new([End::Played; 2], gains), self.scoring);
        let follows = |verdict: &Verdict| verdict.outcome == self.verdict.outcome;
        let ruled = if shown.turn() == Turn::Over {
            let gains = shown.gains();
            self.check_gains(gains)?;
            let claim = if self.is_whole() { Claim::Verified } else { Claim::Unverified };
            Some((played(gains), claim)).filter(|(verdict, _)| follows(verdict))
        } else {
            let fits = shown.may_end(&mut |gains| follows(&played(gains)));
            fits.then_some((*self.verdict, Claim::Unverified))
        };
        ruled.ok_or_else(|| Contradiction::new(self.status(), self.said.details.to_string()))
    }

    /// What it was worth to each is what the rules say, if the report says it at all.
    fn check_gains(&self, [of_a, of_b]: Gains) -> Result<(), Contradiction> {
        let right = |player| if player == self.fixture.a { of_a } else { of_b };
        let mut said = self.said.details.played.iter().flat_map(|played| played.gains.iter());
        let wrong = said.find(|(player, said)| right(*player) != Some(*said));
        wrong.map_or(Ok(()), |(player, said)| {
            let said = format!("`gains` {player} {said}");
            Err(Contradiction::new(said, self.said.details.to_string()))
        })
    }

    /// A match that somebody did not play to its end: whoever failed has not moved.
    fn check_unplayed(&self, shown: &Retraced<Position>) -> Result<(), Contradiction> {
        let Verdict { outcome, cause, .. } = *self.verdict;
        let never_began = matches!(cause, Cause::NoShow | Cause::Refused);
        let Retraced { shown, gaps } = shown;
        let turn = shown.turn();
        let fits = match outcome {
            Outcome::Forfeited(_) | Outcome::BothForfeited if never_began => {
                *shown == self.rules.open()
            }
            Outcome::Forfeited(loser) => turn.asked().contains(loser),
            Outcome::BothForfeited => turn.asked() == Seats::BOTH,
            Outcome::Cancelled => *shown == self.rules.open(),
            // A referee may be lost between the last move and the end.
            Outcome::Void | Outcome::Won(_) | Outcome::Drawn => true,
        };
        Contradiction::unless(fits && !gaps && turn != Turn::Over, || {
            let status = format!("{} with `reason` {}", self.status(), cause.as_str());
            (status, self.said.details.to_string())
        })
    }

    /// How it ended, in the report's words.
    fn status(&self) -> String {
        let status = self.verdict.status().as_str();
        let winner = self.said.winner.map(|winner| format!(" for {winner}"));
        format!("`status` {status}{}", winner.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests;
