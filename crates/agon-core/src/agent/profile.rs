//! What an agent says of itself, and where it wants to go.

use std::time::Duration;

use agon_proto::act::Applying;
use agon_proto::{
    Address, Contact, DisplayName, GameType, GroupId, InvitationCode, PROTOCOL_VERSION, Role,
    SeasonId,
};

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
    /// How many tries.
    pub tries: u32,
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

    /// Who we are to somebody who is reached there, if not by our contact: by mail the mailbox.
    pub(crate) fn known_to(&self, reader: &Address) -> Option<&Address> {
        self.vouched.as_ref().filter(|_| !reader.is_endpoint())
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
