//! How a match ended: the outcome, what happened, who caused it, and what it is worth.
//!
//! Only an agent's own fault costs it points. Every verdict on play is made by [`conclude`]: the
//! referee's, the manager's on a report, and that on a player who left or a referee that is lost.
//!
//! Spec: docs/decisions.md

use std::cmp::Ordering;

pub use agon_games::Seat;
use agon_proto::Score;
use agon_proto::message::{Blame, Cause, ResultStatus};
use serde::{Deserialize, Serialize};

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// By playing.
    Won(Seat),
    Drawn,
    /// One failed; the other has won.
    Forfeited(Seat),
    BothForfeited,
    /// Nobody gets anything.
    Cancelled,
    /// This attempt does not count; another may follow.
    Void,
}

/// How a match ended. What was played stands beside it, as its game shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub outcome: Outcome,
    pub cause: Cause,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// What it was worth to each seat, in the game's own count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gains: Option<[i32; 2]>,
    /// League points.
    pub points: [u32; 2],
}

/// A million results are kept.
const _: () = assert!(size_of::<Verdict>() <= 32);

/// How the game of one seat ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Played,
    Failed(Fault),
    /// It had not ended.
    Open,
}

/// How a player failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// It never came.
    pub(crate) joining: bool,
    pub(crate) cause: Cause,
    /// It was never even reached.
    pub(crate) unreachable: bool,
}

/// A match that cannot go on, through no player's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) cause: Cause,
    pub(crate) blame: Blame,
    /// No other attempt follows.
    pub(crate) last: bool,
}

/// Everything that a verdict follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) ends: [End; 2],
    /// What each seat has got, as far as that is certain.
    pub(crate) gains: [Option<i32>; 2],
    /// Who has left the league.
    pub(crate) away: [bool; 2],
    pub(crate) cut: Option<Cut>,
    /// Whether a match is cancelled to which one player did not come.
    pub(crate) no_show_cancels: bool,
}

impl Ended {
    /// By these ends and gains, with nobody away and nothing cut.
    pub(crate) const fn new(ends: [End; 2], gains: [Option<i32>; 2]) -> Self {
        Self { ends, gains, away: [false; 2], cut: None, no_show_cancels: false }
    }

    /// That player did not let it begin.
    pub(crate) fn refused(seat: Seat, cause: Cause) -> Self {
        let mut ended = Self::new([End::Open; 2], [None; 2]);
        ended.ends[seat.index()] = End::Failed(Fault { joining: true, cause, unreachable: false });
        ended
    }

    /// Broken off before anybody had ended.
    pub(crate) const fn cut(cut: Cut) -> Self {
        Self { cut: Some(cut), ..Self::new([End::Open; 2], [None; 2]) }
    }
}

/// The verdict on a match that has ended so.
pub(crate) fn conclude(ended: &Ended, scoring: &Scoring) -> Verdict {
    let (outcome, cause, blame) = judge(ended);
    let alone = match (ended.away, ended.ends) {
        ([true, true], _) => true,
        (_, [End::Failed(a), End::Failed(b)]) => a.joining && b.joining,
        (_, [End::Played | End::Open, _] | [_, End::Played | End::Open]) => false,
    };
    let gains = match scoring {
        Scoring::ByOutcome(_) => ended.gains[0].zip(ended.gains[1]).map(|(a, b)| [a, b]),
        Scoring::ByGain { .. } => Some(ended.gains.map(Option::unwrap_or_default)),
    };
    let points = scoring.points(ended, outcome);
    if alone || outcome == Outcome::Void {
        return Verdict { outcome, cause, blame, gains: None, points: [0, 0] };
    }
    Verdict { outcome, cause, blame, gains, points }
}

/// Who won, what happened, and who caused it.
fn judge(ended: &Ended) -> (Outcome, Cause, Option<Blame>) {
    let lost = |seat: Seat, cause| (Outcome::Forfeited(seat), cause, Some(blamed(seat)));
    match ended.away {
        [true, true] => return (Outcome::Cancelled, Cause::Withdrawn, Some(Blame::Both)),
        [true, false] => return lost(Seat::A, Cause::Withdrawn),
        [false, true] => return lost(Seat::B, Cause::Withdrawn),
        [false, false] => {}
    }
    if let Some(Cut { cause, blame, last }) = ended.cut {
        let outcome = if last { Outcome::Cancelled } else { Outcome::Void };
        return (outcome, cause, Some(blame));
    }
    match ended.ends {
        [End::Failed(a), End::Failed(b)] => both_failed(a, b),
        [End::Failed(fault), End::Played | End::Open] => one_failed(ended, Seat::A, fault),
        [End::Played | End::Open, End::Failed(fault)] => one_failed(ended, Seat::B, fault),
        [End::Played | End::Open, End::Played | End::Open] => {
            let [a, b] = ended.gains;
            let outcome = match a.cmp(&b) {
                Ordering::Greater => Outcome::Won(Seat::A),
                Ordering::Less => Outcome::Won(Seat::B),
                Ordering::Equal => Outcome::Drawn,
            };
            (outcome, Cause::Played, None)
        }
    }
}

fn one_failed(ended: &Ended, seat: Seat, fault: Fault) -> (Outcome, Cause, Option<Blame>) {
    let cancelled = fault.joining && ended.no_show_cancels;
    let outcome = if cancelled { Outcome::Cancelled } else { Outcome::Forfeited(seat) };
    (outcome, fault.cause, Some(blamed(seat)))
}

