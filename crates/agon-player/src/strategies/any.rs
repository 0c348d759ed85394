//! What plays any game.

use agon_games::Game;

use crate::{Chance, Decision, Situation, Strategy};

/// Where moves can be listed: every option is as likely as any other, and nobody can read it.
pub(crate) struct Random(pub(crate) Chance);

impl<G: Game> Strategy<G> for Random {
    fn choose(&mut self, now: &Situation<'_, G>) -> Decision<G::Move> {
        let picked = self.0.pick(now.question, now.known, &now.options).cloned();
        picked.map_or_else(|| Decision::Later(Box::pin(async { None })), Decision::Now)
    }
}

/// Always the same.
pub(crate) struct Always<M>(pub(crate) M);

impl<G: Game> Strategy<G> for Always<G::Move> {
    fn choose(&mut self, _: &Situation<'_, G>) -> Decision<G::Move> {
        Decision::Now(self.0.clone())
    }
}
