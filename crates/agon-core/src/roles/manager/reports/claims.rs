//! Whether a report agrees with itself, with the rules of Even/Odd and with the league's range.
//!
//! Who won is computed again from the choices and the number, by the game's own judge. What a
//! report leaves out may be anything; it is refused if nothing that could stand there fits.
//!
//! Spec: docs/protocol/match.md

use std::cmp::Ordering;

use agon_proto::message::{Blame, Cause, Parity, ReportedResult, StepLimits};
use agon_proto::{PerPlayer, PlayerId};

use crate::Contradiction;
use crate::format::Fixture;
use crate::games::Move;
use crate::games::even_odd::EvenOdd;
use crate::verdict::{Outcome, Seat, Verdict};

/// What a report is worth that does not contradict itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::roles::manager) enum Claim {
    /// It says all that its outcome follows from.
    Verified,
    /// It says who won, and not what was played.
    Unverified,
}

/// Everything that a report claims.
pub(super) struct Claims<'a> {
    pub(super) said: &'a ReportedResult,
    pub(super) verdict: &'a Verdict,
    pub(super) fixture: Fixture,
    pub(super) limits: StepLimits,
}

impl Claims<'_> {
    pub(super) fn check(&self) -> Result<Claim, Contradiction> {
        self.check_names()?;
        self.check_number()?;
        self.check_reason()?;
        self.check_blame()?;
        self.check_score()?;
        match self.verdict.outcome {
            Outcome::Won(_) | Outcome::Drawn => self.check_play(),
            Outcome::Forfeited(_) | Outcome::BothForfeited | Outcome::Cancelled | Outcome::Void => {
                self.check_unplayed().map(|()| Claim::Verified)
            }
        }
    }

    /// Only the two players of the match have chosen and scored.
    fn check_names(&self) -> Result<(), Contradiction> {
        let ReportedResult { score, details, .. } = self.said;
        let chosen = details.choices.iter().map(|(player, _)| ("choices", player));
        let mut named = chosen.chain(score.iter().map(|(player, _)| ("score", player)));
        let Fixture { a, b } = self.fixture;
        match named.find(|(_, player)| ![a, b].contains(player)) {
            None => Ok(()),
            Some((field, player)) => Err(Contradiction::new(
                format!("`{field}` of {player}"),
                format!("the match of {a} and {b}"),
            )),
        }
    }

    fn check_number(&self) -> Result<(), Contradiction> {
        let StepLimits { draw_min, draw_max, .. } = self.limits;
        match self.verdict.drawn {
            Some(number) if !(draw_min..=draw_max).contains(&number) => Err(Contradiction::new(
                format!("`drawn_number` {number}"),
                format!("the league's range {draw_min} to {draw_max}"),
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// What happened fits how it ended. Only the league can say who has left it, and only its
    /// operator what the operator has cancelled.
    fn check_reason(&self) -> Result<(), Contradiction> {
        let Verdict { outcome, cause, .. } = *self.verdict;
        let by_a_player = match cause {
            Cause::NoShow
            | Cause::Refused
            | Cause::TimedOut
            | Cause::InvalidMove
            | Cause::Crashed
            | Cause::OversizedAnswer
            | Cause::MalformedAnswer => true,
            Cause::Played
            | Cause::RefereeLost
            | Cause::Network
            | Cause::HostOverloaded
            | Cause::CancelledByOperator
            | Cause::Withdrawn => false,
        };
        let by_the_league = matches!(cause, Cause::CancelledByOperator | Cause::Withdrawn);
        let fits = match outcome {
            Outcome::Won(_) | Outcome::Drawn => cause == Cause::Played,
            Outcome::Forfeited(_) | Outcome::BothForfeited => by_a_player,
            Outcome::Cancelled => cause != Cause::Played && !by_the_league,
            Outcome::Void => !by_a_player && cause != Cause::Played && !by_the_league,
        };
        if fits {
            return Ok(());
        }
        Err(Contradiction::new(format!("`reason` {}", cause.as_str()), self.status()))
    }

    /// Nobody is to blame for what was played, and only who failed for a technical loss.
    fn check_blame(&self) -> Result<(), Contradiction> {
        let Some(blame) = self.verdict.blame else {
            return Ok(());
        };
        let fits = match self.verdict.outcome {
            Outcome::Won(_) | Outcome::Drawn => false,
            Outcome::Forfeited(loser) => blame == loser.blame(),
            Outcome::BothForfeited => blame == Blame::Both,
            Outcome::Cancelled => true,
            Outcome::Void => !matches!(blame, Blame::PlayerA | Blame::PlayerB | Blame::Both),
        };
        if fits {
            return Ok(());
        }
        Err(Contradiction::new(format!("`blame` {}", blame.as_str()), self.status()))
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
        if of_a.cmp(&of_b) == expected {
            return Ok(());
        }
        Err(Contradiction::new(format!("`score` {a} {of_a}, {b} {of_b}"), self.status()))
    }

    /// A match that was played: its outcome must be able to follow from what is said of it.
    fn check_play(&self) -> Result<Claim, Contradiction> {
        let Verdict { outcome, choices, drawn, .. } = *self.verdict;
        let StepLimits { draw_min, draw_max, .. } = self.limits;
        let game = EvenOdd::new(self.limits);
        // Two numbers in a row are all the difference that a number can make.
        let numbers = drawn
            .map_or(draw_min..=draw_max.min(draw_min.saturating_add(1)), |drawn| drawn..=drawn);
        let follows = numbers.into_iter().any(|number| {
            let [a, b] = choices.map(may_be);
            a.iter().any(|&a| {
                b.iter().any(|&b| {
                    let halves = [Ok(Move::Parity(a)), Ok(Move::Parity(b))];
                    game.judge(halves, number).outcome == outcome
                })
            })
        });
        if !follows {
            return Err(Contradiction::new(self.status(), self.details()));
        }
        let whole = drawn.is_some() && choices.iter().all(Option::is_some);
        Ok(if whole { Claim::Verified } else { Claim::Unverified })
    }

    /// A match that somebody did not play to its end: no number was drawn, and who failed has not
    /// chosen.
    fn check_unplayed(&self) -> Result<(), Contradiction> {
        let Verdict { outcome, choices, drawn, cause, .. } = *self.verdict;
        let never_began = matches!(cause, Cause::NoShow | Cause::Refused);
        let may_choose = match outcome {
            Outcome::Forfeited(_) | Outcome::BothForfeited if never_began => [false, false],
            Outcome::Forfeited(loser) => Seat::BOTH.map(|seat| seat != loser),
            Outcome::BothForfeited | Outcome::Cancelled => [false, false],
            // A referee may be lost between the last choice and the number.
            Outcome::Void | Outcome::Won(_) | Outcome::Drawn => [true, true],
        };
        let mut chosen = choices.iter().zip(may_choose);
        if drawn.is_some() || chosen.any(|(choice, may)| choice.is_some() && !may) {
            let status = format!("{} with `reason` {}", self.status(), cause.as_str());
            return Err(Contradiction::new(status, self.details()));
        }
        Ok(())
    }

    /// How it ended, in the report's words.
    fn status(&self) -> String {
        let status = self.verdict.status().as_str();
        let winner = self.said.winner.map(|winner| format!(" for {winner}"));
        format!("`status` {status}{}", winner.unwrap_or_default())
    }

    /// What was played, as far as the report says it.
    fn details(&self) -> String {
        let Verdict { choices, drawn, .. } = *self.verdict;
        let Fixture { a, b } = self.fixture;
        let chosen = Seat::BOTH.map(|seat| {
            choices[seat.index()].map(|choice| ([a, b][seat.index()], choice.as_str()))
        });
        let chosen = listed(&PerPlayer::of(chosen));
        match (chosen.is_empty(), drawn) {
            (true, None) => "nothing".to_owned(),
            (true, Some(number)) => format!("`drawn_number` {number}"),
            (false, None) => format!("`choices` {chosen}"),
            (false, Some(number)) => format!("`choices` {chosen} with `drawn_number` {number}"),
        }
    }
}

/// What was chosen, or all that may have been.
const fn may_be(choice: Option<Parity>) -> &'static [Parity] {
    match choice {
        Some(Parity::Even) => &[Parity::Even],
        Some(Parity::Odd) => &[Parity::Odd],
        None => &[Parity::Even, Parity::Odd],
    }
}

fn listed(choices: &PerPlayer<&str>) -> String {
    let entry = |(player, choice): (PlayerId, &str)| format!("{player} {choice}");
    choices.iter().map(entry).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
