//! What the reports of a season came to: those that counted, those that did not, and which referees
//! contradicted themselves.
//!
//! What was played is kept beside the results. Few things are, again and again: each is kept once,
//! so that a result has a small and fixed size.
//!
//! Spec: docs/protocol/match.md

use agon_proto::tool::ContradictedReport;
use agon_proto::{MatchId, Payload, RefereeId};
use rustc_hash::FxHashMap;

use super::{MatchRecord, Season};
use crate::fact::LeagueFact;

impl Season {
    /// Whether that referee has reported that match in vain.
    pub(crate) fn is_disputed(&self, id: MatchId, referee: RefereeId) -> bool {
        self.disputed.contains_key(&(id, referee))
    }

    /// Whether a report of that referee has contradicted itself.
    pub(crate) fn is_distrusted(&self, referee: RefereeId) -> bool {
        self.distrusted.contains(&referee)
    }

    /// The reports of that match that contradicted themselves. What they say of it is told when the
    /// match is over, as everything else that was played.
    pub(crate) fn contradictions(&self, id: MatchId) -> Vec<ContradictedReport> {
        let told = self.result(id).is_some();
        let of_match = (id, RefereeId::new(0))..=(id, RefereeId::new(u32::MAX));
        let reports = self.disputed.range(of_match).filter_map(|(_, report)| report.clone());
        let shown = |report: ContradictedReport| ContradictedReport {
            contradiction: report.contradiction.filter(|_| told),
            ..report
        };
        reports.map(shown).collect()
    }
}

/// The transitions. Only `apply` of the manager calls them.
impl Season {
    /// A report was accepted, or was not. Other facts are none of this.
    pub(crate) fn note_report(&mut self, fact: &LeagueFact) {
        if let LeagueFact::ResultAccepted {
            match_id,
            attempt,
            referee,
            verdict,
            details,
            unverified,
            at,
        } = fact
        {
            let (verdict, referee, attempt) = (*verdict, *referee, *attempt);
            let (unverified, at, details) = (*unverified, *at, self.details.keep(details));
            let record = MatchRecord { verdict, referee, attempt, unverified, details, at };
            self.accept(*match_id, record);
        }
        if let LeagueFact::ResultDisputed {
            match_id, attempt, referee, contradiction, at, ..
        } = fact
        {
            let report = contradiction.clone().map(|contradiction| ContradictedReport {
                referee_id: *referee,
                attempt: *attempt,
                contradiction: Some(contradiction),
                timestamp: *at,
            });
            self.dispute(*match_id, *referee, report);
        }
    }

    /// A report did not count; it may have contradicted itself.
    fn dispute(&mut self, id: MatchId, referee: RefereeId, report: Option<ContradictedReport>) {
        if report.is_some() {
            self.distrusted.insert(referee);
        }
        self.disputed.insert((id, referee), report);
    }

    /// The operator vouches for that referee again.
    pub(crate) fn trust_again(&mut self, referee: RefereeId) {
        self.distrusted.remove(&referee);
    }
}

/// The place of something that was played. The first is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DetailsId(u32);

/// Everything that was played.
#[derive(Debug)]
pub(super) struct Details {
    kept: Vec<Payload>,
    known: FxHashMap<Payload, DetailsId>,
}

impl Default for Details {
    fn default() -> Self {
        let nothing = Payload::default();
        let known = [(nothing.clone(), DetailsId::default())].into_iter().collect();
        Self { kept: vec![nothing], known }
    }
}

impl Details {
    pub(super) fn keep(&mut self, details: &Payload) -> DetailsId {
        if let Some(id) = self.known.get(details) {
            return *id;
        }
        let place = u32::try_from(self.kept.len()).expect("a season has fewer matches than that");
        self.kept.push(details.clone());
        self.known.insert(details.clone(), DetailsId(place));
        DetailsId(place)
    }

    pub(super) fn get(&self, id: DetailsId) -> &Payload {
        &self.kept[id.0 as usize]
    }
}
