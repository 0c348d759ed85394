//! What the manager shows to each agent, made from its key when it is first needed: a league of many
//! that nobody has begun yet costs nothing here, nor does reading its journal.
//!
//! Nothing of it is written down. After a restart it is made again from the facts and the key, so
//! the facts alone let nobody speak in the manager's name.
//!
//! Spec: docs/protocol/README.md

use std::cell::OnceCell;

use agon_proto::{AgentId, AuthToken, LeagueId};

use crate::secret::{SigningKey, TokenHash};

/// What proves us to one agent.
#[derive(Debug)]
pub(crate) struct Signer {
    /// The agent's own token, and its hash: whoever shows it has not to be hashed to be believed.
    token: AuthToken,
    hash: Option<TokenHash>,
    pub(crate) key: SigningKey,
    pub(crate) manager_token: AuthToken,
}

impl Signer {
    /// To whom that token was given, as far as our key can tell. With another key than the one that
    /// it was made with, nothing that we show is good.
    pub(crate) fn of(token: AuthToken, league: &LeagueId) -> Option<Box<Self>> {
        let key = SigningKey::of(&token)?;
        let (hash, manager_token) = (TokenHash::of(&token), key.manager_token(league));
        Some(Box::new(Self { token, hash, key, manager_token }))
    }
}

/// Made once, or not to be made.
type Made = OnceCell<Option<Box<Signer>>>;

/// By role and number: every message that we send is looked up here.
#[derive(Debug, Default)]
pub(crate) struct Signing {
    players: Vec<Made>,
    referees: Vec<Made>,
}

impl Signing {
    /// The agent has another token from now on.
    pub(crate) fn renew(&mut self, agent: AgentId) {
        let (signers, place) = match agent {
            AgentId::Player(id) => (&mut self.players, id.number() as usize),
            AgentId::Referee(id) => (&mut self.referees, id.number() as usize),
        };
        if signers.len() <= place {
            signers.resize_with(place + 1, OnceCell::new);
        }
        signers[place] = OnceCell::new();
    }

    fn made(&self, agent: AgentId) -> Option<&Made> {
        let (signers, number) = match agent {
            AgentId::Player(id) => (&self.players, id.number()),
            AgentId::Referee(id) => (&self.referees, id.number()),
        };
        signers.get(number as usize)
    }

    /// What proves us to that agent; made so, if nobody needed it before.
    pub(crate) fn signer(
        &self,
        agent: AgentId,
        make: impl FnOnce() -> Option<Box<Signer>>,
    ) -> Option<&Signer> {
        self.made(agent)?.get_or_init(make).as_deref()
    }

    /// Whether that is the agent's token, whose hash this is, as far as that can be told without
    /// hashing it.
    pub(crate) fn knows(&self, agent: AgentId, token: &AuthToken, hash: &TokenHash) -> bool {
        // Both hashes are ours, and no secrets.
        let same = |known: &TokenHash| known.as_bytes() == hash.as_bytes();
        let signer = self.made(agent).and_then(|made| made.get()?.as_deref());
        signer.is_some_and(|it| it.hash.as_ref().is_some_and(same) && it.token == *token)
    }
}
