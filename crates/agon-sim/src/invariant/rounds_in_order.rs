//! A round is announced when the one before is complete, and complete when all its matches are.
//! Nothing goes on while a match is played again.

use agon_core::{Effect, LeagueFact};
use agon_proto::Message;

use super::{Invariant, Sight};
use crate::ledger::Ledger;

#[derive(Default)]
pub(super) struct RoundsInOrder;

impl Invariant for RoundsInOrder {
    fn name(&self) -> &'static str {
        "rounds-in-order"
    }

    fn see(&mut self, sight: &Sight<'_>, ledger: &Ledger) -> Result<(), String> {
        if let Sight::LeagueWrote(fact) = sight {
            return follows(fact, ledger);
        }
        if let Sight::Leaves { effect: Effect::Broadcast(news), .. } = sight
            && let Message::RoundAnnouncement(said) = &news.message
            && (said.round_id > ledger.announced || said.round_id > ledger.completed + 1)
        {
            return Err(format!("round {} is announced too early", said.round_id));
        }
        Ok(())
    }
}

fn follows(fact: &LeagueFact, ledger: &Ledger) -> Result<(), String> {
    if let LeagueFact::RoundAnnounced { round, .. } = fact {
        let next = *round == ledger.announced + 1 && *round == ledger.completed + 1;
        if !next {
            return Err(format!("round {round} follows {}", ledger.completed));
        }
    }
    if let LeagueFact::RoundAnnounced { .. }
    | LeagueFact::RoundCompleted { .. }
    | LeagueFact::LeagueCompleted { .. } = fact
        && let Some(open) = ledger.open()
    {
        return Err(format!("{fact:?} while {open} is open"));
    }
    if let LeagueFact::RoundCompleted { round, .. } = fact {
        let open = ledger.paper.matches_in(*round).find(|id| ledger.verdict(*id).is_none());
        if *round != ledger.announced || open.is_some() {
            return Err(format!("round {round} is complete without {open:?}"));
        }
    }
    if let LeagueFact::LeagueCompleted { .. } = fact
        && ledger.completed != ledger.paper.rounds()
    {
        return Err(format!("the league ends after round {}", ledger.completed));
    }
    Ok(())
}
