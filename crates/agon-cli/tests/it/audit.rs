//! The journal of a manager, in the hands of the auditor.

use std::path::Path;

use agon_core::{League, LeagueFact, OutcomePoints};
use agon_proto::message::Cause;
use agon_sim::{Audit, Sight};
use agon_store::Journal;

/// Reads the journal in that folder. The first fact that breaks a promise ends the test.
#[track_caller]
pub(crate) fn read(data: &Path) -> Audit {
    let mut facts = Vec::<LeagueFact>::new();
    Journal::read_only(data).unwrap().replay(|fact| facts.push(fact)).unwrap();
    let mut audit = Audit::paying(OutcomePoints::COURSE);
    for fact in &facts {
        audit.see(&Sight::LeagueWrote(fact));
        assert_eq!(audit.broken(), None, "{fact:?}");
    }
    audit
}

/// The season is over, and every one of its so many matches was played to its end, once.
#[track_caller]
pub(crate) fn all_played(data: &Path, matches: u64) -> League {
    let league = read(data).end().unwrap();
    let season = league.season();
    assert_eq!(season.completed(), matches);
    for id in season.ids() {
        let verdict = season.result(id).unwrap().verdict;
        assert_eq!(verdict.cause, Cause::Played, "{id}: {verdict:?}");
        assert!(verdict.gains.is_some() && verdict.points.iter().all(|points| *points <= 3));
    }
    league
}
