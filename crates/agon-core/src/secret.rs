//! Tokens: minted from one key, stored only as a hash, derived where both sides can compute them.
//!
//! The key is 256 random bits from the edge. A token is a keyed hash of who asked and in which
//! conversation, so the same request, repeated, gets the same token, and nobody without the key can
//! tell it from chance.
//!
//! Spec: docs/protocol/README.md

use agon_proto::{AgentId, AuthToken, ConversationId, Endpoint, LeagueId, MatchId, RefereeId};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// All that is kept of a token.
#[derive(Debug, Clone, Copy, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TokenHash([u8; 32]);

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

    /// What a referee shows to this player in this attempt, and to nobody else.
    pub(crate) fn match_token(
        &self,
        league: &LeagueId,
        match_id: MatchId,
        attempt: u32,
        referee: RefereeId,
    ) -> AuthToken {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        let mut numbers = [0; 17];
        numbers[0] = b'm';
        let parts = [match_id.round, match_id.number, attempt, referee.number()];
        for (place, part) in numbers[1..].chunks_exact_mut(4).zip(parts) {
            place.copy_from_slice(&part.to_le_bytes());
        }
        hasher.update(&numbers).update(league.as_str().as_bytes());
        AuthToken::derived(*hasher.finalize().as_bytes())
    }

    /// What the manager shows to this agent, and to nobody else.
    pub(crate) fn manager_token(&self, league: &LeagueId) -> AuthToken {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(b"manager").update(league.as_str().as_bytes());
        AuthToken::derived(*hasher.finalize().as_bytes())
    }
}

/// The source of a manager's tokens.
#[derive(Clone)]
pub struct Secrets {
    key: [u8; 32],
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets(…)")
    }
}

impl Secrets {
    /// From 256 random bits.
    pub const fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    pub(crate) fn mint(
        &self,
        owner: AgentId,
        endpoint: &Endpoint,
        conversation: &ConversationId,
    ) -> AuthToken {
        let text = format!("{owner}\n{endpoint}\n{conversation}");
        AuthToken::minted(owner, *blake3::keyed_hash(&self.key, text.as_bytes()).as_bytes())
    }
}

#[cfg(test)]
mod tests;
