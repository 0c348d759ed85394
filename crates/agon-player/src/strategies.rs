//! Strategies that come with the house, by game, and how one is found by what a person writes.

mod even_odd;
pub(crate) mod q21;

use agon_games::Game;
use agon_games::even_odd::EvenOdd;
use agon_games::matrix::{Action, Hand, Matrix, Stance};
use agon_node::Mind;

use crate::exec::{BadCommand, Exec};
use crate::{Chance, ChildTerms, Decision, Situation, Strategy, typed};
use even_odd::{Adaptive, Alternate};

/// What of the games themselves the author of a strategy meets.
pub(crate) mod words {
    pub use super::q21::{BuiltinPlayer, BuiltinReferee};
    pub use agon_games::even_odd::{EvenOdd, EvenOddView, Parity};
}

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

/// Why there is no such strategy.
#[derive(Debug, thiserror::Error)]
pub enum UnknownStrategy {
    #[error("there is no strategy `{name}` for {game}; there are: {list}", list = list(game))]
    Name { name: String, game: String },
    #[error("could not understand the command of `{spec}`; write exec:python3 'my player.py'")]
    Command {
        spec: String,
        #[source]
        problem: BadCommand,
    },
}

/// All that can be written for that game.
fn list(game: &str) -> String {
    let names = names_for(game).iter().copied();
    names.chain(["exec:<command>"]).collect::<Vec<_>>().join(", ")
}

/// Finds a strategy for that game by what a person wrote; [`names_for`] lists what can be written,
/// besides `exec:<command>`.
///
/// # Errors
/// When there is no such strategy, the command of `exec:` cannot be split into words, or its
/// program is not there.
pub fn strategy(
    game: &str,
    spec: &str,
    chance: Chance,
    terms: &ChildTerms,
) -> Result<Box<dyn Mind>, UnknownStrategy> {
    let spec = spec.trim();
    if let Some(command) = spec.strip_prefix("exec:") {
        return match Exec::new(command, terms) {
            Ok(exec) => Ok(Box::new(exec)),
            Err(problem) => Err(UnknownStrategy::Command { spec: spec.into(), problem }),
        };
    }
    let found = match (game, spec) {
        (EVEN_ODD, "alternate") => Some(typed(Alternate)),
        (EVEN_ODD, "adaptive") => Some(typed(Adaptive(chance))),
        (EVEN_ODD, _) => simple::<EvenOdd>(spec, chance),
        (HAND, "tit-for-tat") => Some(typed::<Matrix<Hand>>(TitForTat)),
        (HAND, _) => simple::<Matrix<Hand>>(spec, chance),
        (STANCE, "tit-for-tat") => Some(typed::<Matrix<Stance>>(TitForTat)),
        (STANCE, _) => simple::<Matrix<Stance>>(spec, chance),
        (_, _) => None,
    };
    found.ok_or_else(|| UnknownStrategy::Name { name: spec.into(), game: game.into() })
}

/// What any game has whose moves can be listed: chance, or always the move of that name.
fn simple<G: Game>(name: &str, chance: Chance) -> Option<Box<dyn Mind>> {
    if name == "random" {
        return Some(typed::<G>(Random(chance)));
    }
    let mut moves = G::moves().iter();
    let (_, only) = moves.find(|(json, _)| json.trim_matches('"') == name)?;
    Some(typed::<G>(Always(only.clone())))
}

/// Every option is as likely as any other, and nobody can read it.
struct Random(Chance);

impl<G: Game> Strategy<G> for Random {
    fn choose(&mut self, now: &Situation<'_, G>) -> Decision<G::Move> {
        let picked = self.0.pick(now.question, now.known, &now.options).cloned();
        picked.map_or_else(|| Decision::Later(Box::pin(async { None })), Decision::Now)
    }
}

/// Always the same.
struct Always<M>(M);

impl<G: Game> Strategy<G> for Always<G::Move> {
    fn choose(&mut self, _: &Situation<'_, G>) -> Decision<G::Move> {
        Decision::Now(self.0.clone())
    }
}

/// In a repeated game: first the first option, then whatever the other one chose last.
struct TitForTat;

impl<A: Action> Strategy<Matrix<A>> for TitForTat {
    fn choose(&mut self, now: &Situation<'_, Matrix<A>>) -> Decision<A> {
        let (_, first) = A::ALL[0];
        let theirs = match (now.view.last, now.said.last()) {
            // Of the two choices of the last round the other's is the one that is not ours.
            ([Some(a), Some(b)], Some(ours)) if a == *ours => b,
            ([Some(a), Some(_)], Some(_)) => a,
            ([_, _], _) => first,
        };
        Decision::Now(theirs)
    }
}

#[cfg(test)]
mod tests;
