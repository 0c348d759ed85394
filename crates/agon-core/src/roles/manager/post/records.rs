//! What the manager of a Q21 league remembers besides the season: its letters, who has enrolled,
//! who is there, how long the clock stood still, and what players say. Changes only through facts.
//!
//! Spec: docs/protocol/q21.md

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_proto::q21::{Address, PlayerPhase, StatusReport};
use agon_proto::{MatchId, PlayerId, RoundId, Timestamp};

use super::roll::{Member, Roll};
use crate::TokenHash;
use crate::fact::{LeagueFact, Q21Fact};
use crate::post::Letterbox;

/// Who is there for one round.
#[derive(Debug)]
pub(super) struct CheckIn {
    pub(super) round: RoundId,
    pub(super) opened: Timestamp,
    /// How long the clock stood still since then.
    pub(super) halted: Duration,
    pub(super) present: BTreeSet<Address>,
}

#[derive(Debug, Default)]
pub(in crate::roles::manager) struct Post {
    pub(super) letterbox: Letterbox,
    pub(super) roll: Roll,
    /// Who was on the roll of a season that was reset, with its last token.
    pub(super) former: BTreeMap<Address, Option<TokenHash>>,
    /// How often the season was reset.
    pub(super) resets: u32,
    pub(super) announced: bool,
    /// The season begins by itself from then on.
    pub(super) until: Option<Timestamp>,
    pub(super) started: Option<Timestamp>,
    pub(super) check_in: Option<CheckIn>,
    /// How long the clock stood still since the season began, and since the round did.
    pub(super) halted: Duration,
    pub(super) halted_in_round: Duration,
    halted_since: Option<Timestamp>,
    /// How often the league was paused.
    pub(super) pauses: u32,
    /// What players say of their games: one report of its end and one of its being broken off.
    evidence: BTreeMap<(MatchId, PlayerId, bool), StatusReport>,
    contradicted: BTreeSet<(MatchId, PlayerId)>,
    /// Nobody is late before that, because we could not hear. Not durable.
    pub(super) deaf_until: Option<Timestamp>,
}

impl Post {
    /// What that player says of that game; the end of it counts for more than its being broken off.
    pub(super) fn evidence(&self, match_id: MatchId, player: PlayerId) -> Option<&StatusReport> {
        let of = |ended| self.evidence.get(&(match_id, player, ended));
        of(true).or_else(|| of(false))
    }

    pub(super) fn has_evidence(
        &self,
        match_id: MatchId,
        player: PlayerId,
        report: &StatusReport,
    ) -> bool {
        self.evidence.contains_key(&(match_id, player, ended(report)))
    }

    pub(super) fn is_contradicted(&self, match_id: MatchId, player: PlayerId) -> bool {
        self.contradicted.contains(&(match_id, player))
    }

    /// Whom that token proved before the season was reset.
    pub(super) fn former_holder(&self, token: &TokenHash) -> Option<&Address> {
        let holder = self.former.iter().find(|(_, known)| known.as_ref() == Some(token));
        holder.map(|(address, _)| address)
    }

    /// The check-in for that round, if it is open.
    pub(super) fn check_in_for(&self, round: RoundId) -> Option<&CheckIn> {
        self.check_in.as_ref().filter(|check_in| check_in.round == round)
    }

    /// What concerns letters, of everything that becomes true.
    pub(in crate::roles::manager) fn apply(&mut self, fact: &LeagueFact) {
        match fact {
            LeagueFact::Post(fact) => self.letterbox.apply(fact),
            LeagueFact::Q21(fact) => self.apply_letters(fact),
            LeagueFact::SeasonStarted { at, .. } => {
                self.started = Some(*at);
                self.halted_since = self.halted_since.map(|since| since.max(*at));
            }
            LeagueFact::RoundAnnounced { .. } => self.halted_in_round = Duration::ZERO,
            LeagueFact::Paused { at, .. } => {
                self.halted_since = Some(*at);
                self.pauses += 1;
            }
            LeagueFact::Resumed { at, .. } => self.go_on(*at),
            LeagueFact::Opened { .. }
            | LeagueFact::PlayerRegistered { .. }
            | LeagueFact::RefereeRegistered { .. }
            | LeagueFact::MatchReassigned { .. }
            | LeagueFact::ResultAccepted { .. }
            | LeagueFact::ResultDisputed { .. }
            | LeagueFact::RoundCompleted { .. }
            | LeagueFact::LeagueCompleted { .. }
            | LeagueFact::PlayerWithdrawn { .. }
            | LeagueFact::MatchVoided { .. }
            | LeagueFact::MatchRerun { .. }
            | LeagueFact::PlayerReset { .. }
            | LeagueFact::RefereeReset { .. } => {}
        }
    }

    fn apply_letters(&mut self, fact: &Q21Fact) {
        match fact {
            Q21Fact::SeasonAnnounced { until, .. } => {
                self.announced = true;
                self.until = *until;
            }
            Q21Fact::Enrolled { address, role, group, name, token, .. } => {
                let (address, group, name) = (address.clone(), group.clone(), name.clone());
                self.roll.enrol(Member { address, role: *role, group, name, token: *token });
            }
            Q21Fact::TurnedAway { address, .. } | Q21Fact::Introduced { address, .. } => {
                self.roll.answer(address.clone());
            }
            Q21Fact::Acknowledged { address, .. } => self.roll.acknowledge(address.clone()),
            Q21Fact::CheckInOpened { round, at } => {
                let (present, halted) = (BTreeSet::new(), Duration::ZERO);
                self.check_in = Some(CheckIn { round: *round, opened: *at, halted, present });
            }
            Q21Fact::CheckedIn { round, address, .. } => {
                let open = self.check_in.as_mut().filter(|check_in| check_in.round == *round);
                if let Some(check_in) = open {
                    check_in.present.insert(address.clone());
                }
            }
            Q21Fact::Evidence { match_id, player, report, .. } => {
                let place = (*match_id, *player, ended(report));
                self.evidence.entry(place).or_insert_with(|| StatusReport::clone(report));
            }
            Q21Fact::Contradicted { match_id, player, .. } => {
                self.contradicted.insert((*match_id, *player));
            }
            Q21Fact::SeasonReset { .. } => self.forget(),
        }
    }

    /// Everything of the season but the letters, and who was in it.
    fn forget(&mut self) {
        let Self { letterbox, mut former, resets, roll, .. } = std::mem::take(self);
        let members = roll.members().iter();
        former.extend(members.map(|member| (member.address.clone(), member.token)));
        *self = Self { letterbox, former, resets: resets + 1, ..Self::default() };
    }

    /// From now on another token proves that member.
    pub(in crate::roles::manager) fn renew(&mut self, address: &Address, token: TokenHash) {
        self.roll.renew(address, token);
    }

    /// The clock goes on from where it stood.
    fn go_on(&mut self, at: Timestamp) {
        let Some(since) = self.halted_since.take() else { return };
        let halted = at.since(since);
        self.halted_in_round += halted;
        if let Some(check_in) = &mut self.check_in {
            check_in.halted += halted;
        }
        if self.started.is_some() {
            self.halted += halted;
        }
    }
}

/// Whether the player says that the game came to its end.
fn ended(report: &StatusReport) -> bool {
    report.phase == PlayerPhase::Completed
}
