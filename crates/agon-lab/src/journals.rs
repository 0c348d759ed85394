//! What a season left behind: everybody's journal, and what the manager's log called accepted.

use std::path::Path;

use agon_proto::{MatchId, RefereeId};
use agon_sim::Told;
use agon_store::Journal;
use anyhow::Context;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Hands every fact of the journal in that folder to `each`, oldest first.
pub(crate) fn facts<F: DeserializeOwned + Send>(
    dir: &Path,
    each: impl FnMut(F),
) -> anyhow::Result<()> {
    let read = Journal::read_only(dir).and_then(|journal| journal.replay(each));
    read.with_context(|| format!("could not read the journal in {}", dir.display()))?;
    Ok(())
}

/// A line of the manager's log: a result that it called accepted.
#[derive(Deserialize)]
struct Line {
    message: String,
    match_id: MatchId,
    attempt: u32,
    referee: RefereeId,
    status: String,
    cause: String,
}

/// What all lives of the manager have called accepted. A line that a death has torn is no word.
pub(crate) fn told(log: &Path) -> Vec<Told> {
    let text = std::fs::read(log).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok());
    lines
        .filter(|line| line.message == "result accepted")
        .map(|Line { match_id, attempt, referee, status, cause, .. }| Told {
            match_id,
            attempt,
            referee,
            status,
            cause,
        })
        .collect()
}
