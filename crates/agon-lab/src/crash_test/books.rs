//! Reading the books of a season: at its end, and after each death of the manager.
//!
//! A result is acknowledged when its referee has written down that the manager answered, when a
//! player has heard it, or when the manager's log has told it. What was acknowledged must be in the
//! manager's journal, and the same.

use std::path::Path;

use agon_core::RefereeFact;
use agon_node::Role;
use agon_proto::message::StandingsRow;
use agon_sim::{Audit, Finding, FindingKind, Sight, Told};
use serde::Deserialize;

use super::lab::Part;
use super::member::log_of;
use crate::lab::facts;

/// All books of a season, in the hands of the auditor, and what cannot be read. What is wrong with
/// a fact the auditor remembers.
pub(super) fn open(dir: &Path, cast: &[Part]) -> (Audit, Vec<Finding>) {
    let (mut audit, mut unreadable) = (Audit::default(), Vec::new());
    // The manager is the first, so that what the others heard can be held up to its journal.
    for (node, part) in cast.iter().enumerate() {
        let data = dir.join(&part.name);
        let read = match part.role {
            Role::Manager => facts(&data, |fact| audit.see(&Sight::LeagueWrote(&fact))),
            Role::Referee => facts(&data, |fact| audit.see(&Sight::RefereeWrote(node, &fact))),
            Role::Player => facts(&data, |fact| audit.see(&Sight::PlayerWrote(node, &fact))),
        };
        let what = |error| Finding::general(FindingKind::Wrong, format!("{error:#}"));
        unreadable.extend(read.err().map(what));
        if part.role == Role::Manager {
            told(&log_of(dir, &part.name)).iter().for_each(|told| audit.see(&Sight::Told(told)));
        }
    }
    (audit, unreadable)
}

/// Everything that is wrong with a season. One that did not come to its end has no table, and is
/// only asked whether it kept what it had acknowledged by then.
pub(super) fn close(mut audit: Audit, table: Option<&[StandingsRow]>) -> Vec<Finding> {
    let broken = match table {
        Some(table) => {
            audit.see(&Sight::Table(table));
            audit.findings()
        }
        None => audit.interrupted(),
    };
    broken.into_iter().map(|broken| broken.finding).collect()
}

/// Whether nobody ever told that process that it is in. Players are: without them no season begins.
pub(super) fn is_stranger(dir: &Path, part: &Part) -> bool {
    let mut known = false;
    let read = facts(&dir.join(&part.name), |fact| {
        known |= matches!(fact, RefereeFact::Agent(fact) if fact.admitted_as().is_some());
    });
    part.role == Role::Referee && read.is_ok() && !known
}

/// A line of the manager's log: a result that it called accepted.
#[derive(Deserialize)]
struct Line {
    message: String,
    #[serde(flatten)]
    told: Told,
}

/// What all lives of the manager have called accepted. A line that a death has torn is no word.
fn told(log: &Path) -> Vec<Told> {
    let text = std::fs::read(log).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok());
    lines.filter(|line| line.message == "result accepted").map(|line| line.told).collect()
}
