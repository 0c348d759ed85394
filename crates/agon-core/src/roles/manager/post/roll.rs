//! The roll: who has enrolled for the season, in which role, and what proves it.
//!
//! One address has one role, and one team has one address for each.
//!
//! Spec: docs/protocol/q21.md

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::DisplayName;
use agon_proto::q21::{Address, GroupId, Role};

use crate::TokenHash;

/// So many strangers get an answer; anybody could fill the journal otherwise.
const STRANGERS_MAX: usize = 1_000;

/// Somebody who has enrolled.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) address: Address,
    pub(super) role: Role,
    pub(super) group: GroupId,
    pub(super) name: DisplayName,
    /// What proves it, where letters travel by call.
    pub(super) token: Option<TokenHash>,
}

#[derive(Debug, Default)]
pub(super) struct Roll {
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
    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    pub(super) fn member(&self, address: &Address) -> Option<&Member> {
        self.by_address.get(address).map(|place| &self.members[*place])
    }

    /// Who has that role in that team. Teams are the same in whatever case they are written.
    pub(super) fn at(&self, group: &GroupId, role: Role) -> Option<&Member> {
        self.by_place.get(&(plain(group), role)).map(|place| &self.members[*place])
    }

    pub(super) fn holder(&self, token: &TokenHash) -> Option<&Member> {
        self.by_token.get(token).map(|place| &self.members[*place])
    }

    pub(super) fn with_role(&self, role: Role) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(move |member| member.role == role)
    }

    /// Player and referee of every team that has both, in the order in which the players came.
    pub(super) fn teams(&self) -> impl Iterator<Item = [&Member; 2]> {
        let players = self.with_role(Role::Player);
        players.filter_map(|player| Some([player, self.at(&player.group, Role::Referee)?]))
    }

    /// Whether that stranger may have an answer: each gets one, and not the whole world does.
    pub(super) fn may_answer(&self, address: &Address) -> bool {
        self.strangers.len() < STRANGERS_MAX && !self.strangers.contains(address)
    }

    pub(super) fn has_acknowledged(&self, address: &Address) -> bool {
        self.acknowledged.contains(address)
    }

    pub(super) fn enrol(&mut self, member: Member) {
        let place = self.members.len();
        self.by_address.insert(member.address.clone(), place);
        self.by_place.insert((plain(&member.group), member.role), place);
        if let Some(token) = member.token {
            self.by_token.insert(token, place);
        }
        self.members.push(member);
    }

    /// From now on another token proves that member.
    pub(in crate::roles::manager) fn renew(&mut self, address: &Address, token: TokenHash) {
        let Some(&place) = self.by_address.get(address) else { return };
        let member = &mut self.members[place];
        if let Some(before) = member.token.replace(token) {
            self.by_token.remove(&before);
        }
        self.by_token.insert(token, place);
    }

    pub(super) fn answer(&mut self, address: Address) {
        self.strangers.insert(address);
    }

    pub(super) fn acknowledge(&mut self, address: Address) {
        self.acknowledged.insert(address);
    }
}

fn plain(group: &GroupId) -> String {
    group.as_str().to_lowercase()
}
