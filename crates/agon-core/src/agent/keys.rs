//! What the league gave us, and whom it proves to us.
//!
//! By mail the mail server vouches for an address. By call a token does: the manager's, derived
//! from our own, and one for each match, which its referee was given by the manager.
//!
//! Spec: docs/protocol/README.md

use agon_proto::{Address, AgentId, AuthToken, GameId, LeagueId, MatchId, RefereeId};
use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::secret::SigningKey;

/// What the league gave us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credentials {
    /// Who we are, where the league numbers its agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    pub league: LeagueId,
    pub token: AuthToken,
    /// Whether the manager's calls carry a token that we can check.
    pub signed_calls: bool,
    /// How often the manager wants to hear from us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heartbeat_ms: Option<u32>,
}

/// What was given, and what follows from it.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    pub(super) given: Option<Credentials>,
    /// What our token signs with.
    key: Option<SigningKey>,
    /// The key before the last registration: matches that were assigned then still use it.
    previous: Option<SigningKey>,
    /// What the manager must show, if it said that it would.
    pub(crate) manager_token: Option<AuthToken>,
    /// The last match token that was found good.
    proved: Option<((MatchId, u32, RefereeId), AuthToken)>,
    /// What the operator gave to come back with: shown until it has let us in.
    pub(crate) shown: Option<AuthToken>,
}

impl Keys {
    pub(super) fn take(&mut self, given: &Credentials) {
        let key = SigningKey::of(&given.token);
        self.proved = None;
        if key != self.key {
            self.previous = std::mem::replace(&mut self.key, key);
        }
        let key = self.key.as_ref().filter(|_| given.signed_calls);
        self.manager_token = key.map(|key| key.manager_token(&given.league));
        self.given = Some(given.clone());
        self.shown = None;
    }

    /// What the referee of that game must show where letters travel by call.
    pub(crate) fn game_token(&self, game: &GameId, referee: &Address) -> Option<AuthToken> {
        let (key, given) = self.key.as_ref().zip(self.given.as_ref())?;
        Some(key.game_token(&given.league, game, referee))
    }

    /// Whether that token proves that referee in that attempt. Derived from our own token or, for
    /// a match that was assigned before we registered again, from the one before. Where the
    /// manager does not sign, nothing can be proved and everything passes.
    #[inline]
    pub(crate) fn proves(
        &mut self,
        place: (MatchId, u32, RefereeId),
        token: Option<&AuthToken>,
    ) -> Result<(), Refusal> {
        let Some(Credentials { league, signed_calls: true, .. }) = &self.given else {
            return Ok(());
        };
        let Some(token) = token else { return Err(Refusal::TokenMissing) };
        // The same referee calls several times in a match, with the same token.
        if let Some((proved, good)) = &self.proved
            && *proved == place
            && good == token
        {
            return Ok(());
        }
        let (match_id, attempt, referee) = place;
        let good = |key: &SigningKey| key.match_token(league, match_id, attempt, referee) == *token;
        if self.key.as_ref().is_some_and(good) || self.previous.as_ref().is_some_and(good) {
            self.proved = Some((place, token.clone()));
            return Ok(());
        }
        Err(Refusal::TokenInvalid(token.clone()))
    }
}
