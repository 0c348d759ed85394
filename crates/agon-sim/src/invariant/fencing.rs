//! A result counts only for the attempt and the referee that hold the match, and only as that
//! referee judged it; a forged letter changes nothing.

use std::collections::BTreeMap;

use agon_core::{LeagueFact, Outcome, RefereeFact, Seat, Verdict};
use agon_proto::MatchId;
use agon_proto::message::Cause;

use super::{Invariant, Sight};
use crate::ledger::Ledger;

#[derive(Default)]
pub(super) struct Fencing {
    /// What was judged in each attempt. A referee that lost its memory may judge one twice.
    judged: BTreeMap<(MatchId, u32), Vec<Verdict>>,
}

impl Invariant for Fencing {
    fn name(&self) -> &'static str {
        "fencing"
    }

    fn see(&mut self, sight: &Sight<'_>, ledger: &Ledger) -> Result<(), String> {
        if let Sight::RefereeWrote(_, RefereeFact::Judged { match_id, attempt, verdict, .. }) =
            sight
        {
            let judged = self.judged.entry((*match_id, *attempt)).or_default();
            judged.push(*verdict);
        }
        if let Sight::LeagueWrote(fact) = sight {
            self.weigh(fact, ledger)?;
        }
        if let Sight::Forged(facts) = sight
            && let Some(fact) = facts.iter().find(|fact| !is_dispute(fact))
        {
            return Err(format!("a forged letter led to {fact:?}"));
        }
        Ok(())
    }
}

impl Fencing {
    fn weigh(&self, fact: &LeagueFact, ledger: &Ledger) -> Result<(), String> {
        if let LeagueFact::MatchRerun { match_id, attempt, .. }
        | LeagueFact::MatchReassigned { match_id, attempt, .. } = fact
        {
            let before = ledger.matches.get(match_id).map_or(0, |entry| entry.attempt);
            if *attempt != before + 1 {
                return Err(format!("{match_id} goes from attempt {before} to {attempt}"));
            }
        }
        let LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, .. } = fact else {
            return Ok(());
        };
        let Some(entry) = ledger.matches.get(match_id) else {
            return Err(format!("{match_id} was never given to anybody"));
        };
        let (current, holder) = (entry.attempt, entry.referee);
        if (current, holder) != (*attempt, *referee) {
            return Err(format!(
                "{match_id} took attempt {attempt} of {referee}; {holder} holds attempt {current}"
            ));
        }
        let judged = self.judged.get(&(*match_id, *attempt));
        // Points are the league's; all the rest is as it was judged.
        let same = |it: &Verdict| Verdict { points: it.points, ..*verdict } == *it;
        let judged = judged.is_some_and(|verdicts| verdicts.iter().any(same));
        // After the last attempt the manager cancels by itself, and nobody plays who has left.
        if judged || verdict.outcome == Outcome::Cancelled || forfeited(ledger, *match_id, verdict)
        {
            return Ok(());
        }
        Err(format!("{match_id} took {verdict:?}, which nobody judged in attempt {attempt}"))
    }
}

/// Whether that is what becomes of a match of somebody who has left the league.
fn forfeited(ledger: &Ledger, match_id: MatchId, verdict: &Verdict) -> bool {
    let gone = ledger
        .paper
        .fixture(match_id)
        .map(|fixture| [fixture.a, fixture.b].map(|player| ledger.withdrawn.contains(&player)));
    verdict.cause == Cause::Withdrawn
        && match verdict.outcome {
            Outcome::Forfeited(Seat::A) => gone == Some([true, false]),
            Outcome::Forfeited(Seat::B) => gone == Some([false, true]),
            Outcome::Won(_)
            | Outcome::Drawn
            | Outcome::BothForfeited
            | Outcome::Cancelled
            | Outcome::Void => false,
        }
}

const fn is_dispute(fact: &LeagueFact) -> bool {
    matches!(fact, LeagueFact::ResultDisputed { .. })
}