/// Nobody can play. If nobody could even be reached, it was the network and not the players.
fn both_failed(a: Fault, b: Fault) -> (Outcome, Cause, Option<Blame>) {
    if a.unreachable && b.unreachable {
        return (Outcome::Void, Cause::Network, Some(Blame::Network));
    }
    let never_began = a.joining && b.joining;
    let outcome = if never_began { Outcome::Cancelled } else { Outcome::BothForfeited };
    // Who was there says more than who never came, and who was reached more than silence.
    let b_tells = if a.joining == b.joining { a.unreachable } else { a.joining };
    (outcome, if b_tells { b } else { a }.cause, Some(Blame::Both))
}

/// Whether a player causes that, and nobody else.
pub(crate) const fn is_a_players(cause: Cause) -> bool {
    match cause {
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
    }
}

pub(crate) const fn blamed(seat: Seat) -> Blame {
    [Blame::PlayerA, Blame::PlayerB][seat.index()]
}

impl Verdict {
    /// An end without a game, which is worth nothing.
    pub const fn unplayed(outcome: Outcome, cause: Cause, blame: Blame) -> Self {
        Self { outcome, cause, blame: Some(blame), gains: None, points: [0, 0] }
    }

    /// What the play on that seat was worth, in a game that counts in hundredths.
    pub(crate) fn score(&self, seat: Seat) -> Option<Score> {
        let gain = self.gains.map(|gains| gains[seat.index()])?;
        Some(Score::from_hundredths(u32::try_from(gain).unwrap_or(0)))
    }

    /// Whether the player on that seat is to blame, alone or with the other.
    pub fn blames(&self, seat: Seat) -> bool {
        self.blame == Some(blamed(seat)) || self.blame == Some(Blame::Both)
    }

    /// Whether the player on that seat was there; `None` if this does not tell.
    pub(crate) fn presence(&self, seat: Seat) -> Option<bool> {
        let tells = self.cause == Cause::Played || is_a_players(self.cause);
        let away = matches!(self.cause, Cause::NoShow | Cause::Crashed) && self.blames(seat);
        tells.then_some(!away)
    }

    pub const fn winner(&self) -> Option<Seat> {
        match self.outcome {
            Outcome::Won(seat) => Some(seat),
            Outcome::Forfeited(loser) => Some(loser.other()),
            Outcome::Drawn | Outcome::BothForfeited | Outcome::Cancelled | Outcome::Void => None,
        }
    }

    pub const fn status(&self) -> ResultStatus {
        match self.outcome {
            Outcome::Won(_) => ResultStatus::Win,
            Outcome::Drawn => ResultStatus::Draw,
            Outcome::Forfeited(_) | Outcome::BothForfeited => ResultStatus::TechnicalLoss,
            Outcome::Cancelled => ResultStatus::Cancelled,
            Outcome::Void => ResultStatus::Aborted,
        }
    }
}

/// League points by the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomePoints {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
    pub technical_loss: u32,
}

/// How league points follow from a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scoring {
    ByOutcome(OutcomePoints),
    ByGain {
        thresholds: Thresholds,
        technical_loss: u32,
        /// What each gets who could not be scored and was not to blame.
        lost: u32,
    },
}

impl Scoring {
    /// Points of A and B.
    pub(crate) fn points(&self, ended: &Ended, outcome: Outcome) -> [u32; 2] {
        match self {
            Self::ByOutcome(points) => points.of(outcome),
            Self::ByGain { thresholds, technical_loss, lost } => Seat::BOTH.map(|seat| {
                let place = seat.index();
                let failed = ended.away[place] || matches!(ended.ends[place], End::Failed(_));
                // A match that is broken off gives nobody less than it had scored, nor than `lost`.
                let least = if ended.cut.is_some() { *lost } else { 0 };
                match (failed, ended.gains[place]) {
                    (true, _) => *technical_loss,
                    (false, Some(gain)) => thresholds.points(gain).max(least),
                    (false, None) => *lost,
                }
            }),
        }
    }

    /// Whether a player earns its points by its own play, whatever the other one does.
    pub(crate) const fn is_earned_alone(&self) -> bool {
        matches!(self, Self::ByGain { .. })
    }

    /// Points of A and B by the outcome alone, where nothing else is known.
    pub(crate) const fn by_outcome(&self, outcome: Outcome) -> [u32; 2] {
        match self {
            Self::ByOutcome(points) => points.of(outcome),
            Self::ByGain { .. } => [0, 0],
        }
    }
}

impl OutcomePoints {
    /// As the course counts.
    pub const COURSE: Self = Self { win: 3, draw: 1, loss: 0, technical_loss: 0 };

    /// Points of A and B.
    pub const fn of(&self, outcome: Outcome) -> [u32; 2] {
        match outcome {
            Outcome::Won(Seat::A) => [self.win, self.loss],
            Outcome::Won(Seat::B) => [self.loss, self.win],
            Outcome::Drawn => [self.draw, self.draw],
            Outcome::Forfeited(Seat::A) => [self.technical_loss, self.win],
            Outcome::Forfeited(Seat::B) => [self.win, self.technical_loss],
            Outcome::BothForfeited => [self.technical_loss, self.technical_loss],
            Outcome::Cancelled | Outcome::Void => [0, 0],
        }
    }
}

/// From which gain on play is worth three, two and one league points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thresholds(pub [Score; 3]);

impl Thresholds {
    /// What a gain in hundredths is worth.
    pub fn points(&self, gain: i32) -> u32 {
        let reached = |threshold: &&Score| i64::from(gain) >= threshold.hundredths().into();
        u32::try_from(self.0.iter().filter(reached).count()).unwrap_or(0)
    }
}

impl Default for Thresholds {
    /// As the course counts: 85, 70 and 50.
    fn default() -> Self {
        Self([8_500, 7_000, 5_000].map(Score::from_hundredths))
    }
}

#[cfg(test)]
mod tests;
