//! A result counts only as its referee judged it; a forged letter changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::format::Fixture;
use agon_core::{LeagueFact, Outcome, RefereeFact, Seat, Verdict};
use agon_proto::MatchId;
use agon_proto::message::Cause;

use crate::audit::{Books, Finding, Promise, Sight, hold, is_same};

#[derive(Default)]
pub(super) struct Fencing {
    /// What was judged in each attempt. A referee that lost its memory may judge one twice.
    judged: BTreeMap<(MatchId, u32), Vec<Verdict>>,
    /// Matches whose report is a letter, which does not say everything.
    written: BTreeSet<MatchId>,
}

impl Promise for Fencing {
    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
        if let Sight::RefereeWrote(_, RefereeFact::Started(start)) = sight {
            self.written.insert(start.fixture.match_id);
        }
        if let Sight::RefereeWrote(_, RefereeFact::Judged { match_id, attempt, verdict, .. }) =
            sight
        {
            let in_letter = self.written.contains(match_id).then(|| as_reported(*verdict));
            let judged = self.judged.entry((*match_id, *attempt)).or_default();
            judged.extend([*verdict].into_iter().chain(in_letter));
        }
        if let Sight::LeagueWrote(fact) = sight {
            self.weigh(fact, books)?;
        }
        if let Sight::Forged(facts) = sight
            && let Some(fact) =
                facts.iter().find(|fact| !matches!(fact, LeagueFact::ResultDisputed { .. }))
        {
            return Err(format!("a forged letter led to {fact:?}").into());
        }
        Ok(())
    }
}

impl Fencing {
    fn weigh(&self, fact: &LeagueFact, books: &Books) -> Result<(), Finding> {
        let LeagueFact::ResultAccepted { match_id, attempt, verdict, .. } = fact else {
            return Ok(());
        };
        let all = self.judged.get(&(*match_id, *attempt)).map_or(&[][..], Vec::as_slice);
        let judged = all.iter().any(|it| is_same(it, verdict));
        // After the last attempt the manager cancels by itself, and nobody plays who has left.
        let fair =
            judged || verdict.outcome == Outcome::Cancelled || forfeited(books, *match_id, verdict);
        hold(fair, || {
            format!("{match_id} took {verdict:?}; judged in attempt {attempt} was {all:?}")
        })
    }
}

/// The verdict as a letter can say it: with a score for everybody.
fn as_reported(judged: Verdict) -> Verdict {
    Verdict { gains: judged.gains.or(Some([0, 0])), ..judged }
}

/// Whether that is what becomes of a match of somebody who has left the league.
fn forfeited(books: &Books, match_id: MatchId, verdict: &Verdict) -> bool {
    let Outcome::Forfeited(loser) = verdict.outcome else { return false };
    let season = books.league.season();
    let left = |Fixture { a, b }| [a, b].map(|player| season.is_withdrawn(player));
    let gone = books.fixture(match_id).map(left);
    verdict.cause == Cause::Withdrawn && gone == Some(Seat::BOTH.map(|seat| seat == loser))
}
