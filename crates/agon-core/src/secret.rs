//! Tokens: minted from one key, stored only as a hash, derived where both sides can compute them.
//!
//! The key is 256 random bits from the edge. A token is a keyed hash of who asked, what and for the
//! how manieth time, so the same registration leads to the same token, the next one to another, and
//! nobody without the key can tell any of them from chance. A journal holds nothing that signs.
//!
//! What the manager shows to each agent is made from its key when it is first needed: reading a
//! journal costs nothing here, and a league that has not begun next to nothing. After a restart it
//! is made again, so the facts alone let nobody speak in the manager's name.
//!
//! Spec: docs/protocol/README.md

use std::cell::OnceCell;

use agon_proto::{
    Address, AgentId, AuthToken, GameId, InvitationCode, LeagueId, MatchId, RefereeId, Timestamp,
    hex,
};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use crate::league::registry::place;

/// What tells this use of a token's bits from every other.
const SIGNING: &str = "agon league.v2 signing key";

/// All that is kept of a token: enough to know it again, and good for nothing else.
#[derive(Debug, Clone, Copy, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TokenHash(#[serde(with = "hex")] [u8; 32]);

impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl TokenHash {
    /// The hash of a token, if it can be one of ours.
    pub fn of(token: &AuthToken) -> Option<Self> {
        token.secret().map(|secret| Self(*blake3::hash(secret).as_bytes()))
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// What hashes are made with, and what nothing shows.
#[derive(Clone, PartialEq, Eq)]
struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

/// What an agent's own token signs with: what the manager and the referees show to that agent is
/// derived from it. The manager makes it from its key again, and it is written down nowhere: who
/// has read the hash of a token can sign nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SigningKey(Key);

impl SigningKey {
    /// Of a token, if it can be one of ours.
    pub(crate) fn of(token: &AuthToken) -> Option<Self> {
        token.secret().map(|secret| Self(Key(blake3::derive_key(SIGNING, secret))))
    }

    /// What a referee shows to this player in this attempt, and to nobody else.
    pub(crate) fn match_token(
        &self,
        league: &LeagueId,
        match_id: MatchId,
        attempt: u32,
        referee: RefereeId,
    ) -> AuthToken {
        let parts = [match_id.round, match_id.number, attempt, referee.number()];
        let mut numbers = [b'm'; 17];
        for (place, part) in numbers[1..].chunks_exact_mut(4).zip(parts) {
            place.copy_from_slice(&part.to_le_bytes());
        }
        self.derive(&numbers, league)
    }

    /// What the referee of that game shows to this player, and to nobody else.
    pub(crate) fn game_token(
        &self,
        league: &LeagueId,
        game: &GameId,
        referee: &Address,
    ) -> AuthToken {
        // As it is written: both sides have the same table, and agents of others compute this too.
        let referee = if referee.is_endpoint() { referee.as_str().into() } else { referee.key() };
        self.derive(format!("game\n{game}\n{referee}\n").as_bytes(), league)
    }

    /// What the manager shows to this agent, and to nobody else.
    pub(crate) fn manager_token(&self, league: &LeagueId) -> AuthToken {
        self.derive(b"manager", league)
    }

    /// A keyed hash of a purpose and the league. Short enough for one block of the hash nearly
    /// always, and then in one call, which is what makes it cheap.
    fn derive(&self, purpose: &[u8], league: &LeagueId) -> AuthToken {
        let league = league.as_str().as_bytes();
        let mut block = [0; 64];
        let length = purpose.len() + league.len();
        let hash = match block.get_mut(..length) {
            Some(block) => {
                block[..purpose.len()].copy_from_slice(purpose);
                block[purpose.len()..].copy_from_slice(league);
                blake3::keyed_hash(&self.0.0, block)
            }
            None => {
                let mut hasher = blake3::Hasher::new_keyed(&self.0.0);
                hasher.update(purpose).update(league).finalize()
            }
        };
        AuthToken::derived(*hash.as_bytes())
    }
}

/// All that is kept of a code. Compares in constant time, as tokens do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CodeHash(TokenHash);

impl CodeHash {
    pub fn of(code: &str) -> Self {
        Self(TokenHash(*blake3::hash(code.as_bytes()).as_bytes()))
    }
}

/// What a registration said, as a value that can be compared with its repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestDigest(#[serde(with = "hex")] [u8; 32]);

impl RequestDigest {
    /// Of these parts, in this order.
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut text = Vec::with_capacity(512);
        for part in parts {
            // With their lengths, or two texts could be taken for two others.
            text.extend((part.len() as u64).to_le_bytes());
            text.extend(part);
        }
        Self(*blake3::hash(&text).as_bytes())
    }
}

/// The source of a manager's tokens.
#[derive(Debug, Clone)]
pub struct Secrets(Key);

impl Secrets {
    /// From 256 random bits.
    pub const fn new(key: [u8; 32]) -> Self {
        Self(Key(key))
    }

    /// The `number`th token of that agent, given for that request; for none, if the operator gave
    /// it. All of this is written down, so the manager can make the token again.
    pub(crate) fn mint(
        &self,
        (owner, number): (AgentId, u32),
        request: Option<RequestDigest>,
    ) -> AuthToken {
        let digest = request.as_ref().map_or(&[][..], |digest| &digest.0);
        let text = [format!("{owner}\n{number}\n").as_bytes(), digest].concat();
        AuthToken::minted(owner, *blake3::keyed_hash(&self.0.0, &text).as_bytes())
    }

    /// The code of that invitation. Only its hash is written down; we can make it again. Whoever
    /// reads an older journal gives out that number once more, but not at the same instant. The
    /// first codes were made without it.
    pub(crate) fn code(&self, number: u32, at: Option<Timestamp>) -> InvitationCode {
        let at = at.map_or(String::new(), |at| format!("{}\n", at.micros()));
        let hash = blake3::keyed_hash(&self.0.0, format!("invitation\n{number}\n{at}").as_bytes());
        InvitationCode::spelled(hash.as_bytes())
    }
}

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

/// Of players and of referees, by number: every message that we send is looked up here.
#[derive(Debug, Default)]
pub(crate) struct Signing([Vec<OnceCell<Box<Signer>>>; 2]);

impl Signing {
    /// The agent has another token from now on.
    pub(crate) fn renew(&mut self, agent: AgentId) {
        let (role, place) = place(agent);
        let signers = &mut self.0[role];
        if signers.len() <= place {
            signers.resize_with(place + 1, OnceCell::new);
        }
        signers[place] = OnceCell::new();
    }

    fn made(&self, agent: AgentId) -> Option<&OnceCell<Box<Signer>>> {
        let (role, place) = place(agent);
        self.0[role].get(place)
    }

    /// What proves us to that agent; made so, if nobody needed it before.
    pub(crate) fn signer(
        &self,
        agent: AgentId,
        make: impl FnOnce() -> Option<Box<Signer>>,
    ) -> Option<&Signer> {
        let made = self.made(agent)?;
        if made.get().is_none() {
            made.set(make()?).ok()?;
        }
        made.get().map(|signer| &**signer)
    }

    /// Whether that is the agent's token, whose hash this is, as far as that can be told without
    /// hashing it.
    pub(crate) fn knows(&self, agent: AgentId, token: &AuthToken, hash: &TokenHash) -> bool {
        // Both hashes are ours, and no secrets.
        let same = |known: &TokenHash| known.0 == hash.0;
        let signer = self.made(agent).and_then(OnceCell::get);
        signer.is_some_and(|it| it.hash.as_ref().is_some_and(same) && it.token == *token)
    }
}

#[cfg(test)]
mod tests;
