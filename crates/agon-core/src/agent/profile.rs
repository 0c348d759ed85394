//! Who an agent is: what it says of itself, what the league gave it, and whom that proves to it.
//!
//! By mail the mail server vouches for an address. By call a token does: the manager's, derived
//! from our own, and one for each match, which its referee was given by the manager.
//!
//! Spec: docs/protocol/README.md

use std::time::Duration;

use agon_proto::act::Applying;
use agon_proto::{
    Address, AgentId, AuthToken, Contact, DisplayName, GameId, GameType, GroupId, InvitationCode,
    LeagueId, MatchId, PROTOCOL_VERSION, RefereeId, Role, SeasonId,
};
use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::secret::SigningKey;

/// What an agent says of itself, and where it wants to go.
#[derive(Debug, Clone)]
pub struct Profile {
    pub name: DisplayName,
    /// What it plays, or referees.
    pub games: Vec<GameType>,
    /// Where we are reached: who we are.
    pub contact: Contact,
    /// Another address of ours, for which its carrier vouches, if we have one besides our endpoint.
    pub vouched: Option<Address>,
    /// The league manager.
    pub manager: Contact,
    /// Our team.
    pub group: GroupId,
    pub joins: Joins,
    /// For a referee, how many matches at once; a player has none.
    pub capacity: Option<u32>,
    /// Different at every start, and nobody can guess it.
    pub nonce: u64,
    /// Whether it has a journal, and so its token after a restart.
    pub keeps_token: bool,
    /// For a referee on another machine than the manager, what the operator gave it.
    pub invitation_code: Option<InvitationCode>,
    /// How long one try may take.
    pub timeout: Duration,
    /// How many answers that are none are taken for a mistake in the address.
    pub tries: u32,
    /// How long nobody may answer.
    pub wait: Duration,
    /// The wait before the second try; it doubles.
    pub backoff: Duration,
    /// Whoever runs later than this is too late to blame anybody: its own machine is overloaded.
    pub lateness_max: Duration,
}

/// How an agent gets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joins {
    /// By a call, at once; its answer says whether.
    AtOnce,
    /// By a letter: when it is invited or, if it is called itself, without that.
    WhenInvited,
    /// The same, but nobody may know of it, so it asks to be told of seasons.
    Introducing,
}

impl Profile {
    /// Whether we are called, and not written to: then nobody invites us, and tokens prove who is
    /// who.
    pub(crate) fn is_called(&self) -> bool {
        !self.contact.vouches()
    }

    /// What we say of ourselves when we ask to be let in.
    pub(super) fn application(&self, season: Option<SeasonId>) -> Applying {
        let is_referee = self.capacity.is_some();
        Applying {
            role: Some(self.role()),
            name: Some(self.name.clone()),
            participant: is_referee.then(|| self.name.clone()),
            version: Some(DisplayName::new(env!("CARGO_PKG_VERSION"))),
            games: Some(self.games.clone()),
            contact: Some(self.contact.clone()),
            also: self.vouched.as_ref().filter(|_| is_referee).map(Contact::of),
            protocol: Some(DisplayName::new(PROTOCOL_VERSION)),
            group: Some(self.group.clone()),
            season,
            capacity: self.capacity,
            says_told: is_referee,
            keeps_token: self.keeps_token,
            code: self.invitation_code.clone(),
        }
    }

    /// What we are, as letters spell it.
    pub(crate) const fn role(&self) -> Role {
        match self.capacity {
            Some(_) => Role::Referee,
            None => Role::Player,
        }
    }
}

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

    /// No match of a new season was assigned before we came to it.
    pub(super) fn forget_previous(&mut self, is_new_season: bool) {
        self.previous.take_if(|_| is_new_season);
    }

    /// Whether the manager showed that before our last registration.
    pub(super) fn was_managers(&self, shown: &AuthToken) -> bool {
        let before = self.previous.as_ref().zip(self.given.as_ref());
        before.is_some_and(|(key, given)| key.manager_token(&given.league) == *shown)
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
