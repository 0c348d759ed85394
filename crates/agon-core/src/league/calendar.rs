//! The calendar of a season that goes by the clock: when it opened and began, who is there for its
//! next round, and for how long the clock stood still. Changes only through facts.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;
use std::time::Duration;

use agon_proto::{Address, RoundId, Timestamp};

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
