//! A passport: what an agent of a Q21 league knows of itself and of its manager, and what proves
//! other people to it.
//!
//! By mail the mail server vouches for an address. By call a token does: the manager's, derived
//! from our own, and one for each game, which its referee was given by the manager.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{GameId, LeagueRegistration, Letter, Role};
use agon_proto::{Address, AuthToken, DisplayName, GroupId, LeagueId};
use serde::{Deserialize, Serialize};

use crate::effect::Proof;
use crate::secret::SigningKey;

/// What an agent says of itself, and where it wants to go.
#[derive(Debug, Clone)]
pub struct Passport {
    /// Who we are: our mail address, or our endpoint.
    pub address: Address,
    /// Our mailbox, if we have one besides our endpoint.
    pub mailbox: Option<Address>,
    /// The league manager.
    pub manager: Address,
    /// Our team.
    pub group: GroupId,
    pub name: DisplayName,
    /// Different at every start, and nobody can guess it: it proves the answer to our request.
    pub nonce: u64,
    /// What the league gave us; by mail it stays empty.
    pub(crate) visa: Option<Visa>,
}

/// What the manager gave to an agent that it is called by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visa {
    pub league: LeagueId,
    pub token: AuthToken,
}

impl Passport {
    pub fn new(address: Address, manager: Address, group: GroupId, name: DisplayName) -> Self {
        Self { address, mailbox: None, manager, group, name, nonce: 0, visa: None }
    }

    /// Whether the league manager wrote this letter.
    pub(crate) fn is_from_manager(&self, proof: &Proof, letter: &Letter) -> bool {
        match proof {
            Proof::Mail(from) => *from == self.manager,
            Proof::Token => self.visa.as_ref().is_some_and(|visa| {
                let expected =
                    SigningKey::of(&visa.token).map(|key| key.manager_token(&visa.league));
                expected.is_some() && expected == letter.auth_token
            }),
        }
    }

    /// Whether the referee of that game wrote this letter.
    pub(crate) fn is_from_referee(
        &self,
        proof: &Proof,
        letter: &Letter,
        game: &GameId,
        referee: &Address,
    ) -> bool {
        match proof {
            Proof::Mail(from) => from == referee,
            Proof::Token => self.visa.as_ref().is_some_and(|visa| {
                let expected = SigningKey::of(&visa.token)
                    .map(|key| key.game_token(&visa.league, game, referee));
                expected.is_some() && expected == letter.auth_token
            }),
        }
    }

    /// What we say of ourselves to a manager that does not know us.
    pub(crate) fn introduction(&self, role: Role) -> LeagueRegistration {
        LeagueRegistration {
            role,
            group: Some(self.group.clone()),
            name: Some(self.name.clone()),
            contact: Some(self.address.clone()),
        }
    }

    /// Whether we are called, and not written to: then nobody invites us, and tokens prove who is
    /// who.
    pub(crate) fn is_called(&self) -> bool {
        self.address.is_endpoint()
    }

    /// Who we are to somebody who is reached there: by mail the mailbox, if we have one.
    pub(crate) fn address_for(&self, reader: &Address) -> Address {
        let mailbox = self.mailbox.as_ref().filter(|_| !reader.is_endpoint());
        mailbox.unwrap_or(&self.address).clone()
    }

    /// What proves us to the manager, where letters travel by call.
    pub(crate) fn token(&self) -> Option<AuthToken> {
        self.visa.as_ref().map(|visa| visa.token.clone())
    }
}
