//! Promises about results and those who make them: a result counts as it was judged, by a referee
//! who has room for it, in a manager that is what its journal says; and trouble costs nobody
//! anything.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::format::Fixture;
use agon_core::{LeagueFact, Outcome, RefereeFact, Seat, Verdict};
use agon_proto::MatchId;
use agon_proto::message::Cause;

use crate::audit::{Books, Kept, Promise, Sight, all_wrong, hold, is_same};
use crate::league::Script;

/// A result counts only as its referee judged it; a forged letter changes nothing.
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
            // The verdict as a letter can say it: with a score for everybody.
            let scored = Verdict { gains: verdict.gains.or(Some([0, 0])), ..*verdict };
            let in_letter = written.contains(match_id).then_some(scored);
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
                || refused(all, verdict)
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

/// Whether a player had the last attempt voided too, because it was over for it: so it has lost.
fn refused(judged: &[Verdict], verdict: &Verdict) -> bool {
    let Outcome::Forfeited(loser) = verdict.outcome else { return false };
    let why = |it: &Verdict| (it.cause, it.blame);
    let voided = judged.iter().filter(|it| it.outcome == Outcome::Void);
    verdict.cause == Cause::Refused
        && verdict.blames(loser)
        && voided.into_iter().any(|it| why(it) == why(verdict))
}

/// Whether that is what becomes of a match of somebody who has left the league.
fn forfeited(books: &Books, match_id: MatchId, verdict: &Verdict) -> bool {
    let Outcome::Forfeited(loser) = verdict.outcome else { return false };
    let season = books.league.season();
    let left = |Fixture { a, b }| [a, b].map(|player| season.is_withdrawn(player));
    let gone = books.fixture(match_id).map(left);
    verdict.cause == Cause::Withdrawn && gone == Some(Seat::BOTH.map(|seat| seat == loser))
}

/// A league made of the journal alone is the one that lives.
pub(super) fn replay(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Rests(manager) = sight else { return Ok(()) };
    let [live, replayed] = [manager.league(), &books.league];
    let states = [live.state(), replayed.state()];
    let [state, again] = &states;
    hold(state == again, || format!("state {state:?} is replayed as {again:?}"))?;
    let same_table = live.table(usize::MAX) == replayed.table(usize::MAX);
    hold(same_table, || "the table is replayed as another one")?;
    for id in live.season().ids() {
        let [one, other] = [live, replayed].map(|league| {
            let record = league.season().result(id).copied();
            let state = league.match_state(id);
            let state = state.map(|state| (state.attempt, state.referee_id, state.result));
            (record, state)
        });
        hold(one == other, || format!("{id} is {one:?} and is replayed as {other:?}"))?;
    }
    Ok(())
}

/// A referee never plays more matches at once than it said it could.
pub(super) fn capacity(script: &Script) -> Promise {
    let can: Vec<_> = script.plan.nodes.iter().map(|node| node.capacity.unwrap_or(0)).collect();
    Box::new(move |sight, books| {
        let Sight::Playing(node, says) = sight else { return Ok(()) };
        let book = books.referees.get(node);
        let known = book.map_or(0, |book| book.playing.len());
        let is_scheduled = book.is_some_and(|book| book.is_scheduled);
        let (says, can) = (*says as usize, can[*node] as usize);
        hold(is_scheduled || known <= can && known == says, || {
            format!("node {node} plays {known} matches, says {says}, and can play {can}")
        })
    })
}

/// Every match is played to its end, and scored; then every player goes home.
pub(super) fn costs_nobody(script: &Script) -> Promise {
    let (_, expected) = script.size();
    let first = 1 + script.plan.referees();
    // Who still plays.
    let mut players: BTreeSet<usize> = (first..script.plan.nodes.len()).collect();
    Box::new(move |sight, books| {
        if let Sight::Gone(node) = sight {
            players.remove(node);
        }
        let Sight::Ended = sight else { return Ok(()) };
        let (count, matches) = (books.season.count(), &books.season.matches);
        let missing =
            (count != expected).then(|| format!("{count} of {expected} matches have a result"));
        let ended = matches.iter().filter_map(|(id, entry)| Some((id, entry.verdict?)));
        let unplayed = ended.filter(|(_, it)| it.cause != Cause::Played || it.gains.is_none());
        let unplayed = unplayed.map(|(id, verdict)| format!("{id} ended as {verdict:?}"));
        let stays = players.iter().map(|node| format!("node {node} does not go home"));
        all_wrong(missing.into_iter().chain(unplayed).chain(stays))
    })
}
