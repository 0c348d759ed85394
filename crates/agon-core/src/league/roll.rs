//! The roll: who has enrolled for the season, in which role, and what proves it.
//!
//! One address has one role, and one team has one address for each.
//!
//! Spec: docs/protocol/q21.md

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::q21::{Address, GroupId, Role};
use agon_proto::{AgentId, DisplayName};

use crate::TokenHash;
use crate::fact::Q21Fact;

/// So many strangers get an answer; anybody could fill the journal otherwise.
const STRANGERS_MAX: usize = 1_000;

/// Somebody who has enrolled.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) address: Address,
    pub(crate) role: Role,
    pub(crate) group: GroupId,
    pub(crate) name: DisplayName,
    /// What proves it, where letters travel by call.
    pub(crate) token: Option<TokenHash>,
    /// Which of its tokens that is, if the operator gave it.
    pub(crate) given: Option<(AgentId, u32)>,
}

#[derive(Debug, Default)]
pub(crate) struct Roll {
    /// In the order of enrolment.
    members: Vec<Member>,
    by_address: BTreeMap<Address, usize>,
    by_place: BTreeMap<(String, Role), usize>,
    by_token: BTreeMap<TokenHash, usize>,
    /// Who is not on the roll, and had an answer.
    strangers: BTreeSet<Address>,
    acknowledged: BTreeSet<Address>,
}

impl Roll {
    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    pub(crate) fn member(&self, address: &Address) -> Option<&Member> {
        self.by_address.get(address).map(|place| &self.members[*place])
    }

    /// Who has that role in that team. Teams are the same in whatever case they are written.
    pub(crate) fn at(&self, group: &GroupId, role: Role) -> Option<&Member> {
        self.by_place.get(&(plain(group), role)).map(|place| &self.members[*place])
    }

    pub(crate) fn holder(&self, token: &TokenHash) -> Option<&Member> {
        self.by_token.get(token).map(|place| &self.members[*place])
    }

    pub(crate) fn with_role(&self, role: Role) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(move |member| member.role == role)
    }

    /// Player and referee of every team that has both, in the order in which the players came.
    pub(crate) fn teams(&self) -> impl Iterator<Item = [&Member; 2]> {
        let players = self.with_role(Role::Player);
        players.filter_map(|player| Some([player, self.at(&player.group, Role::Referee)?]))
    }

    /// Whether that stranger may have an answer: each gets one, and not the whole world does.
    pub(crate) fn may_answer(&self, address: &Address) -> bool {
        self.strangers.len() < STRANGERS_MAX && !self.strangers.contains(address)
    }

    pub(crate) fn has_acknowledged(&self, address: &Address) -> bool {
        self.acknowledged.contains(address)
    }

    /// Whom that concerns, of everything that becomes true.
    pub(super) fn apply(&mut self, fact: &Q21Fact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest concerns nobody's place")]
        match fact {
            Q21Fact::Enrolled { address, role, group, name, token, .. } => {
                let (address, group, name) = (address.clone(), group.clone(), name.clone());
                let (role, token) = (*role, *token);
                self.enrol(Member { address, role, group, name, token, given: None });
            }
            Q21Fact::TurnedAway { address, .. } | Q21Fact::Introduced { address, .. } => {
                self.strangers.insert(address.clone());
            }
            Q21Fact::Acknowledged { address, .. } => {
                self.acknowledged.insert(address.clone());
            }
            _ => {}
        }
    }

    fn enrol(&mut self, member: Member) {
        let place = self.members.len();
        self.by_address.insert(member.address.clone(), place);
        self.by_place.insert((plain(&member.group), member.role), place);
        if let Some(token) = member.token {
            self.by_token.insert(token, place);
        }
        self.members.push(member);
    }

    /// From now on another token proves that member.
    pub(crate) fn renew(&mut self, address: &Address, token: TokenHash, given: (AgentId, u32)) {
        let Some(&place) = self.by_address.get(address) else { return };
        let member = &mut self.members[place];
        member.given = Some(given);
        if let Some(before) = member.token.replace(token) {
            self.by_token.remove(&before);
        }
        self.by_token.insert(token, place);
    }
}

fn plain(group: &GroupId) -> String {
    group.as_str().to_lowercase()
}
