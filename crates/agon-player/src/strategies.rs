//! Strategies that come with the house, by game.

mod any;
mod even_odd;
mod matrix;
pub(crate) mod q21;
pub(crate) mod words;

use agon_games::Game;
use agon_games::even_odd::{EvenOdd, EvenOddMove};
use agon_games::matrix::{Action, Hand, Matrix, Stance};
use agon_node::Mind;

use crate::{Chance, typed};
use any::{Always, Random};
use even_odd::{Adaptive, Alternate};
use matrix::TitForTat;

const EVEN_ODD: &str = EvenOdd::INFO.name;
const HAND: &str = Hand::INFO.name;
const STANCE: &str = Stance::INFO.name;

/// The names of the strategies for that game, those for a start first; none if nobody here plays
/// it by calls.
pub fn names_for(game: &str) -> &'static [&'static str] {
    match game {
        EVEN_ODD => &["random", "alternate", "even", "odd", "adaptive"],
        HAND => &["random", "tit-for-tat", "rock", "paper", "scissors"],
        STANCE => &["random", "tit-for-tat", "cooperate", "defect"],
        _ => &[],
    }
}

/// The strategy of that name for that game.
pub(crate) fn find(game: &str, name: &str, chance: Chance) -> Option<Box<dyn Mind>> {
    match game {
        EVEN_ODD => Some(match name {
            "random" => typed::<EvenOdd>(Random(chance)),
            "even" => typed::<EvenOdd>(Always(EvenOddMove::Even)),
            "odd" => typed::<EvenOdd>(Always(EvenOddMove::Odd)),
            "alternate" => typed(Alternate),
            "adaptive" => typed(Adaptive(chance)),
            _ => return None,
        }),
        HAND => repeated::<Hand>(name, chance),
        STANCE => repeated::<Stance>(name, chance),
        _ => None,
    }
}

fn repeated<A: Action>(name: &str, chance: Chance) -> Option<Box<dyn Mind>> {
    match name {
        "random" => Some(typed::<Matrix<A>>(Random(chance))),
        "tit-for-tat" => Some(typed::<Matrix<A>>(TitForTat)),
        _ => {
            let named = |(json, _): &&(&str, A)| json.trim_matches('"') == name;
            A::ALL.iter().find(named).map(|(_, only)| typed::<Matrix<A>>(Always(*only)))
        }
    }
}
