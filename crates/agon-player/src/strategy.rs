//! What a strategy is: typed in one game, and a mind like any other to the house.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

use agon_core::{Known, Mishap, MishapKind, Question, What};
use agon_games::Game;
use agon_node::{Mind, Thinking, Thought};
use agon_proto::Payload;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a strategy may look at.
pub struct Situation<'a, G: Game> {
    /// In which match, and until when.
    pub question: &'a Question,
    /// Who we are, whom we meet, what we remember, and the table.
    pub known: &'a Known<'a>,
    /// What we may see of the game.
    pub view: G::View,
    /// What we may choose among, where that can be listed.
    pub options: Vec<G::Move>,
    /// Our own moves so far, oldest first.
    pub said: Vec<G::Move>,
}

/// What a strategy makes of a question.
pub enum Decision<M> {
    /// Decided.
    Now(M),
    /// Still thinking. `None` means that nothing came of it: the referee may ask again.
    Later(Pin<Box<dyn Future<Output = Option<M>> + Send>>),
}

/// A way to choose. This is what the author of a player writes.
pub trait Strategy<G: Game>: Send {
    /// Chooses. Called once for each question of an attempt at a match; must not block, slow
    /// thinking goes into [`Decision::Later`].
    fn choose(&mut self, now: &Situation<'_, G>) -> Decision<G::Move>;

    /// How it stands now. Nothing is asked.
    fn heard(&mut self, _view: &G::View, _known: &Known<'_>) {}
}

/// A strategy as a mind.
pub fn typed<G: Game>(strategy: impl Strategy<G> + 'static) -> Box<dyn Mind> {
    Box::new(Typed { strategy, game: PhantomData::<fn() -> G> })
}

struct Typed<G, S> {
    strategy: S,
    game: PhantomData<fn() -> G>,
}

impl<G: Game, S: Strategy<G>> Typed<G, S> {
    fn decide(&mut self, question: &Question, known: &Known<'_>) -> Result<Thinking, Mishap> {
        match &question.what {
            What::Move { view, options, said } => {
                let mut options = read_all(options)?;
                if options.is_empty() {
                    options.extend(G::moves().iter().map(|(_, it)| it.clone()));
                }
                let (view, said) = (read(view)?, read_all(said)?);
                let now = Situation { question, known, view, options, said };
                Ok(match self.strategy.choose(&now) {
                    Decision::Now(it) => Thinking::Now(write(&it)),
                    Decision::Later(thought) => Thinking::Later(Box::pin(async move {
                        let undecided = || raised("the strategy could not decide");
                        write(&thought.await.ok_or_else(undecided)?)
                    })),
                })
            }
            What::Heard { view } => {
                self.strategy.heard(&read(view)?, known);
                Ok(Thinking::Now(Ok(Payload::default())))
            }
            What::Oracle { .. } => Err(misplaced(question)),
        }
    }
}

impl<G: Game, S: Strategy<G>> Mind for Typed<G, S> {
    fn think(&mut self, question: &Question, known: &Known<'_>) -> Thinking {
        self.decide(question, known).unwrap_or_else(|mishap| Thinking::Now(Err(mishap)))
    }
}

/// Reads what the game shows.
pub(crate) fn read<T: DeserializeOwned>(shown: &Payload) -> Result<T, Mishap> {
    serde_json::from_str(shown.as_str()).map_err(|problem| {
        wrong_value(format!("this strategy plays another game, it cannot read the view: {problem}"))
    })
}

fn read_all<T: DeserializeOwned>(shown: &[Payload]) -> Result<Vec<T>, Mishap> {
    shown.iter().map(read).collect()
}

/// Writes what was decided.
pub(crate) fn write(said: &impl Serialize) -> Thought {
    let text = serde_json::to_string(said).map_err(|problem| wrong_value(problem.to_string()))?;
    let length = text.len();
    Payload::new(&text).ok_or_else(|| {
        wrong_value(format!("it has {length} bytes; {} are sent at most", Payload::LENGTH_MAX))
    })
}

/// A question that belongs to the other side of the table.
pub(crate) fn misplaced(question: &Question) -> Mishap {
    wrong_value(format!("{} is a question for the other role", question.kind))
}

pub(crate) fn wrong_value(text: String) -> Mishap {
    Mishap { kind: MishapKind::WrongValue, text: text.into() }
}

pub(crate) fn raised(text: &str) -> Mishap {
    Mishap { kind: MishapKind::Raised, text: text.into() }
}

#[cfg(test)]
mod tests;
