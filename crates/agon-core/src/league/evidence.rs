//! What players say of their games. It changes no result; it is shown where it contradicts one.
//!
//! Spec: docs/protocol/q21.md

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::act::{Progress, StatusReport};
use agon_proto::{MatchId, PlayerId};

use crate::fact::SeasonFact;

#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// One report of a game's end and one of its being broken off.
    reports: BTreeMap<(MatchId, PlayerId, bool), StatusReport>,
    contradicted: BTreeSet<(MatchId, PlayerId)>,
}

impl Evidence {
    /// Whether nobody has said anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.reports.is_empty()
    }

    /// What that player says of that game; the end of it counts for more than its being broken off.
    pub(crate) fn of(&self, match_id: MatchId, player: PlayerId) -> Option<&StatusReport> {
        let of = |ended| self.reports.get(&(match_id, player, ended));
        of(true).or_else(|| of(false))
    }

    pub(crate) fn has(&self, match_id: MatchId, player: PlayerId, report: &StatusReport) -> bool {
        self.reports.contains_key(&(match_id, player, ended(report)))
    }

    pub(crate) fn is_contradicted(&self, match_id: MatchId, player: PlayerId) -> bool {
        self.contradicted.contains(&(match_id, player))
    }

    /// What a player said, or that it was contradicted, of everything that becomes true.
    pub(super) fn apply(&mut self, fact: &SeasonFact) {
        if let SeasonFact::Evidence { match_id, player, report, .. } = fact {
            let place = (*match_id, *player, ended(report));
            self.reports.entry(place).or_insert_with(|| StatusReport::clone(report));
        }
        if let SeasonFact::Contradicted { match_id, player, .. } = fact {
            self.contradicted.insert((*match_id, *player));
        }
    }
}

/// Whether the player says that the game came to its end.
fn ended(report: &StatusReport) -> bool {
    report.phase == Progress::Completed
}
