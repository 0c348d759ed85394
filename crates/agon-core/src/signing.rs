//! What the manager shows to each agent, made from its key when the agent is let in.
//!
//! Nothing of it is written down. After a restart it is made again from the facts and the key, so
//! the facts alone let nobody speak in the manager's name.
//!
//! Spec: docs/protocol/README.md

use agon_proto::{AgentId, AuthToken, LeagueId};
use rustc_hash::FxHashMap;

use crate::secret::SigningKey;

/// What proves us to one agent.
#[derive(Debug)]
struct Signer {
    key: SigningKey,
    manager_token: AuthToken,
    /// Whether the agent has the token that our key leads to.
    is_good: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Signing {
    by_agent: FxHashMap<AgentId, Signer>,
}

impl Signing {
    /// From now on that is the agent's token, as far as our key can tell. With another key than
    /// the one that it was made with, nothing that we show is good.
    pub(crate) fn renew(
        &mut self,
        agent: AgentId,
        (token, is_good): (&AuthToken, bool),
        league: &LeagueId,
    ) {
        if let Some(key) = SigningKey::of(token) {
            let manager_token = key.manager_token(league);
            self.by_agent.insert(agent, Signer { key, manager_token, is_good });
        }
    }

    pub(crate) fn key(&self, agent: AgentId) -> Option<&SigningKey> {
        self.by_agent.get(&agent).map(|signer| &signer.key)
    }

    pub(crate) fn manager_token(&self, agent: AgentId) -> Option<&AuthToken> {
        self.by_agent.get(&agent).map(|signer| &signer.manager_token)
    }

    /// How many agents believe nothing that we show.
    pub(crate) fn estranged(&self) -> usize {
        self.by_agent.values().filter(|signer| !signer.is_good).count()
    }
}
