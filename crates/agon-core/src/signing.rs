//! What the manager shows to each agent, made from its key when it is first needed: reading a
//! journal costs nothing here, and a league that has not begun next to nothing.
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

/// Of players and of referees, by number: every message that we send is looked up here.
#[derive(Debug, Default)]
pub(crate) struct Signing([Vec<Made>; 2]);

impl Signing {
    /// The agent has another token from now on.
    pub(crate) fn renew(&mut self, agent: AgentId) {
        let (role, number) = place(agent);
        let signers = &mut self.0[role];
        if signers.len() <= number {
            signers.resize_with(number + 1, OnceCell::new);
        }
        signers[number] = OnceCell::new();
    }

    fn made(&self, agent: AgentId) -> Option<&Made> {
        let (role, number) = place(agent);
        self.0[role].get(number)
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

fn place(agent: AgentId) -> (usize, usize) {
    match agent {
        AgentId::Player(id) => (0, id.number() as usize),
        AgentId::Referee(id) => (1, id.number() as usize),
    }
}
