//! Strategies that come with the house, by game, and how one is found by what a person writes.

mod even_odd;
pub(crate) mod q21;

use agon_games::Game;
use agon_games::even_odd::{EvenOdd, Parity};
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

/// A strategy by its name, and how it is made.
type Named = (&'static str, fn(Chance) -> Box<dyn Mind>);

const EVEN_ODD: &[Named] = &[
    ("random", random::<EvenOdd>),
    ("alternate", |_| typed(Alternate)),
    ("even", |_| always::<EvenOdd>(Parity::Even)),
    ("odd", |_| always::<EvenOdd>(Parity::Odd)),
    ("adaptive", |chance| typed(Adaptive(chance))),
];

const HAND: &[Named] = &[
    ("random", random::<Matrix<Hand>>),
    ("tit-for-tat", |_| typed::<Matrix<Hand>>(TitForTat)),
    ("rock", |_| always::<Matrix<Hand>>(Hand::Rock)),
    ("paper", |_| always::<Matrix<Hand>>(Hand::Paper)),
    ("scissors", |_| always::<Matrix<Hand>>(Hand::Scissors)),
];

const STANCE: &[Named] = &[
    ("random", random::<Matrix<Stance>>),
    ("tit-for-tat", |_| typed::<Matrix<Stance>>(TitForTat)),
    ("cooperate", |_| always::<Matrix<Stance>>(Stance::Cooperate)),
    ("defect", |_| always::<Matrix<Stance>>(Stance::Defect)),
];

/// The strategies for that game, those for a start first; none if nobody here plays it by calls.
fn known(game: &str) -> &'static [Named] {
    let lists = [(EvenOdd::INFO, EVEN_ODD), (Hand::INFO, HAND), (Stance::INFO, STANCE)];
    lists.into_iter().find(|(info, _)| info.name == game).map_or(&[], |(_, list)| list)
}

/// Their names, in the same order.
pub fn names_for(game: &str) -> impl Iterator<Item = &'static str> + Clone + use<> {
    known(game).iter().map(|(name, _)| *name)
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
    names_for(game).chain(["exec:<command>"]).collect::<Vec<_>>().join(", ")
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
    let found = known(game).iter().find(|(name, _)| *name == spec);
    found
        .map(|(_, made)| made(chance))
        .ok_or_else(|| UnknownStrategy::Name { name: spec.into(), game: game.into() })
}

fn random<G: Game>(chance: Chance) -> Box<dyn Mind> {
    typed::<G>(Random(chance))
}

fn always<G: Game>(only: G::Move) -> Box<dyn Mind> {
    typed::<G>(Always(only))
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
