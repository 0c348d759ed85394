//! A matrix game, repeated: both choose at once, round after round, and each pair of choices has
//! its price. Rock-paper-scissors and the prisoner's dilemma are two of them.
//!
//! Spec: docs/protocol/games.md

use std::fmt::{Debug, Display};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{
    Described, Gains, Game, GameInfo, Mismatch, NoWord, Reason, Retraced, Seat, Seats, Setting,
    Step, Turn,
};

/// What can be chosen in such a game.
pub trait Action:
    Copy + Debug + PartialEq + Serialize + DeserializeOwned + Described + Send + Sync + 'static
{
    const INFO: GameInfo;
    /// Each with its JSON, in the order of rows and columns.
    const ALL: &'static [(&'static str, Self)];
    /// What a row gets against a column, where nothing is set.
    const PAYOFFS: &'static [&'static [i32]];
    /// How often it is played, where nothing is set.
    const ROUNDS: u32;
}

/// Its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matrix<A> {
    pub rounds: u32,
    /// What my choice (row) gets against theirs (column), the same for both seats.
    pub payoffs: Vec<Vec<i32>>,
    #[serde(skip)]
    actions: std::marker::PhantomData<A>,
}

/// State and view are the same: a choice is public once it is no longer sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixView<A> {
    /// What A and B have chosen in the last round, if there was one.
    pub last: [Option<A>; 2],
    /// The round that is played now, counted from 1.
    pub round: u32,
    pub rounds: u32,
    /// What A and B have got so far.
    pub totals: [i32; 2],
}

impl<A: Action> Matrix<A> {
    fn payoff(&self, mine: A, theirs: A) -> i32 {
        let place = |it| A::ALL.iter().position(|(_, action)| *action == it).unwrap_or(0);
        self.payoffs[place(mine)][place(theirs)]
    }
}

impl<A: Action> Game for Matrix<A> {
    type State = MatrixView<A>;
    type Move = A;
    type View = MatrixView<A>;
    type Word = NoWord;

    const INFO: GameInfo = A::INFO;

    fn standard() -> Self {
        let payoffs = A::PAYOFFS.iter().map(|row| row.to_vec()).collect();
        Self { rounds: A::ROUNDS, payoffs, actions: std::marker::PhantomData }
    }

    fn check(&self) -> Result<(), Reason> {
        let size = A::ALL.len();
        if self.payoffs.len() != size || self.payoffs.iter().any(|row| row.len() != size) {
            return Err(format!("payoffs must have {size} rows of {size} numbers").into());
        }
        let adds_up = |(mine, theirs): (usize, usize)| {
            self.payoffs[mine][theirs] + self.payoffs[theirs][mine] == 0
        };
        let mut pairs = (0..size).flat_map(|mine| (0..size).map(move |theirs| (mine, theirs)));
        if Self::INFO.zero_sum && !pairs.all(adds_up) {
            return Err("payoffs must be such that what one gains the other loses".into());
        }
        Ok(())
    }

    fn acts_max(&self) -> u32 {
        2 * self.rounds
    }

    fn begin(&self) -> MatrixView<A> {
        MatrixView { round: 1, rounds: self.rounds, last: [None, None], totals: [0, 0] }
    }

    fn turn(&self, state: &MatrixView<A>) -> Turn {
        if state.round > self.rounds { Turn::Over } else { Turn::Together(Seats::BOTH) }
    }

