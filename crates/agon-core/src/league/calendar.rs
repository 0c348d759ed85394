//! What only a season that goes by the clock or is played by letters has: its calendar, whom it has
//! answered, and what its players say of their matches. Changes only through facts.
//!
//! Spec: docs/protocol/q21.md

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_proto::act::{Progress, StatusReport};
use agon_proto::{Address, MatchId, Played, PlayerId, RoundId, Timestamp};

use crate::fact::{LeagueFact, SeasonFact};

/// Who is there for one round.
#[derive(Debug)]
pub(crate) struct CheckIn {
    pub(crate) round: RoundId,
    pub(crate) opened: Timestamp,
    /// How long the clock stood still since then.
    pub(crate) halted: Duration,
    pub(crate) present: BTreeSet<Address>,
}

/// When the season opened and began, who is there for its next round, and for how long the clock
/// stood still.
#[derive(Debug, Default)]
pub(crate) struct Calendar {
    pub(crate) announced: bool,
    /// The season begins by itself from then on.
    pub(crate) until: Option<Timestamp>,
    pub(crate) started: Option<Timestamp>,
    check_in: Option<CheckIn>,
    /// How long the clock stood still since the season began, and since the round did.
    pub(crate) halted: Duration,
    pub(crate) halted_in_round: Duration,
    halted_since: Option<Timestamp>,
    /// How often the league was paused.
    pub(crate) pauses: u32,
}

impl Calendar {
    /// The check-in for that round, if it is open.
    pub(crate) fn check_in_for(&self, round: RoundId) -> Option<&CheckIn> {
        self.check_in.as_ref().filter(|check_in| check_in.round == round)
    }

    /// What concerns the clock, of everything that becomes true.
    pub(super) fn apply(&mut self, fact: &LeagueFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest has its own pages")]
        match fact {
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
            LeagueFact::Season(SeasonFact::SeasonAnnounced { until, .. }) => {
                self.announced = true;
                self.until = *until;
            }
            LeagueFact::Season(SeasonFact::CheckInOpened { round, at }) => {
                let (present, halted) = (BTreeSet::new(), Duration::ZERO);
                self.check_in = Some(CheckIn { round: *round, opened: *at, halted, present });
            }
            LeagueFact::Season(SeasonFact::CheckedIn { round, address, .. }) => {
                let open = self.check_in.as_mut().filter(|check_in| check_in.round == *round);
                if let Some(check_in) = open {
                    check_in.present.insert(address.clone());
                }
            }
            _ => {}
        }
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

/// So many strangers get an answer; anybody could fill the journal otherwise.
const STRANGERS_MAX: usize = 1_000;

/// What was said in letters, as far as it matters later: whom the league has answered, who has
/// answered it, and what players say of their matches.
#[derive(Debug, Default)]
pub(crate) struct Correspondence {
    /// Who is not in the league, and had an answer.
    strangers: BTreeSet<Address>,
    /// Who has the season's table.
    pub(crate) acknowledged: BTreeSet<Address>,
    /// One report of a game's end and one of its being broken off.
    pub(crate) reports: BTreeMap<(MatchId, PlayerId, bool), StatusReport>,
    /// Who said of which match what its result contradicts; and which moves, if they do.
    pub(crate) contradicted: BTreeMap<(MatchId, PlayerId), Option<Played>>,
}

impl Correspondence {
    /// Whether that stranger may have an answer: each gets one, and not the whole world does.
    pub(crate) fn may_answer(&self, address: &Address) -> bool {
        self.strangers.len() < STRANGERS_MAX && !self.strangers.contains(address)
    }

    /// What that player says of that game; the end of it counts for more than its being broken off.
    pub(crate) fn report(&self, match_id: MatchId, player: PlayerId) -> Option<&StatusReport> {
        let of = |ended| self.reports.get(&(match_id, player, ended));
        of(true).or_else(|| of(false))
    }

    /// Whether that player has said the like of that game already.
    pub(crate) fn has(&self, match_id: MatchId, player: PlayerId, report: &StatusReport) -> bool {
        self.reports.contains_key(&(match_id, player, ended(report)))
    }

    /// Whom that concerns, of everything that becomes true.
    pub(super) fn apply(&mut self, fact: &SeasonFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is the calendar's")]
        match fact {
            SeasonFact::TurnedAway { address, .. } | SeasonFact::Introduced { address, .. } => {
                self.strangers.insert(address.clone());
            }
            SeasonFact::Acknowledged { address, .. } => {
                self.acknowledged.insert(address.clone());
            }
            SeasonFact::Evidence { match_id, player, report, .. } => {
                let place = (*match_id, *player, ended(report));
                self.reports.entry(place).or_insert_with(|| StatusReport::clone(report));
            }
            SeasonFact::Contradicted { match_id, player, played, .. } => {
                self.contradicted.insert((*match_id, *player), *played);
            }
            _ => {}
        }
    }
}

/// Whether the player says that the game came to its end.
fn ended(report: &StatusReport) -> bool {
    report.phase == Progress::Completed
}
