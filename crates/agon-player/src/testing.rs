//! Questions, matches and tables for the tests of this crate.

use agon_core::Question;
use agon_proto::message::{Parity, StandingsRow};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{DisplayName, MatchId, PlayerId, Timestamp};

use crate::{Decision, Situation, Strategy};

pub(crate) const EVEN: Parity = Parity::Even;
pub(crate) const ODD: Parity = Parity::Odd;

/// P01 is asked in match 1 of that round, against that opponent. The deadline has passed, which no
/// strategy holds against the question.
pub(crate) fn question(round: u32, opponent: u32) -> Question {
    Question {
        player: PlayerId::new(1),
        match_id: MatchId::new(round, 1),
        attempt: 1,
        round,
        opponent: PlayerId::new(opponent),
        deadline: Timestamp::from_micros(1_768_473_000_000_000),
    }
}

/// A match of P01 that was played out.
pub(crate) fn played(round: u32, opponent: u32, choices: [Parity; 2], drawn: u32) -> PlayedMatch {
    let [mine, theirs] = choices;
    let result = if mine == theirs {
        PlayedResult::Draw
    } else if mine == Parity::of(drawn) {
        PlayedResult::Win
    } else {
        PlayedResult::Loss
    };
    PlayedMatch {
        match_id: MatchId::new(round, 1),
        opponent_id: PlayerId::new(opponent),
        result,
        my_choice: Some(mine),
        opponent_choice: Some(theirs),
        drawn_number: Some(drawn),
        timestamp: Timestamp::from_micros(0),
        attempt: 1,
    }
}

/// One row of the table.
pub(crate) fn row(player: u32, points: u32) -> StandingsRow {
    StandingsRow {
        rank: 1,
        player_id: PlayerId::new(player),
        display_name: DisplayName::new("somebody"),
        played: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        points,
    }
}

/// What a quick strategy says.
#[track_caller]
pub(crate) fn now(strategy: &mut dyn Strategy, situation: &Situation<'_>) -> Parity {
    match strategy.choose(situation) {
        Decision::Now(choice) => choice,
        Decision::Later(_) => panic!("this strategy does not need time"),
    }
}
