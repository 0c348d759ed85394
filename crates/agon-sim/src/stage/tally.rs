//! What came of the season, in numbers.

use std::fmt::Write;

use agon_core::{LeagueFact, Outcome};

use super::Stage;
use crate::cast::Mind;
use crate::digest::Digest;
use crate::plan::START;
use crate::report::Report;

impl Stage<'_> {
    pub(super) fn sum_up(mut self) -> Report {
        let season = &self.audit.books().season;
        for entry in season.matches.values() {
            self.tally.matches += u64::from(entry.verdict.is_some());
            let cancelled = entry.verdict.map(|verdict| verdict.outcome);
            self.tally.cancelled += u64::from(cancelled == Some(Outcome::Cancelled));
            self.tally.attempts += u64::from(entry.attempt - 1);
        }
        self.tally.virtual_seconds = self.agenda.now.since(START).as_secs();
        if let Mind::Manager(cast) = &self.nodes[0].mind {
            let rerun = |fact: &&LeagueFact| matches!(fact, LeagueFact::MatchRerun { .. });
            self.tally.reruns = cast.journal.iter().filter(rerun).count() as u64;
            let mut digest = Digest::default();
            for fact in &cast.journal {
                write!(digest, "{fact:?}").expect("a digest takes every text");
            }
            self.tally.digest = digest.0;
        }
        self.tally.broken = self.audit.broken().cloned();
        self.tally
    }
}
