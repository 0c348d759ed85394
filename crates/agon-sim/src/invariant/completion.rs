//! Once everything is healed, the season comes to its end.

use super::{Invariant, Sight};
use crate::ledger::Ledger;

#[derive(Default)]
pub(super) struct Completion;

impl Invariant for Completion {
    fn name(&self) -> &'static str {
        "completion"
    }

    fn see(&mut self, sight: &Sight<'_>, ledger: &Ledger) -> Result<(), String> {
        let Sight::Ended = sight else {
            return Ok(());
        };
        if ledger.over {
            return Ok(());
        }
        let open = ledger.matches.iter();
        let open: Vec<String> = open
            .filter(|(_, entry)| entry.verdict.is_none())
            .map(|(id, entry)| format!("{id} attempt {} at {}", entry.attempt, entry.referee))
            .collect();
        Err(format!(
            "stopped in round {} of {}; open: {open:?}",
            ledger.announced,
            ledger.paper.rounds()
        ))
    }
}
