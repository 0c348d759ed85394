//! What the manager shows to each agent, made from its key when the agent is let in.
//!
//! Nothing of it is written down. After a restart it is made again from the facts and the key, so
//! the facts alone let nobody speak in the manager's name.
//!
//! Spec: docs/protocol/README.md

use agon_proto::{AgentId, AuthToken, LeagueId};

use crate::secret::{SigningKey, TokenHash};

/// What proves us to one agent.
#[derive(Debug)]
struct Signer {
    /// The agent's own token, and its hash: whoever shows it has not to be hashed to be believed.
    token: AuthToken,
    hash: Option<TokenHash>,
    key: SigningKey,
    manager_token: AuthToken,
    /// Whether the agent has the token that our key leads to.
    is_good: bool,
}

/// By role and number: every message that we send is looked up here.
#[derive(Debug, Default)]
pub(crate) struct Signing {
    players: Vec<Option<Signer>>,
    referees: Vec<Option<Signer>>,
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
            let (token, hash) = (token.clone(), TokenHash::of(token));
            let (signers, place) = match agent {
                AgentId::Player(id) => (&mut self.players, id.number() as usize),
                AgentId::Referee(id) => (&mut self.referees, id.number() as usize),
            };
            if signers.len() <= place {
                signers.resize_with(place + 1, || None);
            }
            signers[place] = Some(Signer { token, hash, key, manager_token, is_good });
        }
    }

    fn signer(&self, agent: AgentId) -> Option<&Signer> {
        let (signers, number) = match agent {
            AgentId::Player(id) => (&self.players, id.number()),
            AgentId::Referee(id) => (&self.referees, id.number()),
        };
        signers.get(number as usize)?.as_ref()
    }

    /// Whether that is the agent's token, whose hash this is, as far as that can be told without
    /// hashing it.
    pub(crate) fn knows(&self, agent: AgentId, token: &AuthToken, hash: &TokenHash) -> bool {
        // Both hashes are ours, and no secrets.
        let same = |known: &TokenHash| known.as_bytes() == hash.as_bytes();
        let signer = self.signer(agent);
        signer.is_some_and(|it| it.hash.as_ref().is_some_and(same) && it.token == *token)
    }

    pub(crate) fn key(&self, agent: AgentId) -> Option<&SigningKey> {
        self.signer(agent).map(|signer| &signer.key)
    }

    pub(crate) fn manager_token(&self, agent: AgentId) -> Option<&AuthToken> {
        self.signer(agent).map(|signer| &signer.manager_token)
    }

    /// How many agents believe nothing that we show.
    pub(crate) fn estranged(&self) -> usize {
        self.players.iter().chain(&self.referees).flatten().filter(|signer| !signer.is_good).count()
    }
}
