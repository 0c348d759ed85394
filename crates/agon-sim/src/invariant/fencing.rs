//! A result counts only as its referee judged it; a forged letter changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::format::Fixture;
use agon_core::{LeagueFact, Outcome, RefereeFact, Seat, Verdict};
use agon_proto::MatchId;
use agon_proto::message::Cause;

use crate::audit::{Books, Promise, Sight, all_wrong, hold, is_same};

pub(super) fn fencing() -> Promise {
    // What was judged in each attempt. A referee that lost its memory may judge one twice.
    let mut judged: BTreeMap<(MatchId, u32), Vec<Verdict>> = BTreeMap::new();
    // Matches whose report is a letter, which does not say everything.
    let mut written = BTreeSet::new();
    Box::new(move |sight, books| {
        if let Sight::RefereeWrote(_, RefereeFact::Started(start)) = sight {
            written.insert(start.fixture.match_id);
        }
        if let Sight::RefereeWrote(_, fact) = sight
            && let RefereeFact::Judged { match_id, attempt, verdict, .. } = fact
        {
            let in_letter = written.contains(match_id).then(|| as_reported(*verdict));
            let judged = judged.entry((*match_id, *attempt)).or_default();
            judged.extend([*verdict].into_iter().chain(in_letter));
        }
        if let Sight::LeagueWrote(fact) = sight
            && let LeagueFact::ResultAccepted { match_id, attempt, verdict, .. } = fact
        {
            let all = judged.get(&(*match_id, *attempt)).map_or(&[][..], Vec::as_slice);
            // After the last attempt the manager cancels by itself, and nobody plays who has left.
            let fair = all.iter().any(|it| is_same(it, verdict))
                || verdict.outcome == Outcome::Cancelled
                || forfeited(books, *match_id, verdict);
            hold(fair, || {
                format!("{match_id} took {verdict:?}; judged in attempt {attempt} was {all:?}")
            })?;
        }
        let Sight::Forged(facts) = sight else { return Ok(()) };
        let is_dispute = |fact: &LeagueFact| matches!(fact, LeagueFact::ResultDisputed { .. });
        let counts = facts.iter().find(|fact| !is_dispute(fact));
        all_wrong(counts.map(|fact| format!("a forged letter led to {fact:?}")))
    })
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
