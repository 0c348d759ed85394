//! What plays any game whose moves can be listed.

use agon_games::Game;

use crate::{Chance, Decision, Situation, Strategy};

/// Every option is as likely as any other, and nobody can read it.
pub(crate) struct Random(pub(crate) Chance);

impl<G: Game> Strategy<G> for Random {
    fn choose(&mut self, now: &Situation<'_, G>) -> Decision<G::Move> {
        let picked = self.0.pick(now.question, now.known, &now.options).cloned();
        picked.map_or_else(|| Decision::Later(Box::pin(async { None })), Decision::Now)
    }
}
