//! Whom a league that is played by letters has answered, and who has answered it.
//!
//! Spec: docs/protocol/q21.md

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::act::{Progress, StatusReport};
use agon_proto::{Address, MatchId, PlayerId};

use crate::fact::SeasonFact;

/// So many strangers get an answer; anybody could fill the journal otherwise.
const STRANGERS_MAX: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct Correspondence {
    /// Who is not in the league, and had an answer.
    strangers: BTreeSet<Address>,
    /// Who has the season's table.
    acknowledged: BTreeSet<Address>,
}

impl Correspondence {
    /// Whether that stranger may have an answer: each gets one, and not the whole world does.
    pub(crate) fn may_answer(&self, address: &Address) -> bool {
        self.strangers.len() < STRANGERS_MAX && !self.strangers.contains(address)
    }

    pub(crate) fn has_acknowledged(&self, address: &Address) -> bool {
        self.acknowledged.contains(address)
    }

    /// Whom that concerns, of everything that becomes true.
    pub(super) fn apply(&mut self, fact: &SeasonFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest answers nobody")]
        match fact {
            SeasonFact::TurnedAway { address, .. } | SeasonFact::Introduced { address, .. } => {
                self.strangers.insert(address.clone());
            }
            SeasonFact::Acknowledged { address, .. } => {
                self.acknowledged.insert(address.clone());
            }
            _ => {}
        }
    }
}

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
