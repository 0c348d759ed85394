//! Nobody is shown anything of a match's choices before its result is durable.

use agon_core::Effect;
use agon_proto::Answer;
use agon_proto::tool::{MatchState, ToolAnswer};

use super::{Invariant, Sight};
use crate::ledger::Ledger;

#[derive(Default)]
pub(super) struct Sealed;

impl Invariant for Sealed {
    fn name(&self) -> &'static str {
        "sealed"
    }

    fn see(&mut self, sight: &Sight<'_>, ledger: &Ledger) -> Result<(), String> {
        let Sight::Leaves { effect, .. } = sight else {
            return Ok(());
        };
        if let Effect::Fetch { state, .. } = effect {
            return check(state, ledger);
        }
        if let Effect::Reply { answer: Answer::Tool(ToolAnswer::Match(state)), .. } = effect {
            return check(state, ledger);
        }
        Ok(())
    }
}

fn check(shown: &MatchState, ledger: &Ledger) -> Result<(), String> {
    let id = shown.match_id;
    let over = ledger.verdict(id).or(ledger.accepted(id, shown.attempt)).is_some();
    if over || (shown.result.is_none() && shown.transcript.is_empty()) {
        return Ok(());
    }
    Err(format!("{id} is shown as {shown:?} and has no result yet"))
}