    fn moves() -> &'static [(&'static str, A)] {
        A::ALL
    }

    fn apply(&self, state: &mut MatrixView<A>, step: Step<A, NoWord>) {
        match step {
            // A round counts when both have chosen.
            Step::Moves([Some(a), Some(b)]) => {
                state.last = [Some(a), Some(b)];
                state.totals[0] += self.payoff(a, b);
                state.totals[1] += self.payoff(b, a);
                state.round += 1;
            }
            Step::Moves([None, _] | [_, None]) | Step::Drawn(_) | Step::Failed(_) => {}
            Step::Word(_, never) => match never {},
        }
    }

    fn view(&self, state: &MatrixView<A>, _seat: Option<Seat>) -> MatrixView<A> {
        *state
    }

    fn gains(&self, state: &MatrixView<A>) -> Gains {
        if state.round > self.rounds { state.totals.map(Some) } else { [None, None] }
    }

    fn tell(&self, state: &MatrixView<A>, [a, b]: [&dyn Display; 2]) -> String {
        let ([of_a, of_b], rounds) = (state.totals, self.rounds);
        format!("{a} got {of_a} and {b} got {of_b} in {rounds} rounds")
    }

    fn retrace(&self, shown: &MatrixView<A>) -> Result<Option<Retraced<MatrixView<A>>>, Mismatch> {
        let MatrixView { last, round, rounds, totals } = *shown;
        let mismatch = |said: String, against: &str| {
            Err(Mismatch { said: format!("`view` with {said}"), against: against.to_owned() })
        };
        if rounds != self.rounds || !(1..=self.rounds + 1).contains(&round) {
            let against = format!("a match of {} rounds", self.rounds);
            return mismatch(format!("round {round} of {rounds}"), &against);
        }
        let got = match (round, last) {
            (1, [None, None]) => [0, 0],
            (2.., [Some(a), Some(b)]) => [self.payoff(a, b), self.payoff(b, a)],
            (_, [_, _]) => return mismatch(format!("last {last:?}"), &format!("round {round}")),
        };
        // What was got before the last round nobody says; but it was got in so many rounds.
        let (before, prices) = (i64::from(round.saturating_sub(2)), self.payoffs.iter().flatten());
        let (least, most) = (prices.clone().min(), prices.max());
        let earlier = [0, 1].map(|seat| i64::from(totals[seat]) - i64::from(got[seat]));
        let possible = least.zip(most).is_some_and(|(least, most)| {
            let range = before * i64::from(*least)..=before * i64::from(*most);
            earlier.iter().all(|it| range.contains(it))
        });
        if !possible || Self::INFO.zero_sum && totals[0] != -totals[1] {
            return mismatch(format!("totals {totals:?}"), "the payoffs");
        }
        Ok(Some(Retraced { shown: *shown, gaps: false }))
    }
}

const ROUNDS: Setting =
    Setting { name: "rounds", meaning: "how often it is played", min: 1, max: 1_000 };
const PAYOFFS: Setting = Setting {
    name: "payoffs",
    meaning: "what my choice (row) gets against theirs (column)",
    min: -1_000,
    max: 1_000,
};

/// A choice of rock-paper-scissors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Hand {
    Rock,
    Paper,
    Scissors,
}

impl Action for Hand {
    const INFO: GameInfo = GameInfo {
        name: "rock_paper_scissors",
        rules: "In each round both players choose \"rock\", \"paper\" or \"scissors\" at the same \
                time. Rock beats scissors, scissors beat paper, paper beats rock: the winner of a \
                round gets a point and the other loses one. Who has more points after the last \
                round wins.",
        settings: &[ROUNDS, PAYOFFS],
        asks: &["choose_hand"],
        zero_sum: true,
        ..GameInfo::USUAL
    };
    const ALL: &'static [(&'static str, Self)] =
        &[("\"rock\"", Self::Rock), ("\"paper\"", Self::Paper), ("\"scissors\"", Self::Scissors)];
    const PAYOFFS: &'static [&'static [i32]] = &[&[0, -1, 1], &[1, 0, -1], &[-1, 1, 0]];
    const ROUNDS: u32 = 3;
}

/// A choice of the prisoner's dilemma.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Stance {
    Cooperate,
    Defect,
}

impl Action for Stance {
    const INFO: GameInfo = GameInfo {
        name: "prisoners_dilemma",
        rules: "In each round both players choose \"cooperate\" or \"defect\" at the same time. \
                Who defects against one that cooperates gets most and the other least; two that \
                cooperate get more than two that defect. Who has more after the last round wins.",
        settings: &[ROUNDS, PAYOFFS],
        asks: &["choose_stance"],
        ..GameInfo::USUAL
    };
    const ALL: &'static [(&'static str, Self)] =
        &[("\"cooperate\"", Self::Cooperate), ("\"defect\"", Self::Defect)];
    const PAYOFFS: &'static [&'static [i32]] = &[&[3, 0], &[5, 1]];
    const ROUNDS: u32 = 200;
}
