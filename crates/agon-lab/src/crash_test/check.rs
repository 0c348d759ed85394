//! The checker: does what everybody wrote down tell one story, and does every result count once?
//!
//! A result is acknowledged when its referee has written down that the manager answered, when a
//! player has heard it, or when the manager's log has told it. What was acknowledged must be in the
//! manager's journal, and the same.
//!
//! Spec: docs/operate.md

mod players;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use agon_core::Outcome;
use agon_proto::{AgentId, MatchId};

use crate::history::{History, League, PlayerBook, RefereeBook, Said};

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// A result was acknowledged, and is not what counts.
    Lost,
    /// A match has two results, or counts twice.
    Duplicated,
    /// A result counts, and its referee was never told so.
    Unacknowledged,
    /// Two books contradict each other in another way.
    Wrong,
    /// A season did not come to its end.
    Unfinished,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) fault: Fault,
    pub(super) match_id: Option<MatchId>,
    pub(super) what: String,
}

impl Finding {
    pub(super) fn about(fault: Fault, match_id: MatchId, what: impl fmt::Display) -> Self {
        Self { fault, match_id: Some(match_id), what: format!("{match_id}: {what}") }
    }

    pub(super) fn general(fault: Fault, what: impl fmt::Display) -> Self {
        Self { fault, match_id: None, what: what.to_string() }
    }
}

/// Everything that is wrong with a season. One that did not come to its end has no table, and
/// is only asked whether it kept what it had acknowledged by then.
pub(super) fn check(history: &History) -> Vec<Finding> {
    let History { league, referees, players, said, table } = history;
    let mut found = what_was_said(league, said);
    found.extend(what_was_answered(league, referees));
    found.extend(who_was_let_in(league, referees, players));
    found.extend(players::check(league, players));
    if let Some(table) = table {
        found.extend(every_match_once(league));
        found.extend(what_was_not_answered(league, referees));
        found.extend(table::check(league, table));
    }
    found
}

/// Every match of the schedule has one result, every round and the season one end.
fn every_match_once(league: &League) -> Vec<Finding> {
    let mut found = Vec::new();
    let schedule = league.paper;
    for id in schedule.ids() {
        match league.results.get(&id).map_or(0, Vec::len) {
            0 => found.push(Finding::about(Fault::Lost, id, "the journal has no result of it")),
            1 => {}
            many => {
                let what = format!("the journal has {many} results of it");
                found.push(Finding::about(Fault::Duplicated, id, what));
            }
        }
    }
    let strange = league.results.keys().filter(|id| schedule.fixture(**id).is_none());
    found.extend(strange.map(|id| Finding::about(Fault::Wrong, *id, "it is not in the schedule")));
    if league.rounds_completed != (1..=schedule.rounds()).collect::<Vec<_>>() || league.ends != 1 {
        let (rounds, ends) = (&league.rounds_completed, league.ends);
        let what = format!("rounds ended as {rounds:?}, and the season {ends} times");
        found.push(Finding::general(Fault::Wrong, what));
    }
    found
}

/// What any life of the manager has called accepted is what counts, and was called so once.
fn what_was_said(league: &League, said: &[Said]) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut told = BTreeMap::<MatchId, u32>::new();
    for said in said {
        let id = said.match_id;
        *told.entry(id).or_default() += 1;
        let kept = league.result(id);
        let same = kept.is_some_and(|kept| {
            let verdict = &kept.verdict;
            kept.attempt == said.attempt
                && kept.referee == said.referee
                && verdict.status().as_str() == said.status
                && verdict.cause.as_str() == said.cause
        });
        if !same {
            let what = format!("the manager's log has {said:?}, its journal {kept:?}");
            found.push(Finding::about(Fault::Lost, id, what));
        }
    }
    let twice = told.iter().filter(|(_, times)| **times > 1);
    found.extend(twice.map(|(id, times)| {
        Finding::about(Fault::Duplicated, *id, format!("the manager accepted it {times} times"))
    }));
    found
}

/// What a referee was told is recorded must be in the journal, at any moment at which the manager
/// is dead. A report that was answered is either the result, or it came too late: then the match
/// had another attempt, or was never this referee's.
pub(super) fn what_was_answered(league: &League, referees: &[RefereeBook]) -> Vec<Finding> {
    let mut found = Vec::new();
    for book in referees {
        let Some(referee) = book.id else { continue };
        for &(id, attempt) in &book.settled {
            let Some(verdict) = book.judged.get(&(id, attempt)) else {
                let what = format!("{referee} settled attempt {attempt}, which it never judged");
                found.push(Finding::about(Fault::Wrong, id, what));
                continue;
            };
            let later = league.attempts.range((id, attempt + 1)..=(id, u32::MAX)).next().is_some();
            let held = league.attempts.get(&(id, attempt)) == Some(&referee);
            let kept = league.result(id);
            let fine = match kept {
                Some(kept) if kept.attempt == attempt && kept.referee == referee => {
                    let cancelled = kept.verdict.outcome == Outcome::Cancelled;
                    verdict == &kept.verdict || verdict.outcome == Outcome::Void && cancelled
                }
                Some(kept) => attempt < kept.attempt || !held,
                None => later || !held,
            };
            if !fine {
                let what = format!(
                    "{referee} was answered on attempt {attempt} ({verdict:?}), the manager's \
                     journal has {kept:?}"
                );
                found.push(Finding::about(Fault::Lost, id, what));
            }
        }
    }
    found
}

/// Whoever was told that it is in is in.
pub(super) fn who_was_let_in(
    league: &League,
    referees: &[RefereeBook],
    players: &[PlayerBook],
) -> Vec<Finding> {
    let referees = referees.iter().filter_map(|book| book.id.map(AgentId::Referee));
    let players = players.iter().filter_map(|book| book.id.map(AgentId::Player));
    let strangers = referees.chain(players).filter(|id| !league.members.contains(id));
    let what = |id| format!("{id:?} was let in, and the manager's journal does not know it");
    strangers.map(|id| Finding::general(Fault::Wrong, what(id))).collect()
}

/// A result that counts was judged by its referee, and that one knows that it counts.
fn what_was_not_answered(league: &League, referees: &[RefereeBook]) -> Vec<Finding> {
    let mut found = Vec::new();
    let books: BTreeMap<_, _> =
        referees.iter().filter_map(|book| book.id.map(|id| (id, book))).collect();
    for (&id, kept) in &league.results {
        let Some(kept) = kept.first() else { continue };
        let place = (id, kept.attempt);
        let book = books.get(&kept.referee);
        let judged = book.and_then(|book| book.judged.get(&place));
        let settled = book.is_some_and(|book| book.settled.contains(&place));
        let played = matches!(kept.verdict.outcome, Outcome::Won(_) | Outcome::Drawn);
        if judged.is_none() && played {
            let what = format!("{} counts, and {} never judged it", kept.attempt, kept.referee);
            found.push(Finding::about(Fault::Wrong, id, what));
        } else if judged == Some(&kept.verdict) && !settled {
            let what = format!("it is durable, and {} was never told so", kept.referee);
            found.push(Finding::about(Fault::Unacknowledged, id, what));
        }
    }
    found
}

/// How many matches have that fault.
pub(super) fn count(found: &[Finding], fault: Fault) -> u64 {
    let of_it = found.iter().filter(|finding| finding.fault == fault);
    let matches: BTreeSet<_> = of_it.map(|finding| finding.match_id).collect();
    matches.len() as u64
}

#[cfg(test)]
mod tests;
